-- Invoices of payments, and notes about their refunds, under the Indian goods and services tax (decision 0100).

-- What an account wants on its invoices; a row only where something is.
CREATE TABLE billing_details (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
    -- Empty for what is not on them.
    name    TEXT NOT NULL,
    address TEXT NOT NULL,
    -- The code of a state, of two digits.
    state   TEXT,
    gstin   TEXT
);

-- The last number of each series in a financial year. Whoever makes a document holds the row until its transaction ends, so that
-- no number is skipped or given twice.
CREATE TABLE invoice_series (
    -- The letter of its numbers.
    series TEXT NOT NULL,
    -- The calendar year in which the financial year begins.
    year   BIGINT NOT NULL,
    last   BIGINT NOT NULL,
    PRIMARY KEY (series, year)
);

-- As they were made. The rows of accounts that are closed stay, for as long as the law wants them.
CREATE TABLE invoices (
    number          TEXT NOT NULL PRIMARY KEY,
    series          TEXT NOT NULL,
    year            BIGINT NOT NULL,
    serial          BIGINT NOT NULL CHECK (serial > 0),
    provider        TEXT NOT NULL,
    payment_id      TEXT NOT NULL,
    -- NULL for an invoice.
    refund_id       TEXT REFERENCES refunds (id),
    user_id         TEXT NOT NULL REFERENCES users (id),
    issued_at       BIGINT NOT NULL,
    seller_name     TEXT NOT NULL,
    seller_address  TEXT NOT NULL,
    seller_gstin    TEXT NOT NULL,
    sac             TEXT NOT NULL,
    -- In percent.
    rate            BIGINT NOT NULL,
    buyer_name      TEXT NOT NULL,
    buyer_address   TEXT NOT NULL,
    buyer_gstin     TEXT,
    place_of_supply TEXT NOT NULL,
    item            TEXT NOT NULL,
    taxable_value   BIGINT NOT NULL CHECK (taxable_value >= 0),
    cgst            BIGINT NOT NULL CHECK (cgst >= 0),
    sgst            BIGINT NOT NULL CHECK (sgst >= 0),
    igst            BIGINT NOT NULL CHECK (igst >= 0),
    -- The invoice that a note is about.
    about           TEXT,
    UNIQUE (series, year, serial)
);
CREATE UNIQUE INDEX invoices_of_payments ON invoices (provider, payment_id) WHERE refund_id IS NULL;
CREATE UNIQUE INDEX invoices_of_refunds ON invoices (refund_id, series) WHERE refund_id IS NOT NULL;
CREATE INDEX invoices_by_payment ON invoices (provider, payment_id);
CREATE INDEX invoices_by_user ON invoices (user_id);
CREATE INDEX invoices_by_time ON invoices (issued_at);

-- An invoice never changes.
CREATE TRIGGER invoices_keep_rows BEFORE UPDATE ON invoices BEGIN SELECT RAISE(ABORT, 'invoices never change'); END;
CREATE TRIGGER invoices_lose_nothing BEFORE DELETE ON invoices BEGIN SELECT RAISE(ABORT, 'invoices never change'); END;
