-- Every ZIP of an event's guests, not only that of all photos, ends with the PIN of the event: `pin_proof` is the proof of the PIN with
-- which guests were let in when it was made, empty where the event asked for none, and NULL for what an earlier version made.
ALTER TABLE downloads RENAME COLUMN browsed_with TO pin_proof;
-- Whether it is of all photos of an event, or of an album, that guests may look at.
ALTER TABLE downloads ADD COLUMN everything BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE downloads SET everything = TRUE WHERE pin_proof IS NOT NULL;
