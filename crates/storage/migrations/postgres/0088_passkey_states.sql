-- What the library that verifies passkeys keeps between a question and its answer, as JSON. Those that wait have none, and are
-- drawn again at the next try.
DELETE FROM passkey_challenges;
ALTER TABLE passkey_challenges ADD COLUMN state TEXT NOT NULL;
