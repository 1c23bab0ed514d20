-- Whether guests of an event can write to its photographer. Photographers of earlier events were not asked; new ones have it.
ALTER TABLE events ADD COLUMN takes_questions BOOLEAN NOT NULL DEFAULT FALSE;

-- What guests have asked about photos, until it is mailed.
CREATE TABLE questions (
    id         TEXT NOT NULL PRIMARY KEY,
    photo_id   TEXT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    -- Where an answer goes.
    email      TEXT NOT NULL,
    message    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX questions_by_photo ON questions (photo_id);
