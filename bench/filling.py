"""Fills an event of a stopped service with copies of its photos, as rows of the database and links to their renditions.

Of each photo some copies keep its faces, turned a little, so that its guests find them; the other copies have faces that nobody
has. Needs numpy; for PostgreSQL psql.
"""
import hashlib
import json
import os
import sqlite3
import subprocess
import time
import uuid
from pathlib import Path

import numpy as np

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
RENDITIONS = ("thumbnail", "medium", "preview")
# Of similarity: a copy's face has about 0.9 with the face that it was made from.
TURN = 0.48
BATCH = 2_000


class Sqlite:
    def __init__(self, data):
        self.connection = sqlite3.connect(Path(data) / "afterglow.db")
        self.connection.row_factory = sqlite3.Row

    def rows(self, statement):
        return [dict(row) for row in self.connection.execute(statement)]

    def insert(self, table, rows):
        columns = list(rows[0])
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        self.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", [list(row.values()) for row in rows])

    def run(self, statement):
        self.connection.execute(statement)

    def bytes_of(self, value):
        return value

    def stored(self, value):
        return value

    def close(self):
        self.connection.commit()
        self.connection.execute("ANALYZE")
        self.connection.close()


class Postgres:
    """By psql, whose output is JSON and whose input is that of COPY."""

    def __init__(self, url):
        self.command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", url]

    def psql(self, statement, text=None):
        answer = subprocess.run([*self.command, "-c", statement], input=text, capture_output=True, text=True)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    def rows(self, statement):
        return [json.loads(line) for line in self.psql(f"SELECT row_to_json(found) FROM ({statement}) AS found").splitlines()]

    def insert(self, table, rows):
        lines = "".join("\t".join(map(copied, row.values())) + "\n" for row in rows)
        self.psql(f"COPY {table} ({', '.join(rows[0])}) FROM STDIN", lines)

    def run(self, statement):
        self.psql(statement)

    def bytes_of(self, value):
        return bytes.fromhex(value.removeprefix("\\x"))

    def stored(self, value):
        return "\\x" + value.hex()

    def close(self):
        self.run("ANALYZE")


def copied(value):
    """A value as COPY's text format has it."""
    if value is None:
        return "\\N"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def stem_of(key):
    """`originals/STEM.jpg` -> STEM."""
    return key.split("/", 1)[1].rsplit(".", 1)[0]


def rendition(kind, stem, photo):
    """The rendition's key, as crates/domain/src/photos.rs derives it."""
    digest = hashlib.sha256(f"{kind}s/{stem}".encode()).digest()
    return f"{kind}s/" + "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest) + f"-{photo}.jpg"


def in_folder(key):
    """Where a media store in a folder has the file of a key (crates/media/src/stores/names.rs); a bucket has it under the key."""
    folder, name = key.split("/")
    return f"{folder}/{name[:2]}/{name}"


def photo_id(milliseconds, random):
    """A UUID of version 7 (RFC 9562): photos are listed by time."""
    value = milliseconds << 80 | 7 << 76 | int.from_bytes(random.bytes(10), "big") & ~(0xF << 76)
    return str(uuid.UUID(int=value & ~(0b11 << 62) | 0b10 << 62))


def copy(database, event, count, media=None, similar=0, place=in_folder):
    """Adds copies until the event has `count` photos: `similar` of each photo with its faces, turned a little, and others with
    faces of nobody. `media` is the folder of the media store, if renditions and originals shall be there, and `place` tells the path of
    a key in it. Returns how many faces came."""
    # Each event's copies are its own, and the same again.
    random = np.random.default_rng(uuid.UUID(event).int)
    photos = database.rows(f"SELECT * FROM photos WHERE event_id = '{event}' AND status = 'ready' ORDER BY id")
    faces = {}
    for face in database.rows(f"SELECT * FROM faces WHERE event_id = '{event}'"):
        faces.setdefault(face["photo_id"], []).append(face)
    # Without them the service would read every original first, since no guest gets one with its position.
    of_event = f"SELECT id FROM photos WHERE event_id = '{event}'"
    redactions = {row["photo_id"]: row for row in database.rows(f"SELECT * FROM redactions WHERE photo_id IN ({of_event})")}
    missing = count - len(photos)
    started = int(time.time() * 1000) - 86_400_000
    turned = [photo for photo in photos for _ in range(similar)][:missing]
    others = [photos[at % len(photos)] for at in range(missing - len(turned))]
    new_photos, new_faces, new_redactions, added, size = [], [], [], 0, 0

    def flush():
        for table, rows in ("photos", new_photos), ("faces", new_faces), ("redactions", new_redactions):
            if rows:
                database.insert(table, rows)
            rows.clear()

    for at, photo in enumerate([*turned, *others]):
        new = photo_id(started + at, random)
        stem = f"{random.bytes(16).hex()}-{new}"
        suffix = photo["media_key"].rsplit(".", 1)[1]
        key = f"originals/{stem}.{suffix}"
        # Names as cameras give them: hardly two photos of an event have the same.
        own = {"id": new, "media_key": key, "content_hash": database.stored(random.bytes(32)), "original_filename": f"IMG_{at:06}.JPG"}
        new_photos.append(photo | own)
        if photo["id"] in redactions:
            new_redactions.append(redactions[photo["id"]] | {"photo_id": new})
        for face in faces.get(photo["id"], []):
            embedding = np.frombuffer(database.bytes_of(face["embedding"]), "<f4")
            noise = random.normal(size=len(embedding)).astype("<f4")
            noise /= np.linalg.norm(noise)
            embedding = embedding + TURN * noise if at < len(turned) else noise
            embedding = (embedding / np.linalg.norm(embedding)).astype("<f4")
            new_faces.append(face | {"id": str(uuid.UUID(bytes=random.bytes(16), version=4)), "photo_id": new,
                                     "embedding": database.stored(embedding.tobytes())})
            added += 1
        size += photo["size_bytes"]
        if media:
            link(media, place, photo, new, key, stem)
        if len(new_photos) == BATCH:
            flush()
    flush()
    database.run(
        f"UPDATE events SET photos_stored = photos_stored + {missing}, photos_indexed = photos_indexed + {missing}, "
        f"photos_uploaded = photos_uploaded + {missing}, faces_stored = faces_stored + {added}, "
        f"bytes_stored = bytes_stored + {size} WHERE id = '{event}'"
    )
    return added


def link(media, place, photo, new, key, stem):
    pairs = [(photo["media_key"], key)]
    pairs += [(rendition(kind, stem_of(photo["media_key"]), photo["id"]), rendition(kind, stem, new)) for kind in RENDITIONS]
    for source, target in pairs:
        source, target = Path(media, place(source)), Path(media, place(target))
        target.parent.mkdir(parents=True, exist_ok=True)
        os.link(source, target)
