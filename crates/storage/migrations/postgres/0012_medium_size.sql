-- The size of the rendition of medium size. NULL until it is made; photos indexed before it was made get it in the background.
ALTER TABLE photos ADD COLUMN medium_bytes BIGINT;
CREATE INDEX photos_unrendered ON photos (id) WHERE status = 'ready' AND medium_bytes IS NULL;
