-- The language of mails to an account, a tag of BCP 47 (decision 0103). All mails to photographers were in English before.
ALTER TABLE users ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
