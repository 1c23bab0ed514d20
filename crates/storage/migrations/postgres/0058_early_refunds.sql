-- Refunds that the provider has reported before their payment was known here: they are applied with it. Without what the
-- provider tells about the person who has paid.
CREATE TABLE early_refunds (
    provider    TEXT NOT NULL,
    refund_id   TEXT NOT NULL,
    payment_id  TEXT NOT NULL,
    amount      BIGINT NOT NULL CHECK (amount > 0),
    -- The id of the refund here, where it was asked for here.
    receipt     TEXT,
    -- pending, processed or failed
    status      TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (provider, refund_id)
);
CREATE INDEX early_refunds_by_payment ON early_refunds (provider, payment_id);
CREATE INDEX early_refunds_by_time ON early_refunds (received_at);
