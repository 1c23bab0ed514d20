-- What guests can save of an event: original, web (the previews alone) or none.
ALTER TABLE events ADD COLUMN downloads TEXT NOT NULL DEFAULT 'original';
-- CRC-32 of a photo's preview, for the ZIP of the web size; NULL for one that was made before, until a ZIP needs it.
ALTER TABLE photos ADD COLUMN preview_crc32 BIGINT;
ALTER TABLE trashed_photos ADD COLUMN preview_crc32 BIGINT;
