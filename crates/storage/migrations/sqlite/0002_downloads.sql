-- CRC-32 of the original, which a ZIP names before the bytes; NULL for photos taken in before this column.
ALTER TABLE photos ADD COLUMN crc32 BIGINT;

-- ZIPs that may be fetched: a search's matches, under a token that only its guest knows.
CREATE TABLE downloads (
    hash       BLOB NOT NULL PRIMARY KEY,
    event_id   TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    -- Ids of the photos, best match first, with spaces between. One that is gone by now is left out of the ZIP.
    photo_ids  TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX downloads_by_event ON downloads (event_id);
CREATE INDEX downloads_by_expiry ON downloads (expires_at);
