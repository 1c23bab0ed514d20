-- Galleries in memory follow `revision`, which numbers the changes of what a search finds. `removals` counts those after
-- which they are read from the beginning: faces were taken away, or hidden ones are shown again.
ALTER TABLE events ADD COLUMN removals BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN removals BIGINT NOT NULL DEFAULT 0;
-- The revision of the event, and of the owner, with which a face came. It came before this was recorded: 0.
ALTER TABLE faces ADD COLUMN event_change BIGINT NOT NULL DEFAULT 0;
ALTER TABLE faces ADD COLUMN owner_change BIGINT NOT NULL DEFAULT 0;

DROP INDEX faces_by_event;
DROP INDEX faces_by_owner;
CREATE INDEX faces_by_event ON faces (event_id, pack, event_change, id);
CREATE INDEX faces_by_owner ON faces (owner_id, pack, owner_change, id);
