-- How often people agreed to which version of the notice about selfies, by day. Nothing in it names a person or an event.
CREATE TABLE consents (
    day      TEXT COLLATE "C" NOT NULL,
    version  TEXT COLLATE "C" NOT NULL,
    searches BIGINT NOT NULL,
    PRIMARY KEY (day, version)
);
