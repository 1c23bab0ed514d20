-- The name of the file as it is compared (`texts::folded`), which SQL cannot compute. NULL for a photo of a version before, until
-- maintenance has folded it; such a one is found by its name to the letter.
ALTER TABLE photos ADD COLUMN name_fold TEXT;
ALTER TABLE trashed_photos ADD COLUMN name_fold TEXT;
CREATE INDEX photos_unfolded ON photos (id) WHERE name_fold IS NULL;
DROP INDEX photos_by_filename;
CREATE INDEX photos_by_filename ON photos (owner_id, (COALESCE(name_fold, original_filename)));
