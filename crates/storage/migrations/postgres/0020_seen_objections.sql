-- When the photographer has seen the request in the application; NULL until then.
ALTER TABLE objections ADD COLUMN seen_at BIGINT;
