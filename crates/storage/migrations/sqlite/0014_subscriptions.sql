-- Whether its owner lets guests ask to be told of new photos.
ALTER TABLE events ADD COLUMN subscriptions_allowed BOOLEAN NOT NULL DEFAULT true;
-- What the templates of its subscriptions are encrypted with; NULL until one is needed, and again once it is closed.
ALTER TABLE events ADD COLUMN subscription_key BLOB;

-- Guests who asked to be told of new photos. The rows go with the event's key, and those not confirmed within a day.
CREATE TABLE subscriptions (
    id               TEXT NOT NULL PRIMARY KEY,
    event_id         TEXT NOT NULL REFERENCES events (id),
    email            TEXT NOT NULL,
    -- In lower case: by it addresses are compared.
    email_key        TEXT NOT NULL,
    -- BCP 47
    language         TEXT NOT NULL,
    notice_version   TEXT NOT NULL,
    template         BLOB NOT NULL,
    created_at       BIGINT NOT NULL,
    confirmed_at     BIGINT,
    -- The event's revision whose photos were compared last.
    checked_revision BIGINT NOT NULL,
    -- Since when there are photos of which no mail has told.
    new_since        BIGINT,
    -- When the last mails were sent: milliseconds, separated by spaces.
    recent_mails     TEXT NOT NULL,
    mail_job         TEXT,
    -- The token of the last mail, or of the search it was made from.
    last_download    BLOB
);
CREATE INDEX subscriptions_by_event ON subscriptions (event_id, email_key);
CREATE INDEX subscriptions_by_email ON subscriptions (email_key);
CREATE INDEX subscriptions_by_download ON subscriptions (last_download);

-- The photos a guest knows of. A hidden one shows somebody else, as the guest said.
CREATE TABLE subscription_photos (
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    photo_id        TEXT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    hidden          BOOLEAN NOT NULL,
    PRIMARY KEY (subscription_id, photo_id)
);
CREATE INDEX subscription_photos_by_photo ON subscription_photos (photo_id);

-- Links that were mailed to guests. They stay known for a while after their subscription, so that a second tap is answered.
CREATE TABLE subscription_links (
    hash            BLOB NOT NULL PRIMARY KEY,
    subscription_id TEXT REFERENCES subscriptions (id) ON DELETE SET NULL,
    -- confirm or unsubscribe
    purpose         TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);
CREATE INDEX subscription_links_by_subscription ON subscription_links (subscription_id);
CREATE INDEX subscription_links_by_expiry ON subscription_links (expires_at);
