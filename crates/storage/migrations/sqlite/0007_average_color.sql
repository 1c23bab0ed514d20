-- The average color of the picture, 0xRRGGBB, which stands in its place while it loads. NULL until the photo is indexed,
-- and for photos indexed before the column was there.
ALTER TABLE photos ADD COLUMN average_color BIGINT;
