-- How the first account comes to be: one row, from the first start or the first account on.
CREATE TABLE setup (
    name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- Of the token of the newest link; NULL once there is an account.
    token_hash BYTEA,
    expires_at BIGINT,
    -- When the first account was made. Who writes it is the administrator.
    ended_at   BIGINT
);

ALTER TABLE users ADD COLUMN is_admin BOOLEAN NOT NULL DEFAULT false;
-- The first account of an installation is an administrator.
UPDATE users SET is_admin = true WHERE id = (
    SELECT id FROM users WHERE closed_at IS NULL AND email_verified_at IS NOT NULL ORDER BY created_at, id LIMIT 1
);
