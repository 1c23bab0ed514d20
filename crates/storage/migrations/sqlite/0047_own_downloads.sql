-- ZIPs of photos that their photographer has chosen in the gallery: under the names of the files, with those that guests do not
-- see, and never the results of a search.
ALTER TABLE downloads ADD COLUMN chosen_by_owner BOOLEAN NOT NULL DEFAULT false;

-- How often guests have saved a photo, alone or in a ZIP, since this is counted.
ALTER TABLE photos ADD COLUMN downloads BIGINT NOT NULL DEFAULT 0;
ALTER TABLE trashed_photos ADD COLUMN downloads BIGINT NOT NULL DEFAULT 0;
