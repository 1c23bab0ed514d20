-- Who made a photo, and its notice of copyright, as its file has them: the web size keeps both. Those of the photos that are there are
-- read from their originals, in the background.
ALTER TABLE photos ADD COLUMN artist TEXT;
ALTER TABLE photos ADD COLUMN copyright TEXT;
ALTER TABLE trashed_photos ADD COLUMN artist TEXT;
ALTER TABLE trashed_photos ADD COLUMN copyright TEXT;
UPDATE photos SET described = FALSE;
UPDATE trashed_photos SET described = FALSE;
