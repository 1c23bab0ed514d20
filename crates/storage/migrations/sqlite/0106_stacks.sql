-- Whether photos of an event that are alike are put together.
ALTER TABLE events ADD COLUMN stacks_photos BOOLEAN NOT NULL DEFAULT FALSE;
-- The photo of the stack that was uploaded first, and the place in it; NULL for a photo that is like no other. A deleted photo has none.
ALTER TABLE photos ADD COLUMN stack_id TEXT;
ALTER TABLE photos ADD COLUMN stack_place BIGINT;
ALTER TABLE trashed_photos ADD COLUMN stack_id TEXT;
ALTER TABLE trashed_photos ADD COLUMN stack_place BIGINT;
-- Whether somebody has chosen it to stand for its stack.
ALTER TABLE photos ADD COLUMN stack_chosen BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE trashed_photos ADD COLUMN stack_chosen BOOLEAN NOT NULL DEFAULT FALSE;
-- Whether it was measured since it was last compared with others.
ALTER TABLE photos ADD COLUMN stack_due BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX photos_stack_due ON photos (event_id) WHERE stack_due;
CREATE INDEX photos_stack_chosen ON photos (event_id, id) WHERE stack_chosen;
CREATE INDEX photos_stacked ON photos (stack_id) WHERE stack_id IS NOT NULL;
CREATE INDEX events_stacking ON events (id) WHERE stacks_photos;
