-- A photo may be in several albums (decision 0080). Which albums deleted photos were in is kept for as long as they can be restored.
CREATE TABLE album_photos (
    album_id TEXT COLLATE "C" NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
    photo_id TEXT COLLATE "C" NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    PRIMARY KEY (album_id, photo_id)
);
CREATE INDEX album_photos_by_photo ON album_photos (photo_id);
INSERT INTO album_photos (album_id, photo_id) SELECT album_id, id FROM photos WHERE album_id IS NOT NULL;

CREATE TABLE trashed_album_photos (
    album_id TEXT COLLATE "C" NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
    photo_id TEXT COLLATE "C" NOT NULL REFERENCES trashed_photos (id) ON DELETE CASCADE,
    PRIMARY KEY (album_id, photo_id)
);
CREATE INDEX trashed_album_photos_by_photo ON trashed_album_photos (photo_id);
INSERT INTO trashed_album_photos (album_id, photo_id)
    SELECT album_id, id FROM trashed_photos WHERE album_id IS NOT NULL;

DROP INDEX photos_by_album;
DROP INDEX trashed_photos_by_album;
ALTER TABLE photos DROP COLUMN album_id;
ALTER TABLE trashed_photos DROP COLUMN album_id;
