-- For statements that read the whole of these tables until now.
CREATE INDEX events_being_deleted ON events (deleting_since) WHERE deleting_since IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX subscriptions_unconfirmed ON subscriptions (created_at) WHERE confirmed_at IS NULL;
CREATE INDEX subscriptions_by_confirmation ON subscriptions (confirmed_at);
