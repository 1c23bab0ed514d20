-- The tokens that a download was chosen from, and those which these were chosen from: all are one guest's, so that a report
-- by any of them counts once. Downloads of an earlier version have none.
CREATE TABLE download_sources (
    download_hash BLOB NOT NULL REFERENCES downloads (hash) ON DELETE CASCADE,
    source_hash   BLOB NOT NULL REFERENCES downloads (hash) ON DELETE CASCADE,
    PRIMARY KEY (download_hash, source_hash)
);
CREATE INDEX download_sources_by_source ON download_sources (source_hash);
