-- What is overwritten in an original before guests get it. A row goes with its photo. A photo without one, or with one by
-- older rules, gets it in the background, or when a guest asks for the original.
CREATE TABLE redactions (
    photo_id TEXT NOT NULL PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
    rules    BIGINT NOT NULL,
    -- Of the overwritten file.
    crc32    BIGINT NOT NULL,
    -- As domain/redactions.rs encodes them.
    patches  BYTEA NOT NULL
);
-- Whether guests get an event's originals byte for byte.
ALTER TABLE events ADD COLUMN keeps_metadata BOOLEAN NOT NULL DEFAULT false;
-- Whether the event's owner has searched, who gets originals byte for byte.
ALTER TABLE downloads ADD COLUMN is_owners BOOLEAN NOT NULL DEFAULT false;
