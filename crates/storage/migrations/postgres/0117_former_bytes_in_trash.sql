-- An upload asks whether a deleted photo that comes back with its event had these bytes before it was replaced.
CREATE INDEX trashed_replaced_files_by_hash ON trashed_replaced_files (content_hash);
