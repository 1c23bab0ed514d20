#!/usr/bin/env python3
"""Measures what each request costs at events of 1,000, 10,000 and 100,000 photos and on servers of 10, 1,000 and 10,000 events.

    growth.py [--binary PATH] [--photos 1000 10000 100000] [--events 10 1000 10000] [--rounds 60] [--engines sqlite postgres]

Starts the release binary in a temporary folder, indexes a few photos in one event of each size, and fills the events with rows
like theirs, with faces of nobody. Then it asks for each endpoint at each event in turn, one request at a time over a connection that
is kept alive, and prints p50, p95 and p99, the ratio of the medians of the largest and the smallest event, and on PostgreSQL for each
request the statements, the rows that they returned and the pages of 8 kB that they looked at (pg_stat_statements).

Needs Linux and numpy, and for PostgreSQL a server's programs (Debian: postgresql).
"""
import argparse
import http.client
import json
import os
import statistics
import tempfile
import time
import uuid
from pathlib import Path
from urllib.parse import urlsplit

import filling
import postgres
from event import Client, sign_up_photographer
from files import Service
from load import NOTICE, commented, form

COUNTS = (
    "SELECT COALESCE(sum(calls), 0) AS statements, COALESCE(sum(rows), 0) AS returned,"
    " COALESCE(sum(shared_blks_hit + shared_blks_read), 0) AS pages FROM pg_stat_statements"
    # Those of this script.
    " WHERE query NOT LIKE '%pg_stat_statements%'"
)


class Event:
    """An event, its photographer, and what is asked about it."""

    def __init__(self, service, options, data, size):
        self.size = size
        self.client = Client(f"http://{service.address}")
        sign_up_photographer(self.client, data, 10_000, options.binary.resolve(), service.settings)
        self.event = self.client.call("POST", "/api/events/", {"name": f"Of {size}", "date": "2030-01-01"})[1]
        for picture in sorted(options.pictures.glob("*.jpg")):
            # Each event has bytes of its own.
            status, answer = self.upload(commented(picture.read_bytes(), str(uuid.uuid4())))
            assert status == 201, answer

    def upload(self, photo):
        path = Path(tempfile.gettempdir(), f"growth-{os.getpid()}.jpg")
        path.write_bytes(photo)
        try:
            return self.client.call("POST", "/api/photos/upload", form=[("event_id", self.event["id"]), ("photos", path)])
        finally:
            path.unlink()

    def indexed(self):
        return self.client.call("GET", f"/api/events/{self.event['slug']}")[1]["indexing"]["indexed"]

    def endpoints(self, selfie):
        slug, event = self.event["slug"], self.event["id"]
        token = {"Authorization": f"Bearer {self.client.token}"}
        parts = {"Content-Type": "multipart/form-data; boundary=load"}
        search = form([("image", "selfie.jpg", selfie), ("notice_version", None, NOTICE)])
        _, page = self.client.call("GET", f"/api/photos/search?event_id={event}&limit=50")
        photo = page["photos"][0]
        link = urlsplit(photo["thumbnail_url"])
        serial = iter(range(1_000_000))

        def upload():
            body = form([("photos", "new.jpg", commented(selfie, f"{uuid.uuid4()} {next(serial)}")), ("event_id", None, event.encode())])
            return "POST", "/api/photos/upload", body, token | parts

        get = lambda path, headers=(): lambda: ("GET", path, None, dict(headers))
        return {
            "guest: page": get(f"/event/{slug}"),
            "guest: event": get(f"/api/events/{slug}"),
            "guest: search": lambda: ("POST", f"/api/face/search/{slug}", search, parts),
            "guest: thumbnail": get(f"{link.path}?{link.query}" if link.query else link.path),
            "list of events": get("/api/events/", token),
            "gallery, first page": get(f"/api/photos/search?event_id={event}&limit=50", token),
            "gallery, next page": get(f"/api/photos/search?event_id={event}&limit=50&cursor={page['next_cursor']}", token),
            "gallery, by name": get(f"/api/photos/search?event_id={event}&filename={photo['filename']}&limit=50", token),
            "all photos": get("/api/photos/search?limit=50", token),
            "faces of a photo": get(f"/api/photos/{photo['id']}/faces", token),
            "number of photos": get("/api/photos/count", token),
            "analytics": get("/api/events/analytics", token),
            "credits": get("/api/subscription/credits", token),
            "money history": get("/api/payments/history", token),
            "upload": upload,
        }


def ask(connection, request):
    method, path, body, headers = request
    began = time.perf_counter()
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    answer = response.read()
    took = time.perf_counter() - began
    assert response.status in (200, 201), (path, response.status, answer[:300])
    return took * 1000


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def settings_of(engine, folder):
    if engine == "sqlite":
        return {}, None
    server = postgres.Server(folder / "postgres")
    filling.Postgres(server.url).run("CREATE EXTENSION pg_stat_statements")
    return {"AFTERGLOW_DATABASE_URL": server.url}, server


def counted(database):
    return database.rows(COUNTS)[0]


