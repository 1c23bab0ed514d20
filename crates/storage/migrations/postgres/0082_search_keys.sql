-- The key with which the templates of searches are encrypted that guests' devices hold: made at the first search, destroyed with the
-- event, or when its photographer revokes them all.
ALTER TABLE events ADD COLUMN search_key BYTEA;

-- Those that are not complete: maintenance looks for what a process did not end.
CREATE INDEX deletion_receipts_open ON deletion_receipts (owner_id) WHERE completed_at IS NULL;
