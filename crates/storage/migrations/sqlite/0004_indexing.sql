-- Why a failed photo could not be indexed: 'refused' (its bytes), 'exhausted' (every attempt failed) or 'crashed' (it ended
-- the process); NULL for the others. The reason for operators stays in `failure`.
ALTER TABLE photos ADD COLUMN failure_cause TEXT;
-- Whether a ready photo was indexed with another model pack than the one in use: no search finds it until it is indexed
-- again.
ALTER TABLE photos ADD COLUMN outdated BOOLEAN NOT NULL DEFAULT FALSE;

-- The photo that a job indexes.
ALTER TABLE jobs ADD COLUMN photo_id TEXT;
-- The photo's collection: collections take turns, and `turn` orders the jobs.
ALTER TABLE jobs ADD COLUMN lane TEXT;
ALTER TABLE jobs ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
-- Claims in a row that ended without a word: the process vanished. 3 when the last of them had the process to itself.
ALTER TABLE jobs ADD COLUMN crashes BIGINT NOT NULL DEFAULT 0;

-- The id stands behind the 31 characters {"kind":"index_photo","photo":" of the payload.
UPDATE jobs SET photo_id = substr(payload, 32, 36)
WHERE kind = 'index_photo' AND payload LIKE '{"kind":"index_photo","photo":"%';
UPDATE photos SET failure_cause = CASE
    WHEN id IN (SELECT photo_id FROM jobs WHERE state = 'failed' AND photo_id IS NOT NULL) THEN 'exhausted'
    ELSE 'refused' END
WHERE status = 'failed';

CREATE INDEX jobs_by_photo ON jobs (photo_id) WHERE photo_id IS NOT NULL;
CREATE INDEX jobs_by_turn ON jobs (kind, turn, run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_by_lane ON jobs (lane, turn) WHERE state = 'queued' AND lane IS NOT NULL;

DROP INDEX photos_by_progress;
DROP INDEX photos_by_owner_progress;
CREATE INDEX photos_by_progress ON photos (event_id, status, outdated, faces);
CREATE INDEX photos_by_owner_progress ON photos (owner_id, event_id, status, outdated, faces);
CREATE INDEX photos_failed ON photos (id) WHERE status = 'failed';
CREATE INDEX photos_outdated ON photos (status) WHERE outdated;
CREATE INDEX photos_by_pack ON photos (pack) WHERE status = 'ready';
