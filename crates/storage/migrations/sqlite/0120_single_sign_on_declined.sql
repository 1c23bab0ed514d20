-- When the owner of an account unlinked single sign-on: its address alone links it no more. NULL until then, and again once the owner
-- has linked it from the account.
ALTER TABLE users ADD COLUMN single_sign_on_declined_at BIGINT;
