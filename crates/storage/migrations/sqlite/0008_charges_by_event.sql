-- The event whose photo an upload was charged for: a photo is deleted one day, the history of the charges stays. NULL for
-- photos without event, and for those that were deleted before the column was there.
ALTER TABLE ledger ADD COLUMN event_id TEXT;
-- Rows of before get it from the photos that are still there; nothing else of them changes.
DROP TRIGGER ledger_keeps_rows;
UPDATE ledger SET event_id = (SELECT event_id FROM photos WHERE photos.id = ledger.reference) WHERE kind = 'upload';
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
