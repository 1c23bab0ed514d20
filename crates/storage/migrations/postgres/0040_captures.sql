-- What a photo's file tells of its capture, and what photos are sorted by. The moment is that of the camera's clock, taken
-- for UTC; the largest number where the file tells none, so that such photos come after the others.
ALTER TABLE photos ADD COLUMN captured_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN camera TEXT;
ALTER TABLE photos ADD COLUMN lens TEXT;
-- The name of the file as it is sorted (`domain::captures::name_key`). Until the file is read, its letters in lower case.
ALTER TABLE photos ADD COLUMN name_key TEXT COLLATE "C";
-- Whether the file was read for all of this. Photos of versions before are read in the background.
ALTER TABLE photos ADD COLUMN described BOOLEAN NOT NULL DEFAULT false;
UPDATE photos SET captured_at = 9223372036854775807, name_key = LOWER(original_filename COLLATE "C");
CREATE INDEX photos_by_capture ON photos (event_id, captured_at, id);
CREATE INDEX photos_by_name ON photos (event_id, name_key, id);
CREATE INDEX photos_undescribed ON photos (id) WHERE NOT described;
