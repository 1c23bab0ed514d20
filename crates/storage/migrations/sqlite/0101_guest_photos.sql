-- Whether guests of an event may add photos, and how many each of their devices may. Photographers of earlier events have not asked for it.
ALTER TABLE events ADD COLUMN takes_guest_photos BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE events ADD COLUMN guest_photo_limit BIGINT NOT NULL DEFAULT 30;

-- Photos that guests have added. They wait in a table of their own, so that nothing which reads photos finds one that was not let in.
CREATE TABLE guest_photos (
    -- Of the photo that it becomes.
    id                TEXT NOT NULL PRIMARY KEY,
    event_id          TEXT NOT NULL REFERENCES events (id),
    -- The hash of a secret that the guest's device has made for itself: nothing else of the device is known.
    device            BLOB NOT NULL,
    name              TEXT,
    media_key         TEXT NOT NULL,
    content_hash      BLOB NOT NULL,
    crc32             BIGINT NOT NULL,
    original_filename TEXT NOT NULL,
    format            TEXT NOT NULL,
    -- Of the original.
    size_bytes        BIGINT NOT NULL,
    -- Of the original and its renditions.
    stored_bytes      BIGINT NOT NULL,
    width             BIGINT NOT NULL,
    height            BIGINT NOT NULL,
    average_color     BIGINT,
    preview_bytes     BIGINT NOT NULL,
    medium_bytes      BIGINT NOT NULL,
    -- The highest number where it is not known.
    captured_at       BIGINT NOT NULL,
    camera            TEXT,
    lens              TEXT,
    artist            TEXT,
    copyright         TEXT,
    created_at        BIGINT NOT NULL,
    -- When the photographer was told that it will go.
    warned_at         BIGINT,
    -- The photo that it became; NULL while it waits.
    became            TEXT
);
CREATE UNIQUE INDEX guest_photos_by_device ON guest_photos (event_id, device, content_hash);
CREATE INDEX guest_photos_waiting ON guest_photos (created_at) WHERE became IS NULL;
CREATE INDEX guest_photos_by_photo ON guest_photos (became) WHERE became IS NOT NULL;
