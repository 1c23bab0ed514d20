-- The name of the file without its ending as it is compared (`versions::stem_key`), which SQL cannot compute: an edited version may
-- have another ending. NULL for a photo of a version before, until maintenance has filled it; such a one is found by its name as it
-- was compared until then.
ALTER TABLE photos ADD COLUMN name_stem TEXT;
ALTER TABLE trashed_photos ADD COLUMN name_stem TEXT;
DROP INDEX photos_unfolded;
CREATE INDEX photos_unfolded ON photos (id) WHERE name_stem IS NULL;
DROP INDEX photos_by_filename;
CREATE INDEX photos_by_filename ON photos (owner_id, (COALESCE(name_stem, name_fold, original_filename)));

-- The bytes that photos had before they were replaced by an edited version: a later upload of them is answered with the photo.
CREATE TABLE replaced_files (
    photo_id     TEXT COLLATE "C" NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    content_hash BYTEA NOT NULL,
    replaced_at  BIGINT NOT NULL,
    PRIMARY KEY (photo_id, content_hash)
);
CREATE INDEX replaced_files_by_hash ON replaced_files (content_hash);
-- Those of deleted photos, while they can be restored.
CREATE TABLE trashed_replaced_files (
    photo_id     TEXT COLLATE "C" NOT NULL REFERENCES trashed_photos (id) ON DELETE CASCADE,
    content_hash BYTEA NOT NULL,
    replaced_at  BIGINT NOT NULL,
    PRIMARY KEY (photo_id, content_hash)
);
