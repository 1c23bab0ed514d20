-- How many photos of an event stand behind others of their stacks is counted in it.
CREATE INDEX photos_moments ON photos (event_id, stack_id) WHERE stack_id IS NOT NULL;
