-- A session that a change of the password ended is remembered until it expires, so that its user can be told why.
ALTER TABLE sessions ADD COLUMN password_changed_at BIGINT;
