-- Requests that were counted lately against limits which all servers of one database have together (decision 0034). A row for
-- each limit and whom it is counted for, by a hash with a secret of the installation; deleted soon after its last moment does not
-- count any more. Without a log for crashes, so that a search waits for no disk: after a crash PostgreSQL empties the table.
CREATE UNLOGGED TABLE counted_requests (
    key        BYTEA NOT NULL PRIMARY KEY,
    -- When, the oldest first: milliseconds of 13 digits each, one behind the other.
    moments    TEXT COLLATE "C" NOT NULL,
    -- How many characters of them there are at most: 13 for each request that the limit admits.
    room       BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
-- Each request writes its row again: with space on its page it needs no new entry in the index.
) WITH (fillfactor = 50);

-- A queue is empty when it is looked at now and then, and full when it matters; and a tenth of a table of done jobs, after which
-- PostgreSQL would look again, is more than an event has photos.
ALTER TABLE jobs SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
