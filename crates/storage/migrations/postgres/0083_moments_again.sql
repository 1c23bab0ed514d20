-- The moment of capture was lost where anything else in a file's EXIF could not be read, and was not looked for in XMP and IPTC;
-- and what clocks say that were never set was taken for one (decision 0074). Such photos are read again in the background.
UPDATE photos SET described = FALSE
 WHERE captured_at = 9223372036854775807 OR captured_at < 31536000000
    OR captured_at BETWEEN 315532800000 AND 315532859999
    OR captured_at BETWEEN 946684800000 AND 946684859999
    OR captured_at BETWEEN 1039348800000 AND 1039348800999;
UPDATE trashed_photos SET described = FALSE
 WHERE captured_at = 9223372036854775807 OR captured_at < 31536000000
    OR captured_at BETWEEN 315532800000 AND 315532859999
    OR captured_at BETWEEN 946684800000 AND 946684859999
    OR captured_at BETWEEN 1039348800000 AND 1039348800999;
