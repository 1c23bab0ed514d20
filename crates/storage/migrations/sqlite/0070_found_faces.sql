-- The face by which each photo of photo_ids was found, in their order, '-' where none is known: with it a photo leaves the results
-- of whom it was found for. Results of the version before have none.
ALTER TABLE downloads ADD COLUMN face_ids TEXT NOT NULL DEFAULT '';
