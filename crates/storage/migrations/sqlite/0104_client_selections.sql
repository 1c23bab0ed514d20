-- What clients choose of an event's photos, by a secret address (decision 0094).
CREATE TABLE client_selections (
    id          TEXT NOT NULL PRIMARY KEY,
    event_id    TEXT NOT NULL REFERENCES events (id),
    name        TEXT NOT NULL,
    -- NULL for any number of photos.
    photo_limit BIGINT,
    -- The last day for choosing, YYYY-MM-DD; NULL for no end.
    due_on      TEXT,
    -- As photographers print it; NULL where none is asked for.
    pin         TEXT,
    -- Whether it shows the photos of an album. Where that is deleted it shows those alone that were marked, and not all of the event.
    of_album    BOOLEAN NOT NULL,
    album_id    TEXT REFERENCES albums (id) ON DELETE SET NULL,
    -- As it stands in the address: whoever made the selection is shown it again.
    secret      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    -- NULL while the client chooses.
    done_at     BIGINT,
    message     TEXT,
    seen_at     BIGINT
);
CREATE UNIQUE INDEX client_selections_by_secret ON client_selections (secret);
CREATE INDEX client_selections_by_event ON client_selections (event_id);
CREATE INDEX client_selections_by_album ON client_selections (album_id);

-- Photos that a client has chosen or commented on.
CREATE TABLE client_choices (
    selection_id TEXT NOT NULL REFERENCES client_selections (id) ON DELETE CASCADE,
    photo_id     TEXT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    chosen       BOOLEAN NOT NULL,
    -- Empty for none.
    comment      TEXT NOT NULL,
    marked_at    BIGINT NOT NULL,
    PRIMARY KEY (selection_id, photo_id)
);
CREATE INDEX client_choices_by_photo ON client_choices (photo_id);

-- The same of deleted photos, for as long as they can be restored.
CREATE TABLE trashed_client_choices (
    selection_id TEXT NOT NULL REFERENCES client_selections (id) ON DELETE CASCADE,
    photo_id     TEXT NOT NULL REFERENCES trashed_photos (id) ON DELETE CASCADE,
    chosen       BOOLEAN NOT NULL,
    comment      TEXT NOT NULL,
    marked_at    BIGINT NOT NULL,
    PRIMARY KEY (selection_id, photo_id)
);
CREATE INDEX trashed_client_choices_by_photo ON trashed_client_choices (photo_id);
