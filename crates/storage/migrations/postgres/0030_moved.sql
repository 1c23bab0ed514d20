-- The installation, by the id of its media store, whose rows `afterglow migrate-to` has put here; NULL where none has.
ALTER TABLE media_store ADD COLUMN moved_from TEXT;
-- The digest of all these rows: as long as they have it, nobody has changed one. NULL until they are here.
ALTER TABLE media_store ADD COLUMN moved_digest BYTEA;
