-- What a file does not tell stays when it is read again: the moment of a file that an edited version without one has replaced. So
-- what clocks say that were never set (0083) goes here, since reading the file again does not take it away any more.
UPDATE photos SET captured_at = 9223372036854775807
 WHERE captured_at < 31536000000
    OR captured_at BETWEEN 315532800000 AND 315532859999
    OR captured_at BETWEEN 946684800000 AND 946684859999
    OR captured_at BETWEEN 1039348800000 AND 1039348800999;
UPDATE trashed_photos SET captured_at = 9223372036854775807
 WHERE captured_at < 31536000000
    OR captured_at BETWEEN 315532800000 AND 315532859999
    OR captured_at BETWEEN 946684800000 AND 946684859999
    OR captured_at BETWEEN 1039348800000 AND 1039348800999;
