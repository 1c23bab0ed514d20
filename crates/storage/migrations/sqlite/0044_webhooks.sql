-- Endpoints of operators that are told what happens (decision 0050). Not `webhook_events`, which are the payment provider's.
CREATE TABLE webhook_endpoints (
    id                  TEXT NOT NULL PRIMARY KEY,
    url                 TEXT NOT NULL,
    description         TEXT NOT NULL,
    -- Names with commas between them.
    event_types         TEXT NOT NULL,
    -- In clear: each message is signed with it.
    secret              TEXT NOT NULL,
    -- Signs too until then; both NULL when no secret was replaced.
    former_secret       TEXT,
    former_secret_until BIGINT,
    -- Since when no delivery has succeeded; NULL when the last one did.
    failing_since       BIGINT,
    -- Both NULL while it is switched on.
    disabled_at         BIGINT,
    disabled_by         TEXT,
    created_at          BIGINT NOT NULL
);

-- Messages to endpoints. No foreign key: what is reported must not wait for an administrator who deletes an endpoint at this
-- moment, nor fail; a message whose endpoint is gone is deleted when its turn comes.
CREATE TABLE webhook_deliveries (
    id              TEXT NOT NULL PRIMARY KEY,
    endpoint_id     TEXT NOT NULL,
    event_type      TEXT NOT NULL,
    payload         TEXT NOT NULL,
    -- waiting, delivered, failed or dropped
    state           TEXT NOT NULL,
    attempts        BIGINT NOT NULL DEFAULT 0,
    -- NULL when it is not tried any more.
    next_attempt_at BIGINT,
    -- The last attempt; NULL before the first.
    last_attempt_at BIGINT,
    last_took_ms    BIGINT,
    -- NULL without an answer.
    last_status     BIGINT,
    last_answer     TEXT,
    created_at      BIGINT NOT NULL
);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at);

-- Photos and searches that are counted for a minute before one message tells of them. Only what an endpoint asks for.
CREATE TABLE webhook_counts (
    event_type     TEXT NOT NULL,
    -- An event, or the library of an owner.
    collection     TEXT NOT NULL,
    event_id       TEXT,
    photos         BIGINT NOT NULL,
    searches       BIGINT NOT NULL,
    searches_found BIGINT NOT NULL,
    -- How often something was added.
    additions      BIGINT NOT NULL,
    since          BIGINT NOT NULL,
    PRIMARY KEY (event_type, collection)
);
