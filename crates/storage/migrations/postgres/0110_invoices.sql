-- Invoices of payments, and notes about their refunds, under the Indian goods and services tax (decision 0100).

-- What an account wants on its invoices; a row only where something is.
CREATE TABLE billing_details (
    user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id),
    -- Empty for what is not on them.
    name    TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    -- The code of a state, of two digits.
    state   TEXT COLLATE "C",
    gstin   TEXT COLLATE "C"
);

-- The last number of each series in a financial year. Whoever makes a document holds the row until its transaction ends, so that
-- no number is skipped or given twice.
CREATE TABLE invoice_series (
    -- The letter of its numbers.
    series TEXT COLLATE "C" NOT NULL,
    -- The calendar year in which the financial year begins.
    year   BIGINT NOT NULL,
    last   BIGINT NOT NULL,
    PRIMARY KEY (series, year)
);

-- As they were made. The rows of accounts that are closed stay, for as long as the law wants them.
CREATE TABLE invoices (
    number          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    series          TEXT COLLATE "C" NOT NULL,
    year            BIGINT NOT NULL,
    serial          BIGINT NOT NULL CHECK (serial > 0),
    provider        TEXT COLLATE "C" NOT NULL,
    payment_id      TEXT COLLATE "C" NOT NULL,
    -- NULL for an invoice.
    refund_id       TEXT COLLATE "C" REFERENCES refunds (id),
    user_id         TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    issued_at       BIGINT NOT NULL,
    seller_name     TEXT COLLATE "C" NOT NULL,
    seller_address  TEXT COLLATE "C" NOT NULL,
    seller_gstin    TEXT COLLATE "C" NOT NULL,
    sac             TEXT COLLATE "C" NOT NULL,
    -- In percent.
    rate            BIGINT NOT NULL,
    buyer_name      TEXT COLLATE "C" NOT NULL,
    buyer_address   TEXT COLLATE "C" NOT NULL,
    buyer_gstin     TEXT COLLATE "C",
    place_of_supply TEXT COLLATE "C" NOT NULL,
    item            TEXT COLLATE "C" NOT NULL,
    taxable_value   BIGINT NOT NULL CHECK (taxable_value >= 0),
    cgst            BIGINT NOT NULL CHECK (cgst >= 0),
    sgst            BIGINT NOT NULL CHECK (sgst >= 0),
    igst            BIGINT NOT NULL CHECK (igst >= 0),
    -- The invoice that a note is about.
    about           TEXT COLLATE "C",
    UNIQUE (series, year, serial)
);
CREATE UNIQUE INDEX invoices_of_payments ON invoices (provider, payment_id) WHERE refund_id IS NULL;
CREATE UNIQUE INDEX invoices_of_refunds ON invoices (refund_id, series) WHERE refund_id IS NOT NULL;
CREATE INDEX invoices_by_payment ON invoices (provider, payment_id);
CREATE INDEX invoices_by_user ON invoices (user_id);
CREATE INDEX invoices_by_time ON invoices (issued_at);

-- An invoice never changes.
CREATE FUNCTION refuse_invoice_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'invoices never change'; END $$;
CREATE TRIGGER invoices_keep_rows BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_invoice_change();
CREATE TRIGGER invoices_lose_nothing BEFORE DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_invoice_change();
