-- ZIPs of all photos of an event, or of an album, that guests may look at: the proof of the PIN with which guests were let in when
-- it was made, empty where the event asked for none. NULL for whatever else a token stands for, the results of a search first of all.
ALTER TABLE downloads ADD COLUMN browsed_with TEXT;
