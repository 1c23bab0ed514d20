#!/usr/bin/env python3
"""Measures what guests wait for a search, at rest and while photos are indexed, and what memory that takes and leaves.

    guests_first.py EVENT --binary PATH … --large SELFIE [--models FOLDER] [--rounds 1]

EVENT is as for event.py. Each binary is started in a temporary folder of its own, several of them in turn: searches one at a
time and eight side by side while nothing else is done, then one at a time while photos are indexed at full speed, then a
burst of large selfies. Memory is the process's own (RssAnon). Needs Linux and Python's standard library.
"""
import argparse
import re
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from event import Client, sign_up_photographer
from load import MIB, NOTICE, Server, percentile

BURST = 60
FIRST_PHOTOS = 20


class Peak:
    """The most memory that a server took since the last look."""

    def __init__(self, server):
        self.server, self.most = server, 0.0
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while self.server.process.poll() is None:
            try:
                self.most = max(self.most, self.server.resident())
            except FileNotFoundError:
                return
            time.sleep(0.02)

    def take(self):
        most, self.most = self.most, 0.0
        return most


def stages(client):
    """Seconds by stage of a search, added up, and how many there were."""
    with urllib.request.urlopen(client.server + "/metrics") as response:
        text = response.read().decode()
    found = re.findall(r'afterglow_search_stage_seconds_(sum|count)\{stage="(\w+)"\} (\S+)', text)
    return {(stage, kind): float(value) for kind, stage, value in found}


def means(before, after):
    """Mean milliseconds of each stage between two looks."""
    since = {key: value - before.get(key, 0) for key, value in after.items()}
    return ", ".join(
        f"{stage} {since[stage, 'sum'] / since[stage, 'count'] * 1000:.1f}"
        for stage in ("wait", "decode", "detect", "describe", "compare")
        if since.get((stage, "count"))
    )


class Guest:
    def __init__(self, server, slug, selfies):
        self.client, self.slug, self.selfies, self.next = Client(server), slug, selfies, 0

    def search(self, selfie=None):
        self.next += 1
        picture = selfie or self.selfies[self.next % len(self.selfies)]
        began = time.monotonic()
        form = [("image", picture), ("notice_version", NOTICE.decode())]
        status, _ = self.client.call("POST", f"/api/face/search/{self.slug}", form=form)
        assert status in (200, 422), status
        return time.monotonic() - began


def told(values):
    values = sorted(values)
    return f"p50 {percentile(values, .5) * 1000:6.1f}  p95 {percentile(values, .95) * 1000:6.1f} ms  ({len(values)})"


def measure(options, binary, folder):
    # All guests come from one address.
    server = Server(options, folder, {"AFTERGLOW_RATE_LIMITS": "off", "AFTERGLOW_SEARCHES_PER_ADDRESS": "0"})
    try:
        address = f"http://{server.host}:{server.port}"
        client, peak = Client(address), Peak(server)
        photos = sorted((options.event / "photos").glob("*.jpg"))
        selfies = sorted((options.event / "selfies").glob("*.jpg"))
        sign_up_photographer(client, server.data, len(photos), str(binary.resolve()))
        status, event = client.call("POST", "/api/events/", {"name": "Measured", "date": "2026-11-14"})
        assert status == 201, event
        guest = Guest(address, event["slug"], selfies)

        def upload(path):
            status, answer = client.call("POST", "/api/photos/upload", form=[("photos", path), ("event_id", event["id"])])
            assert status == 201, answer

        def indexed():
            return client.call("GET", f"/api/events/{event['slug']}")[1]["indexing"]["indexed"]

        print(f"{binary.name}: memory after the start {server.resident():.0f} MiB")
        with ThreadPoolExecutor(2) as executor:
            list(executor.map(upload, photos[:FIRST_PHOTOS]))
        while indexed() < FIRST_PHOTOS:
            time.sleep(0.1)
        print(f"  {FIRST_PHOTOS} photos: at most {peak.take():.0f} MiB, then {server.resident():.0f}")
        for _ in range(5):
            guest.search()
        before = stages(client)
        print(f"  at rest        {told([guest.search() for _ in range(options.searches)])}")
        print(f"                 {means(before, stages(client))}")
        until = time.monotonic() + 6
        with ThreadPoolExecutor(8) as executor:
            def beside(_):
                guest, took = Guest(address, event["slug"], selfies), []
                while time.monotonic() < until:
                    took.append(guest.search())
                return took
            took = sum(executor.map(beside, range(8)), [])
        print(f"  8 side by side {told(took)}  {len(took) / 6:.1f}/s")
        peak.take()
        with ThreadPoolExecutor(2) as executor:
            list(executor.map(upload, photos[FIRST_PHOTOS:]))
        began, first, took, before = time.monotonic(), indexed(), [], stages(client)
        while indexed() < len(photos) - 2:
            took.append(guest.search())
            time.sleep(0.05)
        seconds = time.monotonic() - began
        print(f"  while indexing {told(took)}  {(indexed() - first) / seconds:.2f} photos/s, at most {peak.take():.0f} MiB")
        print(f"                 {means(before, stages(client))}")
        large = options.large
        with ThreadPoolExecutor(8) as executor:
            list(executor.map(lambda _: Guest(address, event["slug"], [large]).search(), range(BURST)))
        print(f"  {BURST} selfies of {large.stat().st_size / MIB:.1f} MiB: at most {peak.take():.0f} MiB, then {server.resident():.0f}")
        time.sleep(15)
        print(f"  15 s later: {server.resident():.0f} MiB", flush=True)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("event", type=Path)
    parser.add_argument("--binary", type=Path, action="append", required=True, help="may be given several times")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--large", type=Path, required=True, help="a large picture with a face")
    parser.add_argument("--searches", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    for _ in range(options.rounds):
        for binary in options.binary:
            with tempfile.TemporaryDirectory(prefix="afterglow-guests-") as folder:
                measure(argparse.Namespace(**{**vars(options), "binary": binary}), binary, Path(folder))


if __name__ == "__main__":
    main()
