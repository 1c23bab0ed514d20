-- The passkeys of accounts, as second factors.
CREATE TABLE passkeys (
    id            TEXT NOT NULL PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- As its authenticator has named it.
    credential_id BLOB NOT NULL UNIQUE,
    -- A COSE_Key (RFC 9052), as its authenticator has sent it.
    public_key    BLOB NOT NULL,
    name          TEXT NOT NULL,
    -- What its authenticator has counted at its last use; 0 where it does not count.
    sign_count    BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- The challenges that wait for an answer of a passkey: each is deleted by the first one.
CREATE TABLE passkey_challenges (
    hash       BLOB NOT NULL PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose    TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_by_user ON passkey_challenges (user_id, purpose);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
