-- Logins by which cameras send the photos of an event over FTP. An event has at most one.
CREATE TABLE ftp_logins (
    event_id     TEXT NOT NULL PRIMARY KEY REFERENCES events (id),
    name         TEXT NOT NULL,
    hash         BLOB NOT NULL,
    created_at   BIGINT NOT NULL,
    -- NULL until it is used; afterwards to a minute.
    last_used_at BIGINT
);
CREATE UNIQUE INDEX ftp_logins_by_name ON ftp_logins (name);
