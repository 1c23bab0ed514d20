-- The size of the preview, which is offered as the web size. NULL until it is made, and for photos indexed before the column
-- was there until somebody asks.
ALTER TABLE photos ADD COLUMN preview_bytes BIGINT;
