-- What is there of an event's photos. Whatever changes a photo's row moves these numbers in the same transaction, so that
-- nobody counts; `afterglow check` compares them with the photos.
ALTER TABLE events ADD COLUMN photos_stored BIGINT NOT NULL DEFAULT 0;
-- Ready ones that the model pack in use has described.
ALTER TABLE events ADD COLUMN photos_indexed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN photos_failed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN faces_stored BIGINT NOT NULL DEFAULT 0;
-- Of the originals.
ALTER TABLE events ADD COLUMN bytes_stored BIGINT NOT NULL DEFAULT 0;
-- The same for the owner's photos that belong to no event.
ALTER TABLE users ADD COLUMN library_photos BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN library_indexed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN library_failed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN library_faces BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN library_bytes BIGINT NOT NULL DEFAULT 0;

UPDATE events SET photos_stored = counted.photos, photos_indexed = counted.indexed, photos_failed = counted.failed,
    faces_stored = counted.faces, bytes_stored = counted.bytes
FROM (
    SELECT event_id, COUNT(*) AS photos, COUNT(CASE WHEN status = 'ready' AND NOT outdated THEN 1 END) AS indexed,
        COUNT(CASE WHEN status = 'failed' THEN 1 END) AS failed, CAST(SUM(faces) AS BIGINT) AS faces,
        CAST(SUM(size_bytes) AS BIGINT) AS bytes
    FROM photos WHERE event_id IS NOT NULL GROUP BY event_id
) AS counted WHERE counted.event_id = events.id;
UPDATE users SET library_photos = counted.photos, library_indexed = counted.indexed, library_failed = counted.failed,
    library_faces = counted.faces, library_bytes = counted.bytes
FROM (
    SELECT owner_id, COUNT(*) AS photos, COUNT(CASE WHEN status = 'ready' AND NOT outdated THEN 1 END) AS indexed,
        COUNT(CASE WHEN status = 'failed' THEN 1 END) AS failed, CAST(SUM(faces) AS BIGINT) AS faces,
        CAST(SUM(size_bytes) AS BIGINT) AS bytes
    FROM photos WHERE event_id IS NULL GROUP BY owner_id
) AS counted WHERE counted.owner_id = users.id;

-- What an account's uploads have cost, and how many were charged: sums of the ledger's rows of the kind upload.
ALTER TABLE users ADD COLUMN credits_spent BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN uploads_charged BIGINT NOT NULL DEFAULT 0;
UPDATE users SET credits_spent = charged.spent, uploads_charged = charged.uploads
FROM (
    SELECT user_id, CAST(SUM(-change) AS BIGINT) AS spent, COUNT(*) AS uploads
    FROM ledger WHERE kind = 'upload' GROUP BY user_id
) AS charged WHERE charged.user_id = users.id;

-- They were there to count from.
DROP INDEX photos_by_progress;
DROP INDEX photos_by_owner_progress;
-- A library's photos without those of the owner's events between them.
CREATE INDEX photos_of_library ON photos (owner_id, id) WHERE event_id IS NULL;
-- Marked photos are not looked at again by what marks them.
DROP INDEX photos_by_pack;
CREATE INDEX photos_by_pack ON photos (pack) WHERE status = 'ready' AND NOT outdated;
