"""The copies that benchmarks fill events with."""
import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import filling

EVENT = "01a20000-0000-7000-8000-000000000001"
PHOTO = "01a20000-0000-7000-8000-000000000002"
SCHEMA = """
CREATE TABLE events (id TEXT PRIMARY KEY, photos_stored INT, photos_indexed INT, photos_uploaded INT, faces_stored INT, bytes_stored INT);
CREATE TABLE photos (id TEXT PRIMARY KEY, event_id TEXT, status TEXT, media_key TEXT UNIQUE, content_hash BLOB UNIQUE, size_bytes INT,
    original_filename TEXT UNIQUE);
CREATE TABLE redactions (photo_id TEXT PRIMARY KEY, rules INT, crc32 INT, patches BLOB);
CREATE TABLE faces (id TEXT PRIMARY KEY, photo_id TEXT, event_id TEXT, embedding BLOB);
"""


class Filling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        embedding = np.zeros(192, "<f4")
        embedding[0] = 1
        connection = sqlite3.connect(self.folder / "afterglow.db")
        connection.executescript(SCHEMA)
        connection.execute("INSERT INTO events VALUES (?, 1, 1, 1, 1, 10)", [EVENT])
        connection.execute("INSERT INTO photos VALUES (?, ?, 'ready', 'originals/stem.jpg', X'00', 10, 'a.jpg')", [PHOTO, EVENT])
        connection.execute("INSERT INTO redactions VALUES (?, 1, 7, X'0102')", [PHOTO])
        connection.execute("INSERT INTO faces VALUES ('face', ?, ?, ?)", [PHOTO, EVENT, embedding.tobytes()])
        connection.commit()
        connection.close()

    def fill(self, count, **more):
        database = filling.Sqlite(self.folder)
        added = filling.copy(database, EVENT, count, **more)
        database.close()
        connection = sqlite3.connect(self.folder / "afterglow.db")
        self.addCleanup(connection.close)
        return added, connection

    def test_some_copies_look_like_the_photo_and_the_others_like_nobody(self):
        added, connection = self.fill(50, similar=12)
        self.assertEqual(added, 49)
        self.assertEqual(connection.execute("SELECT * FROM events").fetchone(), (EVENT, 50, 50, 50, 50, 500))
        rows = connection.execute("SELECT embedding FROM faces WHERE id <> 'face'").fetchall()
        found = np.stack([np.frombuffer(row[0], "<f4") for row in rows])
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
        likeness = np.sort(found[:, 0])
        self.assertTrue((likeness[-12:] > 0.8).all(), likeness)
        self.assertTrue((likeness[:-12] < 0.4).all(), likeness)

    def test_a_copy_is_as_ready_for_guests_as_its_photo(self):
        _, connection = self.fill(50)
        rows = connection.execute("SELECT rules, crc32, patches FROM redactions JOIN photos ON photos.id = photo_id").fetchall()
        self.assertEqual(rows, [(1, 7, b"\1\2")] * 50)

    def test_the_files_of_a_copy_are_those_of_the_photo_under_its_own_names(self):
        def keys(original, photo):
            stem = filling.stem_of(original)
            return [original, *(filling.rendition(kind, stem, photo) for kind in filling.RENDITIONS)]

        for name, place in (("folder", filling.in_folder), ("bucket", lambda key: key)):
            media = self.folder / name
            for key in keys("originals/stem.jpg", PHOTO):
                (media / place(key)).parent.mkdir(parents=True)
                (media / place(key)).write_text(key.split("/")[0])
        self.assertTrue((self.folder / "folder/originals/st/stem.jpg").exists())
        for name, place in (("folder", filling.in_folder), ("bucket", lambda key: key)):
            media = self.folder / name
            _, connection = self.fill(3, media=media, place=place)
            photos = connection.execute("SELECT id, media_key FROM photos").fetchall()
            self.assertEqual(len(photos), 3)
            for photo, original in photos:
                found = [(media / place(key)).read_text() for key in keys(original, photo)]
                self.assertEqual(found, ["originals", "thumbnails", "mediums", "previews"])
            # The copies of an event are the same each time.
            connection.execute("DELETE FROM photos WHERE id <> ?", [PHOTO])
            connection.execute("DELETE FROM faces WHERE photo_id <> ?", [PHOTO])
            connection.commit()

    def test_values_are_written_as_copy_reads_them(self):
        told = [filling.copied(value) for value in (None, True, 1.5, "a\tb\\c\n", "\\x00ff")]
        self.assertEqual(told, ["\\N", "true", "1.5", "a\\tb\\\\c\\n", "\\\\x00ff"])


if __name__ == "__main__":
    unittest.main()
