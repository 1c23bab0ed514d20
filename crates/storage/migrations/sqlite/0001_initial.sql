-- Ids are UUIDv7 as text, moments are milliseconds since 1970 (UTC), money is paise, hashes are 32 bytes.

CREATE TABLE users (
    id                TEXT NOT NULL PRIMARY KEY,
    -- As typed. A closed account keeps its row for its ledger, with every personal column empty.
    email             TEXT NOT NULL,
    -- The address in lower case; NULL once the account is closed, which frees the address.
    email_key         TEXT UNIQUE,
    pending_email     TEXT,
    name              TEXT NOT NULL,
    password_hash     TEXT NOT NULL,
    is_photographer   BOOLEAN NOT NULL,
    email_verified_at BIGINT,
    credits           BIGINT NOT NULL DEFAULT 0 CHECK (credits >= 0),
    premium_since     BIGINT,
    first_recharge_at BIGINT,
    -- Grows with every change of what a search over all of the user's photos can find.
    revision          BIGINT NOT NULL DEFAULT 0,
    created_at        BIGINT NOT NULL,
    closed_at         BIGINT
);

CREATE TABLE sessions (
    hash       BLOB NOT NULL PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE mailed_links (
    hash       BLOB NOT NULL PRIMARY KEY,
    purpose    TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX mailed_links_by_user ON mailed_links (user_id);
CREATE INDEX mailed_links_by_expiry ON mailed_links (expires_at);

CREATE TABLE events (
    id              TEXT NOT NULL PRIMARY KEY,
    owner_id        TEXT NOT NULL REFERENCES users (id),
    name            TEXT NOT NULL,
    -- YYYY-MM-DD
    date            TEXT NOT NULL,
    slug            TEXT NOT NULL UNIQUE,
    description     TEXT,
    created_at      BIGINT NOT NULL,
    deleting_since  BIGINT,
    deletion_job    TEXT,
    deleted_at      BIGINT,
    -- Every upload ever taken: deleting photos does not lower it, so it cannot be counted.
    photos_uploaded BIGINT NOT NULL DEFAULT 0,
    last_upload_at  BIGINT,
    -- What retention counts from: the later of the date's midnight (UTC) and the last upload.
    retained_from   BIGINT NOT NULL,
    -- The removal that the owner was warned of.
    warned_for      BIGINT,
    revision        BIGINT NOT NULL DEFAULT 0,
    -- What the client said it paid; recorded, never trusted.
    payment_amount  BIGINT,
    coupon_code     TEXT
);
CREATE UNIQUE INDEX events_by_deletion_job ON events (deletion_job) WHERE deletion_job IS NOT NULL;
CREATE INDEX events_by_owner ON events (owner_id, created_at);
CREATE INDEX events_by_retention ON events (retained_from) WHERE deleting_since IS NULL AND deleted_at IS NULL;

CREATE TABLE photos (
    id                TEXT NOT NULL PRIMARY KEY,
    owner_id          TEXT NOT NULL REFERENCES users (id),
    event_id          TEXT REFERENCES events (id),
    -- The event's id, or the owner's for the library: within it, no two photos have the same bytes.
    collection        TEXT NOT NULL,
    media_key         TEXT NOT NULL UNIQUE,
    content_hash      BLOB NOT NULL,
    original_filename TEXT NOT NULL,
    format            TEXT NOT NULL,
    size_bytes        BIGINT NOT NULL,
    width             BIGINT NOT NULL,
    height            BIGINT NOT NULL,
    -- processing, ready or failed
    status            TEXT NOT NULL,
    failure           TEXT,
    faces             BIGINT NOT NULL DEFAULT 0,
    -- The model pack that looked for faces; NULL until one has.
    pack              TEXT,
    created_at        BIGINT NOT NULL,
    UNIQUE (collection, content_hash)
);
CREATE INDEX photos_by_owner ON photos (owner_id, id);
CREATE INDEX photos_by_event ON photos (event_id, id);
CREATE INDEX photos_by_filename ON photos (owner_id, original_filename);
-- These two answer how far indexing is from the index alone.
CREATE INDEX photos_by_progress ON photos (event_id, status, faces);
CREATE INDEX photos_by_owner_progress ON photos (owner_id, event_id, status, faces);
CREATE INDEX photos_unready ON photos (id) WHERE status = 'processing';

CREATE TABLE faces (
    id        TEXT NOT NULL PRIMARY KEY,
    photo_id  TEXT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    event_id  TEXT REFERENCES events (id),
    owner_id  TEXT NOT NULL REFERENCES users (id),
    -- The model pack: embeddings of two packs cannot be compared.
    pack      TEXT NOT NULL,
    -- Fractions of the picture's width and height, from the top left.
    x         DOUBLE PRECISION NOT NULL,
    y         DOUBLE PRECISION NOT NULL,
    width     DOUBLE PRECISION NOT NULL,
    height    DOUBLE PRECISION NOT NULL,
    score     DOUBLE PRECISION NOT NULL,
    -- 32-bit floats, little end first.
    embedding BLOB NOT NULL
);
CREATE INDEX faces_by_photo ON faces (photo_id);
CREATE INDEX faces_by_event ON faces (event_id, pack);
CREATE INDEX faces_by_owner ON faces (owner_id, pack);

CREATE TABLE activity (
    collection TEXT NOT NULL,
    -- YYYY-MM-DD in UTC
    day        TEXT NOT NULL,
    owner_id   TEXT NOT NULL REFERENCES users (id),
    uploads    BIGINT NOT NULL DEFAULT 0,
    searches   BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (collection, day)
);
CREATE INDEX activity_by_owner ON activity (owner_id, day);

CREATE TABLE jobs (
    id           TEXT NOT NULL PRIMARY KEY,
    kind         TEXT NOT NULL,
    -- JSON of domain::Job
    payload      TEXT NOT NULL,
    -- queued, done or failed; a queued one that is leased runs
    state        TEXT NOT NULL,
    run_at       BIGINT NOT NULL,
    lease        TEXT,
    leased_until BIGINT,
    attempts     BIGINT NOT NULL DEFAULT 0,
    last_error   TEXT,
    created_at   BIGINT NOT NULL,
    finished_at  BIGINT
);
CREATE INDEX jobs_queued ON jobs (run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_by_state ON jobs (state, id);
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE ledger (
    id            TEXT NOT NULL PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id),
    kind          TEXT NOT NULL,
    change        BIGINT NOT NULL,
    balance_after BIGINT NOT NULL CHECK (balance_after >= 0),
    -- What the change is about, such as a photo's or an order's id.
    reference     TEXT,
    created_at    BIGINT NOT NULL
);
CREATE INDEX ledger_by_user ON ledger (user_id, id);
-- Answers an account's sums from the index alone.
CREATE INDEX ledger_by_kind ON ledger (user_id, kind, change);
-- Nothing is paid for or credited twice. An operator's note may repeat.
CREATE UNIQUE INDEX ledger_once ON ledger (kind, reference) WHERE kind <> 'adjustment';

CREATE TABLE coupons (
    id                TEXT NOT NULL PRIMARY KEY,
    code              TEXT NOT NULL,
    -- The code in lower case.
    code_key          TEXT NOT NULL UNIQUE,
    -- percent (value 1 to 100) or fixed (value in paise)
    discount          TEXT NOT NULL,
    value             BIGINT NOT NULL CHECK (value > 0),
    valid_from        BIGINT,
    valid_until       BIGINT,
    max_uses          BIGINT,
    max_uses_per_user BIGINT,
    -- Reserved and spent uses.
    uses              BIGINT NOT NULL DEFAULT 0 CHECK (uses >= 0 AND (max_uses IS NULL OR uses <= max_uses)),
    created_at        BIGINT NOT NULL
);

CREATE TABLE orders (
    id                 TEXT NOT NULL PRIMARY KEY,
    user_id            TEXT NOT NULL REFERENCES users (id),
    provider           TEXT NOT NULL,
    -- credits or premium_plan
    purpose            TEXT NOT NULL,
    -- What is to be paid, after the discount.
    amount             BIGINT NOT NULL CHECK (amount > 0),
    discount           BIGINT NOT NULL DEFAULT 0,
    coupon_id          TEXT REFERENCES coupons (id),
    -- open, paid or abandoned
    status             TEXT NOT NULL,
    -- NULL until the provider knows the order.
    provider_order_id  TEXT,
    payment_id         TEXT,
    -- What the payment added to the balance.
    credits_received   BIGINT NOT NULL DEFAULT 0,
    was_first_recharge BOOLEAN NOT NULL DEFAULT FALSE,
    created_at         BIGINT NOT NULL,
    -- When the provider was last asked about it.
    checked_at         BIGINT,
    settled_at         BIGINT,
    UNIQUE (provider, provider_order_id),
    UNIQUE (provider, payment_id)
);
CREATE INDEX orders_by_user ON orders (user_id, id);
CREATE INDEX orders_open ON orders (created_at) WHERE status = 'open';

CREATE TABLE coupon_uses (
    order_id  TEXT NOT NULL PRIMARY KEY REFERENCES orders (id),
    coupon_id TEXT NOT NULL REFERENCES coupons (id),
    user_id   TEXT NOT NULL REFERENCES users (id),
    -- reserved, spent or released
    state     TEXT NOT NULL
);
CREATE INDEX coupon_uses_by_user ON coupon_uses (coupon_id, user_id);

CREATE TABLE webhook_events (
    provider    TEXT NOT NULL,
    event_id    TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (provider, event_id)
);
CREATE INDEX webhook_events_by_time ON webhook_events (received_at);

CREATE TABLE messages (
    id         TEXT NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL,
    email      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    message    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    sent_at    BIGINT
);
CREATE INDEX messages_by_time ON messages (created_at);

CREATE TABLE secrets (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);

-- The ledger is append-only.
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_loses_nothing BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
