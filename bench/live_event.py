#!/usr/bin/env python3
"""A live event: guests arrive within a minute at an event of 20,000 photos while more photos arrive and are indexed.

    live_event.py EVENT [--setup embedded|scaled] [--photos 20000] [--guests 1000] [--minutes 1] [--uploads 3]
                        [--uploads-a-second 6] [--no-nginx]

EVENT is as for event.py. The release binary indexes its photos, and the event is filled with copies of them: twelve of each with faces
like theirs, so that guests find some dozens of photos, the rest with faces of nobody. Then Locust lets the guests in, evenly over the
time, each from an address of its own: the page with what it loads, one to three searches, twelve thumbnails four at a time, and three
originals or, a third of them, all in a ZIP. Who is answered 429 or 503 waits as long as Retry-After says and tries again. A photographer
uploads meanwhile, three photos at a time and six a second. Printed are the answers by kind and status with their latencies, how long
guests waited for a search with what was refused and asked again, what the processes themselves say of their answers, their memory, and
how many photos were indexed a second.

`embedded` is one process with SQLite and a folder; after it the guests fetch the same files from nginx. `scaled` is two processes
`serve --no-worker`, two `worker`, PostgreSQL, and an S3 server in a folder; guests take turns with the two.

Everything is bounded and on this machine. Needs Linux, and of Debian nginx-light and postgresql.
"""
# Locust's clients are gevent's: first of all, everything that waits has to yield.
from gevent import monkey

monkey.patch_all()

import argparse
import random
import re
import subprocess
import tempfile
import time
import traceback
import urllib.request
import uuid
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote, urlsplit

import gevent
import gevent.pool
from locust import FastHttpUser, task
from locust.env import Environment
from locust.exception import StopUser

import filling
from event import Client, sign_up_photographer
from files import NGINX, free_port
from live_setups import Embedded, Scaled
from load import NOTICE, commented, form

# Longer than a guest who is told to wait has to: whoever has no answer then is counted as not helped.
TRIES = 60
THUMBNAILS, ORIGINALS = 12, 3
ASSET = re.compile(r'(?:src|href)="(/assets/[^"]+)"')


class Answers:
    """What was answered, by kind and status, in milliseconds."""

    def __init__(self):
        self.took = defaultdict(list)
        self.bytes = 0

    def count(self, kind, status, began, length):
        self.took[kind, status].append((time.perf_counter() - began) * 1000)
        self.bytes += length

    def show(self, title, seconds):
        total = sum(map(len, self.took.values()))
        print(f"\n{title}: {total} answers in {seconds:.0f} s, {total / seconds:.0f} a second, {self.bytes / 1e6 / seconds:.0f} MB a second")
        for (kind, status), took in sorted(self.took.items()):
            took.sort()
            at = lambda part: took[min(len(took) - 1, int(len(took) * part))]
            print(f"  {kind:10} {status or 'none':>4} {len(took):7}  p50 {at(.5):8.1f}  p95 {at(.95):8.1f}  p99 {at(.99):8.1f}  most {took[-1]:8.1f} ms")


class Run:
    """What all guests of a run share."""

    def __init__(self, slug, selfies, hosts, options):
        self.slug, self.selfies, self.hosts = slug, selfies, hosts
        self.guests, self.seconds, self.began = options.guests, 60 * options.minutes, time.monotonic()
        # Of each search that was answered in the end: the seconds since it was first asked for.
        self.waited = []
        self.answers, self.helped, self.gave_up, self.number = Answers(), 0, 0, 0
        # Of each guest, for nginx: the paths that were fetched.
        self.fetched = []
        self.broken = []

    def arrival(self):
        """The next guest's number, when that one arrives. Locust would also replace those who have left while others arrive."""
        if self.number == self.guests:
            raise StopUser
        number, self.number = self.number, self.number + 1
        gevent.sleep(max(0, self.began + self.seconds * number / self.guests - time.monotonic()))
        return number


def read(stream):
    length = 0
    while part := stream.read(1 << 20):
        length += len(part)
    return length


