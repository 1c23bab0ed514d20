-- Albums within an event, such as 'Ceremony'. A photo is in at most one, and stays when its album is deleted.
CREATE TABLE albums (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    event_id   TEXT COLLATE "C" NOT NULL REFERENCES events (id),
    name       TEXT NOT NULL,
    position   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (event_id, name)
);

ALTER TABLE photos ADD COLUMN album_id TEXT COLLATE "C" REFERENCES albums (id) ON DELETE SET NULL;
CREATE INDEX photos_by_album ON photos (album_id, id);
ALTER TABLE trashed_photos ADD COLUMN album_id TEXT COLLATE "C" REFERENCES albums (id) ON DELETE SET NULL;
CREATE INDEX trashed_photos_by_album ON trashed_photos (album_id);
