-- What was last seen of the clock, so that a jump is noticed, and until when nothing is removed after one.
CREATE TABLE clock_watch (
    name TEXT PRIMARY KEY CHECK (name = 'clock'),
    seen_at BIGINT NOT NULL,
    jumped_from BIGINT,
    jumped_to BIGINT,
    held_until BIGINT
);
