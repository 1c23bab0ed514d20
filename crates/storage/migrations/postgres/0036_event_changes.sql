-- The zone whose days an event's days are, by its IANA name; NULL for UTC.
ALTER TABLE events ADD COLUMN time_zone TEXT;
-- The day (YYYY-MM-DD) on which the photographer wants the photos removed, and when it begins in that zone.
ALTER TABLE events ADD COLUMN expires_on TEXT;
ALTER TABLE events ADD COLUMN chosen_expiry BIGINT;
-- The photo that guests see instead of the drawn sky. It counts for as long as the photo is there, and is not hidden.
ALTER TABLE events ADD COLUMN cover_photo TEXT;
