-- The removal date that a delivered mail has told the owner; nothing is removed before it. warned_for is the date of the
-- warning that was enqueued.
ALTER TABLE events ADD COLUMN removal_at BIGINT;
-- The same for a photo of the library.
ALTER TABLE photos ADD COLUMN removal_at BIGINT;
CREATE INDEX photos_in_library ON photos (created_at) WHERE event_id IS NULL;
-- When a warning about photos of the library was last enqueued.
ALTER TABLE users ADD COLUMN library_warned_at BIGINT;
