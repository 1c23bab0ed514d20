-- Who works on an event beside its owner. A row goes with its event's deletion and with its account.
CREATE TABLE event_members (
    event_id   TEXT NOT NULL REFERENCES events (id),
    user_id    TEXT NOT NULL REFERENCES users (id),
    -- As domain/team.rs names it.
    role       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (event_id, user_id)
);
CREATE INDEX event_members_by_user ON event_members (user_id);

-- Who was asked to, and has not answered.
CREATE TABLE event_invitations (
    id         TEXT NOT NULL PRIMARY KEY,
    event_id   TEXT NOT NULL REFERENCES events (id),
    email      TEXT NOT NULL,
    -- The normalized form, by which addresses are compared.
    email_key  TEXT NOT NULL,
    role       TEXT NOT NULL,
    invited_by TEXT NOT NULL REFERENCES users (id),
    -- SHA-256 of the newest mailed token; NULL until it is mailed.
    token_hash BLOB UNIQUE,
    sent_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (event_id, email_key)
);
CREATE INDEX event_invitations_by_inviter ON event_invitations (invited_by);
CREATE INDEX event_invitations_by_expiry ON event_invitations (expires_at);

-- Who has uploaded a photo of an event; NULL for its owner.
ALTER TABLE photos ADD COLUMN uploader_id TEXT REFERENCES users (id);
CREATE INDEX photos_by_uploader ON photos (event_id, uploader_id, id) WHERE uploader_id IS NOT NULL;
ALTER TABLE trashed_photos ADD COLUMN uploader_id TEXT REFERENCES users (id);

-- The member for whom a ZIP was made, who can save it while they are one; NULL for the owner's and guests'.
ALTER TABLE downloads ADD COLUMN member_id TEXT REFERENCES users (id);