def answered(user, kind, path, **more):
    """Asks until it is neither 429 nor 503; None when that lasts too long."""
    method = more.pop("method", "GET")
    for _ in range(TRIES):
        began = time.perf_counter()
        # What is large is read and dropped, as a browser writes it to a file: the driver has the processors of the service.
        streamed = kind in ("original", "zip")
        with user.client.request(method, path, headers={"X-Forwarded-For": user.address} | more.get("headers", {}),
                                 data=more.get("data"), name=kind, catch_response=True, stream=streamed) as response:
            length = read(response.stream) if streamed and response.status_code else len(response.content or b"")
            user.run_.answers.count(kind, response.status_code, began, length)
            response.success()
        if response.status_code not in (429, 503):
            return response if response.status_code in (200, 206) else None
        # As the page does: not all at the same moment.
        gevent.sleep(float(response.headers.get("Retry-After", 1)) * random.uniform(1, 1.5))
    user.run_.gave_up += 1
    return None


def once(visit):
    """A visit, after which the guest leaves; Locust would begin again."""

    def visit_once(self):
        try:
            visit(self)
        except StopUser:
            raise
        except Exception as error:
            traceback.print_exc()
            self.run_.broken.append(error)
        raise StopUser

    return visit_once


def guest_class(run):
    class Guest(FastHttpUser):
        host = run.hosts[0]
        run_ = run
        network_timeout = connection_timeout = 120
        concurrency = 4

        @task
        @once
        def visit(self):
            number = run.arrival()
            self.address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
            base = run.hosts[number % len(run.hosts)]
            chance = random.Random(number)
            page = answered(self, "page", f"{base}/event/{run.slug}")
            if page is None:
                return
            assets = list(dict.fromkeys(ASSET.findall(page.text)))
            pool = gevent.pool.Pool(4)
            pool.map(lambda path: answered(self, "assets", base + path), assets)
            answered(self, "event", f"{base}/api/events/{run.slug}")
            matches = self.search(base, chance)
            if matches and matches["matches"]:
                self.fetch(base, chance, assets, matches)

        def search(self, base, chance):
            body = form([("image", "selfie.jpg", run.selfies[chance.randrange(len(run.selfies))]), ("notice_version", None, NOTICE)])
            found = None
            for _ in range(chance.randint(1, 3)):
                gevent.sleep(chance.uniform(1, 4))
                began = time.monotonic()
                answer = answered(self, "search", f"{base}/api/face/search/{run.slug}", method="POST", data=body,
                                  headers={"Content-Type": "multipart/form-data; boundary=load"})
                if answer is not None:
                    run.waited.append(time.monotonic() - began)
                    found = answer.json()
            run.helped += bool(found and found["matches"])
            return found

        def fetch(self, base, chance, assets, found):
            whole = lambda link: link if link.startswith("http") else base + link
            matches, pool = found["matches"], gevent.pool.Pool(4)
            shown = [match["thumbnail_url"] for match in matches[:THUMBNAILS]]
            pool.map(lambda link: answered(self, "thumbnail", whole(link)), shown)
            gevent.sleep(chance.uniform(1, 5))
            taken = []
            if chance.random() < 1 / 3:
                answered(self, "zip", f"{base}/api/face/download/{found['download_token']}.zip")
            else:
                for match in matches[:ORIGINALS]:
                    links = answered(self, "link", f"{base}/api/photos/download-by-s3?key={quote(match['s3_key'])}")
                    if links is not None:
                        taken.append(links.json()["download_url"])
                        answered(self, "original", whole(taken[-1]))
            run.fetched.append((assets, shown, taken))

    return Guest


def nginx_class(run, address, plans):
    class Guest(FastHttpUser):
        host = f"http://{address}"
        run_ = run
        network_timeout = connection_timeout = 120
        concurrency = 4

        @task
        @once
        def visit(self):
            number = run.arrival()
            self.address = "10.0.0.1"
            chance = random.Random(number)
            assets, shown, taken = plans[number % len(plans)]
            pool = gevent.pool.Pool(4)
            answered(self, "page", "/event.html")
            pool.map(lambda path: answered(self, "assets", path), assets)
            gevent.sleep(chance.uniform(1, 4))
            pool.map(lambda path: answered(self, "thumbnail", path), shown)
            gevent.sleep(chance.uniform(1, 5))
            for path in taken:
                answered(self, "original", path)

    return Guest


def let_in(options, user_class, run, stop_after):
    """Lets the guests in and waits until the last has gone; the seconds that took."""
    environment = Environment(user_classes=[user_class])
    runner = environment.create_local_runner()
    run.began = began = time.monotonic()
    runner.start(options.guests, spawn_rate=options.guests)
    while time.monotonic() - began < stop_after:
        gevent.sleep(0.5)
        if run.number == options.guests and runner.user_count == 0:
            break
    runner.quit()
    return time.monotonic() - began


