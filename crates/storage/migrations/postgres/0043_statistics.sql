-- What guests did on a day, as numbers alone. Searches of the versions before are in `searches` only, so that a share of those
-- that found something is one of `searches_found` and `searches_empty` together.
ALTER TABLE activity ADD COLUMN visits BIGINT NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN searches_found BIGINT NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN searches_empty BIGINT NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN guests_helped BIGINT NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN downloads BIGINT NOT NULL DEFAULT 0;

-- When the next weekly summary is mailed; NULL where none is wanted.
ALTER TABLE users ADD COLUMN weekly_summary_at BIGINT;
CREATE INDEX users_by_weekly_summary ON users (weekly_summary_at) WHERE weekly_summary_at IS NOT NULL;
