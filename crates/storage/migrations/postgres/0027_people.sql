-- People of an event, for its photographer alone: faces that were put together because they are alike. All that is known of
-- one is which faces refer to it; one without faces is deleted. Nobody is named, and no embedding is here.
CREATE TABLE people (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    event_id   TEXT COLLATE "C" NOT NULL REFERENCES events (id),
    -- Whether the photographer has put it aside.
    hidden     BOOLEAN NOT NULL DEFAULT false,
    -- Whether the photographer has merged, split or hidden it: it is put together with another such one by nobody else.
    decided    BOOLEAN NOT NULL DEFAULT false,
    created_at BIGINT NOT NULL
);
CREATE INDEX people_by_event ON people (event_id);

-- NULL until the face is put to a person.
ALTER TABLE faces ADD COLUMN person_id TEXT COLLATE "C" REFERENCES people (id) ON DELETE SET NULL;
CREATE INDEX faces_by_person ON faces (person_id, photo_id);
CREATE INDEX faces_without_person ON faces (event_id, pack, id) WHERE person_id IS NULL;

-- Whether the faces of the event are put together; the photographer's switch.
ALTER TABLE events ADD COLUMN groups_faces BOOLEAN NOT NULL DEFAULT true;
-- Numbers the changes of its people, so that what was computed from an older state is not stored.
ALTER TABLE events ADD COLUMN people_change BIGINT NOT NULL DEFAULT 0;
