-- What an administrator has locked: nobody logs in to such an account. Its events stay open to guests.
ALTER TABLE users ADD COLUMN locked_at BIGINT;
ALTER TABLE users ADD COLUMN lock_reason TEXT;
-- NULL until somebody logs in with this version.
ALTER TABLE users ADD COLUMN last_login_at BIGINT;
CREATE INDEX users_administrators ON users (id) WHERE is_admin;

-- Changes of balances that administrators make, each once: the key is made by who asks for it.
CREATE TABLE credit_changes (
    key        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    change     BIGINT NOT NULL,
    reason     TEXT,
    -- The administrator; NULL from the machine itself.
    changed_by TEXT COLLATE "C",
    created_at BIGINT NOT NULL
);

-- For the list of the largest events.
CREATE INDEX events_by_size ON events (bytes_stored, id) WHERE deleted_at IS NULL;
