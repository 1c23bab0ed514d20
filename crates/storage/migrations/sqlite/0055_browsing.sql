-- Whether guests of an event may look at all of its photos. A search by selfie is the only way until its photographer says so.
ALTER TABLE events ADD COLUMN browsable BOOLEAN NOT NULL DEFAULT FALSE;
-- Photos that no guest sees, whose number is taken from that of all; few, once an event is indexed.
CREATE INDEX photos_unseen ON photos (event_id) WHERE status <> 'ready' OR hidden;

-- How often guests began to look at all photos on a day, and how many hearts they gave.
ALTER TABLE activity ADD COLUMN browsed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE activity ADD COLUMN hearts BIGINT NOT NULL DEFAULT 0;
