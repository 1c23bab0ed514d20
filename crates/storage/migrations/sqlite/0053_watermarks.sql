-- What photographers have put on what guests see of their photos.
CREATE TABLE watermarks (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES studios (user_id) ON DELETE CASCADE,
    -- Random, in links; another one after each change.
    name         TEXT NOT NULL UNIQUE,
    -- NULL for the studio's logo.
    text         TEXT,
    -- As domain/watermarks.rs names them.
    position     TEXT NOT NULL,
    -- In hundredths.
    opacity      BIGINT NOT NULL,
    -- Whether it is on what guests save in web size, too.
    on_downloads BOOLEAN NOT NULL,
    -- What is drawn: JPEG of at most 800 pixels a side, on white; a text in black.
    picture      BLOB NOT NULL
);
-- What a ZIP has to know of a preview with a watermark before it is drawn. A row goes with its photo.
CREATE TABLE marked_previews (
    photo_id TEXT NOT NULL PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
    -- What the bytes are made of; another text is another file.
    source   TEXT NOT NULL,
    bytes    BIGINT NOT NULL,
    crc32    BIGINT NOT NULL
);
