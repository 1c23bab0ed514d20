-- What guests see of who took their photos. A photographer without a studio has no row.
CREATE TABLE studios (
    user_id   TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id),
    name      TEXT NOT NULL,
    -- #rrggbb; NULL for the design's own colour.
    accent    TEXT,
    website   TEXT,
    -- Without the @.
    instagram TEXT,
    -- A mail address or a phone number, as it was entered.
    contact   TEXT
);
