-- The logins at a provider of OpenID Connect that open accounts.
CREATE TABLE single_sign_on (
    issuer       TEXT NOT NULL,
    -- The provider's own name of the person.
    subject      TEXT NOT NULL,
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    linked_at    BIGINT NOT NULL,
    last_used_at BIGINT,
    PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX single_sign_on_by_user ON single_sign_on (user_id, issuer);

-- Logins that were begun and wait for the provider's answer: each is deleted by the first one.
CREATE TABLE single_sign_on_attempts (
    hash       BLOB NOT NULL PRIMARY KEY,
    -- The hash of the cookie of the browser that has begun it.
    browser    BLOB NOT NULL,
    nonce      TEXT NOT NULL,
    verifier   TEXT NOT NULL,
    path       TEXT NOT NULL,
    -- The account that is to be linked; none where somebody logs in.
    user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX single_sign_on_attempts_by_user ON single_sign_on_attempts (user_id);
CREATE INDEX single_sign_on_attempts_by_expiry ON single_sign_on_attempts (expires_at);

-- What makes a session, once, after the provider's answer or by the operator's link.
CREATE TABLE login_tickets (
    hash       BLOB NOT NULL PRIMARY KEY,
    -- As above; none in the operator's link, which works in every browser.
    browser    BLOB,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- Whether the provider has asked for a second factor that counts here.
    is_proved  BOOLEAN NOT NULL,
    path       TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX login_tickets_by_user ON login_tickets (user_id);
CREATE INDEX login_tickets_by_expiry ON login_tickets (expires_at);
