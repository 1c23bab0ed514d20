-- The check of a foreign key locks the row that it refers to. An upload inserts its photo before it locks its event, so that
-- the check of its owner would come before the event, against the order of locks: who closes an account has locked its events,
-- and waits for the owner's row. Now the owner is checked at the commit, after all else.
ALTER TABLE photos ALTER CONSTRAINT photos_owner_id_fkey DEFERRABLE INITIALLY DEFERRED;
