-- Whether the photographer has closed an event to uploads; guests see it as before.
ALTER TABLE events ADD COLUMN uploads_closed BOOLEAN NOT NULL DEFAULT false;
