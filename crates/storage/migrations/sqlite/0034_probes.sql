-- Tokens by which `afterglow doctor` asks the running server, each once: what arrives there of a request, and how much.
CREATE TABLE probes (
    hash       BLOB NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
