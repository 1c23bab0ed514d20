-- Requests that were counted lately against limits which all servers of one database have together (decision 0034). Empty on
-- SQLite, whose one process counts in memory.
CREATE TABLE counted_requests (
    key        BLOB NOT NULL PRIMARY KEY,
    -- When, the oldest first: milliseconds of 13 digits each, one behind the other.
    moments    TEXT NOT NULL,
    -- How many characters of them there are at most: 13 for each request that the limit admits.
    room       BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
