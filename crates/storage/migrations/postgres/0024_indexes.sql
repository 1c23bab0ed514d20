-- For statements that read the whole of these tables until now.
CREATE INDEX events_being_deleted ON events (deleting_since) WHERE deleting_since IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX subscriptions_unconfirmed ON subscriptions (created_at) WHERE confirmed_at IS NULL;
CREATE INDEX subscriptions_by_confirmation ON subscriptions (confirmed_at);
-- Ids are compared byte by byte, as everywhere: with another collation than the one of the column that they are compared
-- with, no index of them is of use.
ALTER TABLE redactions ALTER COLUMN photo_id TYPE TEXT COLLATE "C";
ALTER TABLE jobs ALTER COLUMN photo_id TYPE TEXT COLLATE "C";
ALTER TABLE jobs ALTER COLUMN lane TYPE TEXT COLLATE "C";
ALTER TABLE ledger ALTER COLUMN reference TYPE TEXT COLLATE "C";
ALTER TABLE exports ALTER COLUMN user_id TYPE TEXT COLLATE "C";
ALTER TABLE known_networks ALTER COLUMN user_id TYPE TEXT COLLATE "C";
ALTER TABLE mail_requests ALTER COLUMN id TYPE TEXT COLLATE "C";
