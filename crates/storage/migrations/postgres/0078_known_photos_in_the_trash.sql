-- The deleted photos that guests know of: a mail does not tell of them as new ones when they are restored.
CREATE TABLE trashed_subscription_photos (
    subscription_id TEXT COLLATE "C" NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    photo_id        TEXT COLLATE "C" NOT NULL REFERENCES trashed_photos (id) ON DELETE CASCADE,
    hidden          BOOLEAN NOT NULL,
    PRIMARY KEY (subscription_id, photo_id)
);
CREATE INDEX trashed_subscription_photos_by_photo ON trashed_subscription_photos (photo_id);
