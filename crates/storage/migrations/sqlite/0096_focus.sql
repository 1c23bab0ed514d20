-- Where the faces of a photo are, in thousandths of its width and height as it is shown: places that show a part of it show that one.
-- NULL without a face, and for a photo of a version before until maintenance has computed it from its faces.
ALTER TABLE photos ADD COLUMN focus_x BIGINT;
ALTER TABLE photos ADD COLUMN focus_y BIGINT;
ALTER TABLE trashed_photos ADD COLUMN focus_x BIGINT;
ALTER TABLE trashed_photos ADD COLUMN focus_y BIGINT;
CREATE INDEX photos_unfocused ON photos (id) WHERE faces > 0 AND focus_x IS NULL;
