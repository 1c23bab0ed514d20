-- The setting has one name, in calls, code and columns.
ALTER TABLE events RENAME COLUMN subscriptions_allowed TO tells_guests;
