-- How many guests said that it shows somebody else than them.
ALTER TABLE photos ADD COLUMN not_me_reports BIGINT NOT NULL DEFAULT 0;

-- Which photos of a download were reported, so that each counts once. It goes with the download.
CREATE TABLE not_me_reports (
    download_hash BYTEA NOT NULL REFERENCES downloads (hash) ON DELETE CASCADE,
    photo_id      TEXT COLLATE "C" NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    PRIMARY KEY (download_hash, photo_id)
);
CREATE INDEX not_me_reports_by_photo ON not_me_reports (photo_id);
