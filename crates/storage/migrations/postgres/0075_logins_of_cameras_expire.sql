-- When the login of a camera expires. NULL for those that do not: the ones that were made before, and those that were meant so.
ALTER TABLE ftp_logins ADD COLUMN expires_at BIGINT;
