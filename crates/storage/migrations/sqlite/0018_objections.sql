-- What the templates of its objections are encrypted with; NULL until one is needed, and again once it is closed.
ALTER TABLE events ADD COLUMN objection_key BLOB;
-- Whether no guest finds it: somebody who is in it has asked for that, and the photographer has not overruled it.
ALTER TABLE photos ADD COLUMN hidden BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX photos_hidden ON photos (event_id) WHERE hidden;

-- Guests who asked that photos of them be hidden, or not to be found any more. They go when the event is closed.
CREATE TABLE objections (
    id             TEXT NOT NULL PRIMARY KEY,
    event_id       TEXT NOT NULL REFERENCES events (id),
    -- hide or stop_finding
    choice         TEXT NOT NULL,
    notice_version TEXT NOT NULL,
    -- Encrypted; NULL but for stop_finding while it is in force.
    template       BLOB,
    created_at     BIGINT NOT NULL,
    -- When a mail has told the photographer.
    told_at        BIGINT
);
CREATE INDEX objections_by_event ON objections (event_id);

-- Where in the photos these guests are. No embedding is here, and the face of stop_finding is not in faces any more.
CREATE TABLE objection_faces (
    objection_id TEXT NOT NULL REFERENCES objections (id) ON DELETE CASCADE,
    face_id      TEXT NOT NULL,
    photo_id     TEXT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    -- Fractions of the picture's width and height, from the top left.
    x            DOUBLE PRECISION NOT NULL,
    y            DOUBLE PRECISION NOT NULL,
    width        DOUBLE PRECISION NOT NULL,
    height       DOUBLE PRECISION NOT NULL,
    -- Whether the photographer has decided against the guest.
    overruled    BOOLEAN NOT NULL,
    PRIMARY KEY (objection_id, face_id)
);
CREATE INDEX objection_faces_by_photo ON objection_faces (photo_id);