class Photographer:
    """Uploads photos until told to stop, some at a time, and no more a second than come over a good line: over the loopback they
    would take the processor that is to index them."""

    def __init__(self, client, event, photos, at_once, a_second):
        self.client, self.event, self.photos, self.running = client, event, photos, True
        self.pause = at_once / a_second
        self.refused = defaultdict(int)
        self.tasks = [gevent.spawn(self.upload, number) for number in range(at_once)]

    def upload(self, number):
        chance = random.Random(number)
        while self.running:
            next_one = time.monotonic() + self.pause
            photo = self.photos[chance.randrange(len(self.photos))]
            with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
                file.write(commented(photo.read_bytes(), str(uuid.uuid4())))
                file.flush()
                status, _ = self.client.call("POST", "/api/photos/upload", form=[("event_id", self.event), ("photos", Path(file.name))])
            self.refused[status] += 1
            gevent.sleep(max(0, next_one - time.monotonic()))

    def stop(self):
        self.running = False
        gevent.joinall(self.tasks)


class Watch:
    """The memory of each process by the half second, in MiB."""

    def __init__(self, services):
        self.most = defaultdict(float)
        self.task = gevent.spawn(self.look, services)

    def look(self, services):
        while True:
            for name, service in services.items():
                for line in Path(f"/proc/{service.process.pid}/status").read_text().splitlines():
                    if line.startswith("RssAnon:"):
                        self.most[name] = max(self.most[name], int(line.split()[1]) / 1024)
            gevent.sleep(0.5)

    def stop(self):
        self.task.kill()
        return ", ".join(f"{name} {most:.0f} MiB" for name, most in self.most.items())


def prepare(options, setup):
    """The photographer's client and the event, filled."""
    setup.start("first")
    client = Client(f"http://{setup.addresses()[0]}")
    photos = sorted((options.event / "photos").glob("*.jpg"))
    sign_up_photographer(client, setup.data, 100_000, options.binary.resolve(), setup.settings)
    status, event = client.call("POST", "/api/events/", {"name": "Live", "date": "2030-01-01"})
    assert status == 201, event
    for photo in photos:
        status, answer = client.call("POST", "/api/photos/upload", form=[("event_id", event["id"]), ("photos", photo)])
        assert status == 201, answer
    while indexed(client, event) < len(photos):
        gevent.sleep(0.5)
    setup.stop()
    database = setup.database()
    faces = filling.copy(database, event["id"], options.photos, setup.media(), similar=12, place=setup.place)
    database.close()
    print(f"{setup.title}: {options.photos} photos, {faces} faces added to those of {len(photos)} photos", flush=True)
    setup.start("second")
    client.server = f"http://{setup.addresses()[0]}"
    return client, event, photos


def indexed(client, event):
    return client.call("GET", f"/api/events/{event['slug']}")[1]["indexing"]["indexed"]


def beside_nginx(options, setup, run, event):
    """The same guests fetch the same files from nginx."""
    web, port = setup.folder / "web", free_port()
    web.mkdir()
    page = Client(f"http://{setup.addresses()[0]}")
    fetch = lambda path: urllib.request.urlopen(page.server + path).read()
    (web / "event.html").write_bytes(fetch(f"/event/{event['slug']}"))
    (web / "assets").mkdir()
    for path in {path for assets, _, _ in run.fetched for path in assets}:
        (web / path.lstrip("/")).write_bytes(fetch(path))
    database = setup.database()
    keys = {row["id"]: row["media_key"] for row in database.rows("SELECT id, media_key FROM photos")}
    database.close()
    for folder in ("originals", "thumbnails"):
        (web / folder).symlink_to(setup.media() / folder)
    # Its workers are another user's.
    for folder in (setup.data, setup.media(), *setup.media().glob("*"), *setup.media().glob("*/??")):
        folder.chmod(0o755)
    for folder in ("originals", "thumbnails"):
        for file in setup.media().glob(f"{folder}/??/*"):
            file.chmod(0o644)

    def file_of(link):
        photo, kind = re.search(r"/(?:files|renditions)/([0-9a-f-]{36})/(\w+)", urlsplit(link).path).groups()
        key = keys[photo]
        original = kind in ("original", "shared")
        return "/" + setup.place(key if original else filling.rendition(kind, filling.stem_of(key), photo))

    plans = [(assets, [file_of(link) for link in shown], [file_of(link) for link in taken]) for assets, shown, taken in run.fetched]
    setup.stop()
    configuration = setup.folder / "nginx.conf"
    configuration.write_text(NGINX.format(folder=setup.folder, port=port, root=web))
    nginx = subprocess.Popen(["nginx", "-p", setup.folder, "-c", configuration], stderr=subprocess.DEVNULL)
    try:
        gevent.sleep(1)
        beside = Run(event["slug"], [], [f"http://127.0.0.1:{port}"], options)
        seconds = let_in(options, nginx_class(beside, f"127.0.0.1:{port}", plans), beside, 300)
        beside.answers.show("nginx, the same files without searches and uploads", seconds)
    finally:
        nginx.terminate()
        nginx.wait()


