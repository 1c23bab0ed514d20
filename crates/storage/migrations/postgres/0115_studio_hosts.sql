-- The own host names of studios.
CREATE TABLE studio_hosts (
    user_id   TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES studios (user_id) ON DELETE CASCADE,
    host      TEXT COLLATE "C" NOT NULL,
    -- What the TXT record says that proves the name.
    token     TEXT NOT NULL,
    -- Since when it is proved; NULL before, and once the record has been gone for long.
    proved_at BIGINT,
    -- When the record was seen last.
    seen_at   BIGINT
);
-- Anybody may name any host; it is of one of them once that one has proved it.
CREATE UNIQUE INDEX studio_hosts_by_host ON studio_hosts (host) WHERE proved_at IS NOT NULL;
