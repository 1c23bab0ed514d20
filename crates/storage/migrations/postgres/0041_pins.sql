-- What the guests of an event enter before they can search: 4 to 8 digits; NULL where the link is enough. As it is, since its
-- photographer reads it again.
ALTER TABLE events ADD COLUMN pin TEXT;
