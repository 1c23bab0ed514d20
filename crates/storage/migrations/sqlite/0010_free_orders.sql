-- An order whose coupon leaves nothing to pay is over 0. The column is made anew, since SQLite changes no constraint.
ALTER TABLE orders ADD COLUMN to_pay BIGINT NOT NULL DEFAULT 0 CHECK (to_pay >= 0);
UPDATE orders SET to_pay = amount;
ALTER TABLE orders DROP COLUMN amount;
ALTER TABLE orders RENAME COLUMN to_pay TO amount;
