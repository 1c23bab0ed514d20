#!/usr/bin/env python3
"""Times each migration on a database with many photos.

    migrations.py [--photos 1000000] [--from 34] [--engines sqlite postgres] [--slowest 15]

Makes the schema that earlier migrations make, as a stopped service of that version has it, fills it with one owner's events of 20,000
photos each, faces, redactions, the ledger and finished jobs, and applies the migrations after it one by one, each in a transaction
of its own as the service does. Prints a table of those that take longest, and the sum. A start waits for that sum.

Needs for PostgreSQL a server's programs (Debian: postgresql). A million photos are 2 GB in either engine.
"""
import argparse
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import postgres

FOLDER = Path(__file__).resolve().parent.parent / "crates/storage/migrations"
OWNER = "00000001-0000-7000-8000-100000000000"
EVENT_SIZE = 20_000


def identifier(kind, number="n"):
    return f"'0000000{kind}-0000-7000-8000-' || CAST(100000000000 + {number} AS TEXT)"


def filling(photos, is_sqlite):
    """Statements for the schema of version 34, in the words of either engine."""
    bytes_of = "CAST({} AS BLOB)" if is_sqlite else "convert_to({}, 'UTF8')"
    content_hash = bytes_of.format("'00000000000000000000' || CAST(100000000000 + n AS TEXT)")
    # 512 bytes, as an embedding has in its stored form.
    embedding = bytes_of.format(f"'{'e' * 512}'")
    event = identifier(2, f"n / {EVENT_SIZE}")
    numbers = f"WITH RECURSIVE numbers (n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {photos - 1})"
    events = f"WITH RECURSIVE numbers (n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {(photos - 1) // EVENT_SIZE})"
    rows = {
        "users (id, email, email_key, name, password_hash, is_photographer, created_at, credits)":
            f"SELECT '{OWNER}', 'a@example.com', 'a@example.com', 'Meera', '', TRUE, 0, 0",
        "events (id, owner_id, name, date, slug, created_at, retained_from)":
            f"{events} SELECT {identifier(2)}, '{OWNER}', 'Sangeet', '2026-11-20', 'sangeet-' || n, n, 0 FROM numbers",
        "photos (id, owner_id, event_id, collection, media_key, content_hash, original_filename, format, size_bytes, width, height,"
        " status, faces, pack, crc32, average_color, preview_bytes, medium_bytes, created_at)":
            f"{numbers} SELECT {identifier(3)}, '{OWNER}', {event}, {event}, 'originals/' || n || '.jpg', {content_hash},"
            " 'DSC_' || n || '.JPG', 'image/jpeg', 5000000, 6000, 4000, 'ready', CASE WHEN n % 2 = 0 THEN 1 ELSE 0 END, 'pack', 1, 1, 1, 1,"
            " n FROM numbers",
        "faces (id, photo_id, event_id, owner_id, pack, event_change, owner_change, x, y, width, height, score, embedding)":
            f"{numbers} SELECT {identifier(4)}, {identifier(3)}, {event}, '{OWNER}', 'pack', n, n, 0, 0, 1, 1, 1, {embedding}"
            " FROM numbers WHERE n % 2 = 0",
        "redactions (photo_id, rules, crc32, patches)":
            f"{numbers} SELECT {identifier(3)}, 1, 1, {content_hash} FROM numbers",
        "ledger (id, user_id, kind, change, balance_after, reference, event_id, created_at)":
            f"{numbers} SELECT {identifier(5)}, '{OWNER}', 'upload', -100, 0, {identifier(3)}, {event}, n * 1000 FROM numbers",
        "jobs (id, kind, payload, state, run_at, attempts, created_at, finished_at, photo_id, lane, turn)":
            f"{numbers} SELECT {identifier(6)}, 'index_photo', '', 'done', n, 1, n, n, {identifier(3)}, {event}, n FROM numbers",
    }
    yield from (f"INSERT INTO {table} {select}" for table, select in rows.items())
    yield (
        "UPDATE events SET photos_stored = (SELECT COUNT(*) FROM photos WHERE event_id = events.id),"
        " photos_indexed = (SELECT COUNT(*) FROM photos WHERE event_id = events.id)"
    )


class Sqlite:
    name = "sqlite"

    def __init__(self, folder):
        self.connection = sqlite3.connect(folder / "afterglow.db", isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            self.connection.execute(f"PRAGMA {pragma}")

    def apply(self, text):
        self.connection.executescript(f"BEGIN;\n{text}\n;COMMIT;")

    def gather_statistics(self):
        """The service has none in SQLite."""

    def close(self):
        self.connection.close()


class Postgres:
    name = "postgres"

    def __init__(self, folder):
        self.server = postgres.Server(folder / "postgres")
        self.command = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction", self.server.url]

    def apply(self, text):
        answer = subprocess.run([*self.command, "-f", "-"], input=text, capture_output=True, text=True)
        assert answer.returncode == 0, answer.stderr

    def gather_statistics(self):
        self.apply("ANALYZE")

    def close(self):
        self.server.stop()


def measure(database, options):
    files = sorted((FOLDER / database.name).glob("*.sql"))
    before = [file for file in files if int(file.name[:4]) <= options.since]
    for file in before:
        database.apply(file.read_text())
    started = time.monotonic()
    for statement in filling(options.photos, database.name == "sqlite"):
        database.apply(statement)
    database.gather_statistics()
    print(f"{database.name}: {options.photos:,} photos written in {time.monotonic() - started:.0f} s", flush=True)
    times = {}
    for file in files[len(before):]:
        started = time.monotonic()
        database.apply(file.read_text())
        times[file.stem] = time.monotonic() - started
        print(f"  {file.stem}: {times[file.stem]:.2f} s", flush=True)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=1_000_000)
    parser.add_argument("--from", type=int, default=34, dest="since", help="the version that the database begins with")
    parser.add_argument("--engines", nargs="+", default=["sqlite", "postgres"], choices=["sqlite", "postgres"])
    parser.add_argument("--slowest", type=int, default=15, help="how many migrations are shown")
    options = parser.parse_args()
    found = {}
    for engine in options.engines:
        with tempfile.TemporaryDirectory(prefix="afterglow-migrations-") as folder:
            # PostgreSQL runs as a user of its own.
            Path(folder).chmod(0o755)
            database = (Sqlite if engine == "sqlite" else Postgres)(Path(folder))
            try:
                found[engine] = measure(database, options)
            finally:
                database.close()
    slowest = sorted({name for times in found.values() for name in times}, key=lambda name: -max(times[name] for times in found.values() if name in times))
    print(f"\n| migration | {' | '.join(found)} |\n|---|{'---|' * len(found)}")
    for name in slowest[: options.slowest]:
        print(f"| {name} | " + " | ".join(f"{times[name]:.1f} s" if name in times else "-" for times in found.values()) + " |")
    print("| all | " + " | ".join(f"{sum(times.values()):.1f} s" for times in found.values()) + " |")


if __name__ == "__main__":
    main()
