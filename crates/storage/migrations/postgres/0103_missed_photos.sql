-- What guests say of the photos that they are shown: how many they were shown, how many are not theirs, how many of theirs were missing.
ALTER TABLE activity ADD COLUMN shown BIGINT NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN not_me BIGINT NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN missed BIGINT NOT NULL DEFAULT 0;
-- Faces that a search has missed, each counted once. Nothing of the guest is stored.
CREATE TABLE missed_faces (
    face_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES faces (id) ON DELETE CASCADE
);
