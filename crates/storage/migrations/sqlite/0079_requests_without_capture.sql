-- Whether it was made without a live capture, so that nobody has shown to be the person: it waits for the photographer. Requests of
-- before, when none was asked for, are not marked.
ALTER TABLE objections ADD COLUMN without_capture BOOLEAN NOT NULL DEFAULT false;
