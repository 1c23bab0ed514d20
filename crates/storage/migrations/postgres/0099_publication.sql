-- What becomes of photos that arrive (`domain/events/publication.rs`): guests see them at once (`as_they_arrive`), once they are
-- published (`held`), or at once though no more are expected (`complete`).
ALTER TABLE events ADD COLUMN publication TEXT NOT NULL DEFAULT 'as_they_arrive';
-- Since when it is complete. NULL while it is not.
ALTER TABLE events ADD COLUMN completed_at BIGINT;
-- The day until which more photos are coming, as its photographer says.
ALTER TABLE events ADD COLUMN more_until TEXT;
-- The number of the last photo that was held.
ALTER TABLE events ADD COLUMN last_hold BIGINT NOT NULL DEFAULT 0;
-- How many of its uploads were held and never published.
ALTER TABLE events ADD COLUMN uploads_held BIGINT NOT NULL DEFAULT 0;
-- What the other numbers of its photos have of those that are held.
ALTER TABLE events ADD COLUMN photos_held BIGINT NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN held_indexed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN held_failed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN held_faces BIGINT NOT NULL DEFAULT 0;
-- The number with which a photo is held, one more than that of the one before; NULL for one that guests may see. `hidden` says of
-- each photo whether guests are kept from it, because it is held or because a guest has asked for it.
ALTER TABLE photos ADD COLUMN held BIGINT;
ALTER TABLE trashed_photos ADD COLUMN held BIGINT;
CREATE INDEX photos_held ON photos (event_id, held) WHERE held IS NOT NULL;
-- When its guest was told, or needed not to be told, that the event is complete.
ALTER TABLE subscriptions ADD COLUMN completion_told_at BIGINT;
