-- What was last seen of the clock, so that a jump is noticed, and until when nothing is removed after one.
CREATE TABLE clock_watch (
    name TEXT NOT NULL PRIMARY KEY,
    seen_at BIGINT NOT NULL,
    jumped_from BIGINT,
    jumped_to BIGINT,
    held_until BIGINT
);
