-- The event whose photo an upload was charged for: a photo is deleted one day, the history of the charges stays. NULL for
-- photos without event, and for those that were deleted before the column was there.
ALTER TABLE ledger ADD COLUMN event_id TEXT COLLATE "C";
-- Rows of before get it from the photos that are still there; nothing else of them changes.
ALTER TABLE ledger DISABLE TRIGGER ledger_keeps_rows;
UPDATE ledger SET event_id = (SELECT event_id FROM photos WHERE photos.id = ledger.reference) WHERE kind = 'upload';
ALTER TABLE ledger ENABLE TRIGGER ledger_keeps_rows;
