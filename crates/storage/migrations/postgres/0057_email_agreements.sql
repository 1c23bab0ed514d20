-- How far a change of address is; both say nothing where no address is pending. A change that was asked for without the
-- password needs the agreement of the address in force; those that are pending already came with it.
ALTER TABLE users ADD COLUMN pending_confirmed BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE users ADD COLUMN pending_needs_agreement BOOLEAN NOT NULL DEFAULT FALSE;
-- The address to which a link agrees; NULL for every other purpose.
ALTER TABLE mailed_links ADD COLUMN new_email TEXT;
