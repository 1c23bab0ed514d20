-- Who has made the login of a camera, which ends with their right to make one. NULL for the logins of an earlier version, which kept
-- nobody.
ALTER TABLE ftp_logins ADD COLUMN made_by TEXT COLLATE "C" REFERENCES users (id);
CREATE INDEX ftp_logins_by_maker ON ftp_logins (made_by);
