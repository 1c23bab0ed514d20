-- Why an order has the status failed, for operators.
ALTER TABLE orders ADD COLUMN failure TEXT;
-- When the provider is to be asked about an open order next.
ALTER TABLE orders ADD COLUMN check_at BIGINT NOT NULL DEFAULT 0;

-- When a use was reserved: a reservation ends after a while, and is taken again when the order is paid after all.
ALTER TABLE coupon_uses ADD COLUMN reserved_at BIGINT NOT NULL DEFAULT 0;
UPDATE coupon_uses SET reserved_at = (SELECT created_at FROM orders WHERE orders.id = coupon_uses.order_id);
CREATE INDEX coupon_uses_reserved ON coupon_uses (reserved_at) WHERE state = 'reserved';

-- Every captured payment. An order may be paid more than once; the second payment buys nothing.
CREATE TABLE payments (
    provider    TEXT NOT NULL,
    payment_id  TEXT NOT NULL,
    order_id    TEXT NOT NULL REFERENCES orders (id),
    user_id     TEXT NOT NULL REFERENCES users (id),
    amount      BIGINT NOT NULL CHECK (amount > 0),
    -- credits or premium_plan; or why nothing: order_was_paid, had_premium, account_closed, amount_differs
    bought      TEXT NOT NULL,
    -- What it added to the balance.
    credits     BIGINT NOT NULL DEFAULT 0,
    captured_at BIGINT NOT NULL,
    PRIMARY KEY (provider, payment_id)
);
CREATE INDEX payments_by_user ON payments (user_id, captured_at);
CREATE INDEX payments_by_order ON payments (order_id);

INSERT INTO payments (provider, payment_id, order_id, user_id, amount, bought, credits, captured_at)
SELECT orders.provider, orders.payment_id, orders.id, orders.user_id, orders.amount,
    CASE
        WHEN purpose = 'credits' THEN 'credits'
        WHEN EXISTS (SELECT 1 FROM orders AS earlier
            WHERE earlier.user_id = orders.user_id AND earlier.purpose = 'premium_plan' AND earlier.status = 'paid'
                AND (earlier.settled_at < orders.settled_at
                    OR (earlier.settled_at = orders.settled_at AND earlier.id < orders.id))) THEN 'had_premium'
        ELSE 'premium_plan'
    END,
    credits_received, settled_at
FROM orders WHERE status = 'paid' AND payment_id IS NOT NULL AND settled_at IS NOT NULL;
-- What closed accounts have paid for.
UPDATE payments SET bought = 'account_closed'
WHERE EXISTS (SELECT 1 FROM users WHERE users.id = payments.user_id AND users.closed_at <= payments.captured_at);

CREATE TABLE refunds (
    -- Also the idempotency key at the provider.
    id              TEXT NOT NULL PRIMARY KEY,
    provider        TEXT NOT NULL,
    payment_id      TEXT NOT NULL,
    -- NULL until the provider has answered.
    refund_id       TEXT,
    amount          BIGINT NOT NULL CHECK (amount > 0),
    -- requested, pending, processed or failed
    status          TEXT NOT NULL,
    failure         TEXT,
    -- What it took from the balance, and what that did not hold.
    credits_taken   BIGINT NOT NULL DEFAULT 0 CHECK (credits_taken >= 0),
    credits_missing BIGINT NOT NULL DEFAULT 0 CHECK (credits_missing >= 0),
    created_at      BIGINT NOT NULL,
    settled_at      BIGINT,
    UNIQUE (provider, refund_id)
);
CREATE INDEX refunds_by_payment ON refunds (provider, payment_id);

-- Addresses that are to be told of a change, kept until they are. They were part of the jobs' payloads before.
CREATE TABLE email_notices (
    id         TEXT NOT NULL PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX email_notices_by_user ON email_notices (user_id);
INSERT INTO email_notices (id, user_id, email, created_at)
SELECT id, json_extract(payload, '$.user'), json_extract(payload, '$.email'), created_at FROM jobs
WHERE kind = 'notice_email_change' AND state = 'queued'
    AND EXISTS (SELECT 1 FROM users WHERE users.id = json_extract(payload, '$.user') AND closed_at IS NULL);
UPDATE jobs SET payload = '{"kind":"notice_email_change","notice":"' || id || '"}' WHERE kind = 'notice_email_change';
