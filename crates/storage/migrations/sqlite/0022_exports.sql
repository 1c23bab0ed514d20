-- ZIPs of all that an account has, each made on request and fetched by a link; of an account the newest.
CREATE TABLE exports (
    hash         BLOB NOT NULL PRIMARY KEY,
    user_id      TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    -- The session that asked for it: the link ends with it.
    session_hash BLOB NOT NULL REFERENCES sessions (hash) ON DELETE CASCADE,
    -- The ZIP's data.json. It is kept, so that an interrupted download goes on with the same bytes.
    data         BLOB NOT NULL,
    -- The photos in their order, a line each: the id, a space, and the name in the ZIP.
    files        TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX exports_by_session ON exports (session_hash);
CREATE INDEX exports_by_expiry ON exports (expires_at);
