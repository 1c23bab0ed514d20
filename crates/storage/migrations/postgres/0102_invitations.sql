-- What the photographer sends to guests with the link, and the tag of the language that it is in; NULL for the usual words.
ALTER TABLE events ADD COLUMN invitation_language TEXT;
ALTER TABLE events ADD COLUMN invitation_text TEXT;
