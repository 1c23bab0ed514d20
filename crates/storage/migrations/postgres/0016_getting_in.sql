-- What a session runs on, in the words that its owner is shown; NULL where it is not known.
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN system TEXT;
-- By which a session ends early where the setting of its life is shortened. Until now each use renewed it for 30 days.
ALTER TABLE sessions ADD COLUMN last_used_at BIGINT NOT NULL DEFAULT 0;
UPDATE sessions SET last_used_at = expires_at - 2592000000;

-- Wrong passwords in succession, by the hash of what they were tried for. Addresses without account have rows too, so that
-- the answers do not tell which have one. A row is forgotten a day after the last attempt.
CREATE TABLE password_failures (
    key      BYTEA NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    last_at  BIGINT NOT NULL,
    -- Until when no attempt is admitted.
    retry_at BIGINT NOT NULL
);
CREATE INDEX password_failures_by_time ON password_failures (last_at);

-- From where accounts have logged in: the hash of an account's address and a network. Forgotten after 30 days without use.
CREATE TABLE known_networks (
    hash    BYTEA NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    last_at BIGINT NOT NULL
);
CREATE INDEX known_networks_by_user ON known_networks (user_id);
CREATE INDEX known_networks_by_time ON known_networks (last_at);

-- Mails that were asked for by an address. Whether it has an account is looked up when the mail is made, after the answer;
-- then the row is deleted.
CREATE TABLE mail_requests (
    id         TEXT NOT NULL PRIMARY KEY,
    -- verification, password_reset or wrong_passwords
    mail       TEXT NOT NULL,
    email      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX mail_requests_by_time ON mail_requests (created_at);