def measure(options, engine, service, events, selfie):
    """By endpoint and size: the times, and on PostgreSQL what one request costs there."""
    database = None if engine == "sqlite" else filling.Postgres(service.settings["AFTERGLOW_DATABASE_URL"])
    host, port = service.address.split(":")
    connection = http.client.HTTPConnection(host, int(port))
    for event in events:
        # It has started since, on another port.
        event.client.server = f"http://{service.address}"
    asked = {event.size: event.endpoints(selfie) for event in events}
    times, costs = {}, {}
    for name in asked[events[0].size]:
        for size in asked:
            # The first brings the event into the caches.
            ask(connection, asked[size][name]())
        # In turn, so that what else the machine does concerns all sizes alike.
        for _ in range(options.rounds):
            for size in asked:
                times.setdefault((name, size), []).append(ask(connection, asked[size][name]()))
        for size in asked if database else ():
            before = counted(database)
            for _ in range(10):
                ask(connection, asked[size][name]())
            after = counted(database)
            costs[name, size] = {key: (after[key] - before[key]) / 10 for key in after}
    return times, costs


def table(title, sizes, times, costs):
    print(f"\n{title}")
    print(f"{'endpoint':22}" + "".join(f"{f'{size:,}':>9} p50    p95    p99 ms" for size in sizes) + "   ratio  statements, rows, pages")
    for name in dict.fromkeys(name for name, _ in times):
        line = f"{name:22}"
        for size in sizes:
            took = times[name, size]
            line += f"{statistics.median(took):13.2f} {percentile(took, .95):6.1f} {percentile(took, .99):6.1f}   "
        line += f"{statistics.median(times[name, sizes[-1]]) / statistics.median(times[name, sizes[0]]):7.2f}  "
        told = [costs[name, size] for size in (sizes[0], sizes[-1]) if (name, size) in costs]
        print(line + " → ".join(f"{cost['statements']:.1f}, {cost['returned']:.1f}, {cost['pages']:.0f}" for cost in told), flush=True)


def more_events(database, template, count):
    """Events without photos, of the template's owner's neighbours: one owner for every ten of them."""
    event = database.rows(f"SELECT * FROM events WHERE id = '{template}'")[0]
    user = database.rows(f"SELECT * FROM users WHERE id = '{event['owner_id']}'")[0]
    empty = {name: 0 for name in ("photos_stored", "photos_indexed", "photos_failed", "photos_uploaded", "faces_stored", "bytes_stored")}
    users, events = [], []
    for at in range(count):
        if at % 10 == 0:
            owner = str(uuid.uuid4())
            users.append(user | {"id": owner, "email": f"{owner}@example.com", "email_key": f"{owner}@example.com"})
        events.append(event | empty | {"id": str(uuid.uuid4()), "owner_id": owner, "slug": uuid.uuid4().hex})
    database.insert("users", users)
    database.insert("events", events)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/dist/afterglow"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--pictures", type=Path, default=Path(".cache/pictures"))
    parser.add_argument("--photos", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--events", type=int, nargs="+", default=[10, 1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--engines", nargs="+", default=["sqlite", "postgres"])
    options = parser.parse_args()
    selfie = (options.pictures / "obama.jpg").read_bytes()
    for engine in options.engines:
        with tempfile.TemporaryDirectory(prefix="afterglow-growth-") as name:
            folder = Path(name)
            folder.chmod(0o755)
            grow(options, engine, folder, selfie)


def grow(options, engine, folder, selfie):
    data = folder / "data"
    settings, server = settings_of(engine, folder)
    service = Service(options, folder, data, "first", **settings)
    try:
        events = [Event(service, options, data, size) for size in options.photos]
        real = len(list(options.pictures.glob("*.jpg")))
        while any(event.indexed() < real for event in events):
            time.sleep(0.2)
        service.stop()
        database = filling.Sqlite(data) if engine == "sqlite" else filling.Postgres(server.url)
        for event in events:
            filling.copy(database, event.event["id"], event.size)
        database.close()
        # Nothing is indexed while it is measured.
        service = Service(options, folder, data, "second", command=("serve", "--no-worker"), **settings)
        table(f"{engine}: events of {options.photos} photos", options.photos, *measure(options, engine, service, events, selfie))

        times, costs, here = {}, {}, len(events)
        for count in options.events:
            service.stop()
            database = filling.Sqlite(data) if engine == "sqlite" else filling.Postgres(server.url)
            more_events(database, events[0].event["id"], count - here)
            database.close()
            here = count
            service = Service(options, folder, data, f"of-{count}", command=("serve", "--no-worker"), **settings)
            found, cost = measure(options, engine, service, events[:1], selfie)
            times |= {(name, count): took for (name, _), took in found.items()}
            costs |= {(name, count): told for (name, _), told in cost.items()}
        table(f"{engine}: servers of {options.events} events, asked for one of {options.photos[0]:,} photos", options.events, times, costs)
    finally:
        service.stop()
        if server:
            server.stop()


if __name__ == "__main__":
    main()
