-- PostgreSQL takes the columns of a unique constraint for ones that a foreign key can refer to: an update of them waits for
-- every transaction with a row that refers to the account, which a transaction that has locked the account already must not.
-- A partial index is unique as well and is not taken for that.
ALTER TABLE users DROP CONSTRAINT users_email_key_key;
CREATE UNIQUE INDEX users_by_email_key ON users (email_key) WHERE email_key IS NOT NULL;
