-- Whether a face is blurred. NULL for one that a version before has stored.
ALTER TABLE faces ADD COLUMN blurred BOOLEAN;
ALTER TABLE trashed_faces ADD COLUMN blurred BOOLEAN;
-- How well a photo stands for its event, more is better, 0 for one that shows nobody well (`domain/events/covers.rs`). NULL for a photo
-- that is not indexed, and for one of a version before until maintenance has computed it together with where its faces are.
ALTER TABLE photos ADD COLUMN cover_rank BIGINT;
ALTER TABLE trashed_photos ADD COLUMN cover_rank BIGINT;
DROP INDEX photos_unfocused;
CREATE INDEX photos_unfocused ON photos (id) WHERE faces > 0 AND cover_rank IS NULL;
CREATE INDEX photos_by_cover_rank ON photos (event_id, cover_rank DESC, id) WHERE cover_rank > 0 AND NOT hidden;
-- Whether the photographer has said that it has no cover: then none is chosen by itself.
ALTER TABLE events ADD COLUMN without_cover BOOLEAN NOT NULL DEFAULT FALSE;
