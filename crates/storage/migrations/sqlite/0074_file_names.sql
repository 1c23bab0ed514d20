-- Whether what guests save carries the names of the photographer's files.
ALTER TABLE events ADD COLUMN keeps_names BOOLEAN NOT NULL DEFAULT false;
