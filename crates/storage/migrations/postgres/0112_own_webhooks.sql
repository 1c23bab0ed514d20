-- Webhooks of photographers beside those of operators (decision 0102): whose an endpoint is; NULL for the operators'.
ALTER TABLE webhook_endpoints ADD COLUMN owner_id TEXT COLLATE "C" REFERENCES users (id) ON DELETE CASCADE;
CREATE INDEX webhook_endpoints_by_owner ON webhook_endpoints (owner_id, id);
