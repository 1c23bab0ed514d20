-- Logos of studios as guests get them: JPEG of at most 800 pixels a side.
CREATE TABLE studio_logos (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES studios (user_id) ON DELETE CASCADE,
    -- Random, in links; each file has another one.
    name    TEXT NOT NULL UNIQUE,
    width   BIGINT NOT NULL,
    height  BIGINT NOT NULL,
    bytes   BLOB NOT NULL
);
