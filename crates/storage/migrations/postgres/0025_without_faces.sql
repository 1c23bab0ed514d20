-- The photos that the gallery's filter 'No faces' shows, by event and of all.
CREATE INDEX photos_without_faces ON photos (event_id, id) WHERE status = 'ready' AND faces = 0;
CREATE INDEX photos_without_faces_by_owner ON photos (owner_id, id) WHERE status = 'ready' AND faces = 0;
