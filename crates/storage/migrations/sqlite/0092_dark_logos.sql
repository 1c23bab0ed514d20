-- Logos of studios for dark grounds: PNG with transparency, at most 800 pixels a side.
CREATE TABLE studio_dark_logos (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES studios (user_id) ON DELETE CASCADE,
    -- Random, in links; each file has another one.
    name    TEXT NOT NULL UNIQUE,
    width   BIGINT NOT NULL,
    height  BIGINT NOT NULL,
    bytes   BLOB NOT NULL
);
-- Which of both logos a watermark without a text is.
ALTER TABLE watermarks ADD COLUMN dark_logo BOOLEAN NOT NULL DEFAULT FALSE;
