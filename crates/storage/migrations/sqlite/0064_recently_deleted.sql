-- Until when a deleted event can be restored; its photos are in the trash by then. None for events that were deleted before.
ALTER TABLE events ADD COLUMN restorable_until BIGINT;
-- While the photos of a restored event come back: when they were deleted.
ALTER TABLE events ADD COLUMN restoring_since BIGINT;
CREATE INDEX events_restorable ON events (restorable_until) WHERE restorable_until IS NOT NULL;
CREATE INDEX events_restoring ON events (id) WHERE restoring_since IS NOT NULL;
