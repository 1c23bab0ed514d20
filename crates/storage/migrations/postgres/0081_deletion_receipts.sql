-- What is being removed for good and was, until its receipt is signed and after.
CREATE TABLE deletion_receipts (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    owner_id      TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    -- event or account
    subject       TEXT COLLATE "C" NOT NULL,
    -- Of the event or the account.
    subject_id    TEXT COLLATE "C" NOT NULL UNIQUE,
    -- Where the receipt of an account is mailed; NULL for events, and once it is.
    email         TEXT COLLATE "C",
    begun_at      BIGINT NOT NULL,
    -- When nothing was left; NULL until then.
    completed_at  BIGINT,
    photos        BIGINT NOT NULL DEFAULT 0,
    faces         BIGINT NOT NULL DEFAULT 0,
    bytes         BIGINT NOT NULL DEFAULT 0,
    subscriptions BIGINT NOT NULL,
    requests      BIGINT NOT NULL,
    -- Fingerprints of the keys that went, as JSON.
    keys          TEXT COLLATE "C" NOT NULL,
    -- The signed receipt, as JSON; NULL for events that went with their account, whose receipt names them.
    document      TEXT COLLATE "C"
);
CREATE INDEX deletion_receipts_by_owner ON deletion_receipts (owner_id, id);

-- The folders into which backups of this installation were written, and what snapshots they have.
CREATE TABLE backup_folders (
    -- Its path on the machine that wrote the backup.
    folder     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- How many snapshots it keeps, and how many it has.
    keeps      BIGINT NOT NULL,
    snapshots  BIGINT NOT NULL,
    oldest_at  BIGINT NOT NULL,
    newest_at  BIGINT NOT NULL
);
