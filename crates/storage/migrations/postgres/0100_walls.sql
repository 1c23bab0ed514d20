-- Pages for a screen at the venue (decision 0090). An event has at most one, which ends with the album that it shows.
CREATE TABLE walls (
    event_id   TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES events (id),
    -- As it stands in the address: whoever made the wall is shown it again.
    secret     TEXT COLLATE "C" NOT NULL,
    -- NULL for all photos of the event.
    album_id   TEXT COLLATE "C" REFERENCES albums (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX walls_by_secret ON walls (secret);
CREATE INDEX walls_by_album ON walls (album_id);