def show_durations(address):
    """What the process itself says its answers took, for the driver shares the processors with it: bounds of the histogram's buckets."""
    text = urllib.request.urlopen(f"http://{address}/metrics").read().decode()
    buckets = defaultdict(list)
    for labels, count in re.findall(r"^afterglow_request_seconds_bucket\{(.*)\} (\d+)", text, re.M):
        labels = dict(re.findall(r'(\w+)="([^"]*)"', labels))
        bound = float(labels.pop("le").replace("+Inf", "inf"))
        buckets[" ".join(labels[name] for name in ("method", "route"))].append((bound, int(count)))
    for labels, counts in sorted(buckets.items(), key=lambda row: -row[1][-1][1]):
        total = counts[-1][1]
        if total >= 200:
            within = lambda part: next(bound for bound, count in counts if count >= total * part) * 1000
            print(f"  {address} {labels}: {total}, half within {within(.5):g} ms, 95 of 100 within {within(.95):g} ms")


def measure(options, setup):
    client, event, photos = prepare(options, setup)
    selfies = [path.read_bytes() for path in sorted((options.event / "selfies").glob("*.jpg"))]
    # The event's embeddings are read once by each process.
    for address in setup.addresses():
        warm = Client(f"http://{address}")
        warm.call("POST", f"/api/face/search/{event['slug']}", form=[("image", next((options.event / "selfies").glob("*.jpg"))), ("notice_version", NOTICE.decode())])
    run = Run(event["slug"], selfies, [f"http://{address}" for address in setup.addresses()], options)
    watch, first = Watch(setup.services), indexed(client, event)
    photographer = Photographer(client, event["id"], photos, options.uploads, options.uploads_a_second)
    began = time.monotonic()
    seconds = let_in(options, guest_class(run), run, 600)
    done, measured = indexed(client, event) - first, time.monotonic() - began
    photographer.stop()
    run.answers.show(setup.title, seconds)
    waited = sorted(run.waited)
    at = lambda part: waited[min(len(waited) - 1, int(len(waited) * part))]
    print(f"  guests     {run.number}, of whom {run.helped} found photos; {run.gave_up} requests given up after {TRIES} tries")
    print(f"  searches   {len(waited)}, answered after p50 {at(.5):.1f}  p95 {at(.95):.1f}  most {waited[-1]:.1f} s, what was refused and asked again included")
    print(f"  photos     {done / measured:.2f} indexed a second meanwhile; uploads by status {dict(photographer.refused)}")
    for address in setup.addresses():
        show_durations(address)
    print(f"  memory     at most {watch.stop()}", flush=True)
    others = {key: len(took) for key, took in run.answers.took.items() if key[1] not in (200, 206, 422, 429, 503)}
    if options.nginx and not isinstance(setup, Scaled):
        beside_nginx(options, setup, run, event)
    if others or run.broken or not run.helped:
        raise SystemExit(f"DEFECT answers {others}, {run.helped} guests helped, {len(run.broken)} visits broken off")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("event", type=Path)
    parser.add_argument("--setup", choices=["embedded", "scaled"], default="embedded")
    parser.add_argument("--binary", type=Path, default=Path("target/dist/afterglow"))
    parser.add_argument("--bucket", type=Path, default=Path("target/dist/examples/bucket"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--photos", type=int, default=20_000)
    parser.add_argument("--guests", type=int, default=1_000)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--uploads", type=int, default=3, help="photos that the photographer uploads at a time")
    parser.add_argument("--uploads-a-second", type=float, default=6)
    parser.add_argument("--no-nginx", dest="nginx", action="store_false")
    options = parser.parse_args()
    random.seed(1)
    with tempfile.TemporaryDirectory(prefix="afterglow-live-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        setup = (Scaled if options.setup == "scaled" else Embedded)(options, folder)
        try:
            measure(options, setup)
        finally:
            setup.end()


if __name__ == "__main__":
    main()
