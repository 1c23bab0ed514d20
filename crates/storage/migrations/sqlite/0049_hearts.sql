-- How many hearts guests have put on it.
ALTER TABLE photos ADD COLUMN hearts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE trashed_photos ADD COLUMN hearts BIGINT NOT NULL DEFAULT 0;
