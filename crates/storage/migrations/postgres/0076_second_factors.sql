-- The second factor of an account: the secret of an authenticator app, encrypted with the installation's key.
CREATE TABLE second_factors (
    user_id      TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret       BYTEA NOT NULL,
    -- NULL until a code has shown that the app has the secret; until then it is asked for nowhere.
    confirmed_at BIGINT,
    -- The step of the newest code that was taken: a code is taken once.
    last_step    BIGINT NOT NULL DEFAULT 0,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT
);

-- The recovery codes that were not used yet.
CREATE TABLE recovery_codes (
    hash    BYTEA NOT NULL PRIMARY KEY,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);

-- When the second factor was given in this session; NULL while it was not.
ALTER TABLE sessions ADD COLUMN proved_at BIGINT;
