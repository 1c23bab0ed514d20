-- For how many days the photographer wants the photos kept, 0 for ever; NULL where the installation's own period counts, as it did
-- for all events.
ALTER TABLE events ADD COLUMN keep_days BIGINT;
