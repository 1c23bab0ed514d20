-- What the library that verifies passkeys keeps between a question and its answer, as JSON; empty for those that waited for an
-- answer at the upgrade, which are asked again.
ALTER TABLE passkey_challenges ADD COLUMN state TEXT NOT NULL DEFAULT '';
