-- Photos that were deleted and can be restored. They are in tables of their own, so that nothing that reads photos or faces
-- finds them. The columns are those of photos, faces and objection_faces; a column that is added there is to be added here, or
-- takes its default when a photo is restored.
CREATE TABLE trashed_photos (
    id                TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    owner_id          TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    event_id          TEXT COLLATE "C" REFERENCES events (id),
    collection        TEXT COLLATE "C" NOT NULL,
    media_key         TEXT NOT NULL UNIQUE,
    content_hash      BYTEA NOT NULL,
    crc32             BIGINT,
    original_filename TEXT NOT NULL,
    format            TEXT NOT NULL,
    size_bytes        BIGINT NOT NULL,
    width             BIGINT NOT NULL,
    height            BIGINT NOT NULL,
    status            TEXT NOT NULL,
    failure_cause     TEXT,
    failure           TEXT,
    faces             BIGINT NOT NULL,
    pack              TEXT,
    outdated          BOOLEAN NOT NULL,
    average_color     BIGINT,
    preview_bytes     BIGINT,
    medium_bytes      BIGINT,
    not_me_reports    BIGINT NOT NULL,
    hidden            BOOLEAN NOT NULL,
    removal_at        BIGINT,
    captured_at       BIGINT NOT NULL,
    camera            TEXT,
    lens              TEXT,
    name_key          TEXT COLLATE "C",
    described         BOOLEAN NOT NULL,
    created_at        BIGINT NOT NULL,
    -- When it was deleted.
    trashed_at        BIGINT NOT NULL
);
CREATE INDEX trashed_photos_by_collection ON trashed_photos (collection, trashed_at, id);
CREATE INDEX trashed_photos_by_hash ON trashed_photos (collection, content_hash);
CREATE INDEX trashed_photos_by_time ON trashed_photos (trashed_at, id);
CREATE INDEX trashed_photos_by_owner ON trashed_photos (owner_id);
CREATE INDEX trashed_photos_by_event ON trashed_photos (event_id);

-- Their faces, which no search compares. A guest who asks for removal is compared with them.
CREATE TABLE trashed_faces (
    id        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    photo_id  TEXT COLLATE "C" NOT NULL REFERENCES trashed_photos (id) ON DELETE CASCADE,
    event_id  TEXT COLLATE "C" REFERENCES events (id),
    owner_id  TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    pack      TEXT NOT NULL,
    x         DOUBLE PRECISION NOT NULL,
    y         DOUBLE PRECISION NOT NULL,
    width     DOUBLE PRECISION NOT NULL,
    height    DOUBLE PRECISION NOT NULL,
    score     DOUBLE PRECISION NOT NULL,
    embedding BYTEA NOT NULL
);
CREATE INDEX trashed_faces_by_photo ON trashed_faces (photo_id);
CREATE INDEX trashed_faces_by_event ON trashed_faces (event_id);

-- What guests have asked about them before they were deleted.
CREATE TABLE trashed_objection_faces (
    objection_id TEXT COLLATE "C" NOT NULL REFERENCES objections (id) ON DELETE CASCADE,
    face_id      TEXT COLLATE "C" NOT NULL,
    photo_id     TEXT COLLATE "C" NOT NULL REFERENCES trashed_photos (id) ON DELETE CASCADE,
    x            DOUBLE PRECISION NOT NULL,
    y            DOUBLE PRECISION NOT NULL,
    width        DOUBLE PRECISION NOT NULL,
    height       DOUBLE PRECISION NOT NULL,
    overruled    BOOLEAN NOT NULL,
    PRIMARY KEY (objection_id, face_id)
);
CREATE INDEX trashed_objection_faces_by_photo ON trashed_objection_faces (photo_id);
