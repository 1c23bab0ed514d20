-- Tasks of maintenance, each leased by one process at a time.
CREATE TABLE maintenance (
    task         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- When it runs next; the clock of the processes.
    run_at       BIGINT NOT NULL,
    lease        TEXT,
    leased_until BIGINT,
    -- Runs since the last one that succeeded.
    failures     BIGINT NOT NULL DEFAULT 0,
    last_error   TEXT,
    finished_at  BIGINT
);

-- The media store that belongs to this database; one row.
CREATE TABLE media_store (
    name          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- The id that the marker in the store carries too.
    id            TEXT NOT NULL,
    -- How many sweeps this database has begun; the marker says the same unless the database is an older copy.
    sweeps        BIGINT NOT NULL DEFAULT 0,
    -- What the last sweep found and left alone, because it was too much; NULL when it swept.
    held_orphans  BIGINT,
    held_files    BIGINT
);
