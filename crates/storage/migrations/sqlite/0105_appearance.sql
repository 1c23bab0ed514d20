-- How sharp a photo is, in thousandths; NULL until it is measured. A deleted photo has none: it is measured when it is restored.
ALTER TABLE photos ADD COLUMN sharpness BIGINT;
ALTER TABLE trashed_photos ADD COLUMN sharpness BIGINT;
-- What a photo is compared by: luminance in 24 rows of 24 cells.
CREATE TABLE photo_looks (
    photo_id TEXT NOT NULL PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
    look BLOB NOT NULL
);
CREATE INDEX photos_unmeasured ON photos (id) WHERE sharpness IS NULL AND status = 'ready';
CREATE INDEX photos_hearted ON photos (event_id, hearts, id) WHERE hearts > 0;
