-- What uploads have cost, by account, event and day (UTC): what the ledger's rows of the kind upload add up to, since the
-- history of an account's money shows them so.
CREATE TABLE charges (
    user_id    TEXT NOT NULL REFERENCES users (id),
    -- The event, or the account for photos of no event.
    collection TEXT NOT NULL,
    -- Days since 1970.
    day        BIGINT NOT NULL,
    event_id   TEXT,
    -- The first of the rows.
    first_at   BIGINT NOT NULL,
    first_id   TEXT NOT NULL,
    photos     BIGINT NOT NULL,
    price      BIGINT NOT NULL,
    PRIMARY KEY (user_id, collection, day)
);
CREATE INDEX charges_by_time ON charges (user_id, first_at, first_id);
CREATE INDEX ledger_but_uploads ON ledger (user_id, created_at, id) WHERE kind <> 'upload';
INSERT INTO charges (user_id, collection, day, event_id, first_at, first_id, photos, price)
SELECT user_id, COALESCE(event_id, user_id), created_at / 86400000, event_id, MIN(created_at), MIN(id), COUNT(*),
    CAST(SUM(-change) AS BIGINT)
FROM ledger WHERE kind = 'upload' GROUP BY user_id, event_id, created_at / 86400000;
