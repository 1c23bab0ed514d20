-- Tokens by which programs act for a photographer. A token that is revoked is deleted.
CREATE TABLE api_tokens (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    hash         BYTEA NOT NULL,
    user_id      TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    name         TEXT NOT NULL,
    scope        TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    -- NULL when it is good until it is revoked.
    expires_at   BIGINT,
    -- NULL until it is used; afterwards to a minute.
    last_used_at BIGINT
);
CREATE UNIQUE INDEX api_tokens_by_hash ON api_tokens (hash);
CREATE INDEX api_tokens_by_user ON api_tokens (user_id, created_at);
