-- Whether a request to hide photos waits for the photographer: it is about many. Until then it hides none.
ALTER TABLE objections ADD COLUMN waits BOOLEAN NOT NULL DEFAULT false;
-- When the photographer was last reminded of a request that waits.
ALTER TABLE objections ADD COLUMN reminded_at BIGINT;
-- The request that waits for whose time this one holds: until it is decided the person is not found. NULL for requests of their
-- own.
ALTER TABLE objections ADD COLUMN provisional_for TEXT;
CREATE INDEX objections_waiting ON objections (event_id) WHERE waits;
