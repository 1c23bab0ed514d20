#!/usr/bin/env python3
"""Measures the gallery of an event of 10,000 photos in Chromium, as its photographer meets it.

    gallery.py [--binary PATH] [--photos 10000] [--runs 3] [--parts gallery,drop]

Starts the binary in a temporary folder, indexes a few photos, fills the event with copies of them whose renditions are files too,
and lets bench/pages/gallery.mjs drive the browser; then bench/pages/drop.mjs, which chooses as many files at once, twice, for an
empty event. Needs Linux, numpy, Node and Debian's Chromium.
"""
import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import filling
from event import Client, sign_up_photographer
from files import Service
from growth import Event

PAGES = Path(__file__).parent / "pages"


def measure_gallery(options, folder, data):
    """Of an event that has so many photos."""
    service = Service(options, folder, data, "first")
    try:
        event = Event(service, options, data, options.photos)
        while event.indexed() < len(list(options.pictures.glob("*.jpg"))):
            time.sleep(0.2)
        service.stop()
        database = filling.Sqlite(data)
        filling.copy(database, event.event["id"], options.photos, media=data / "media")
        database.close()
        service = Service(options, folder, data, "second", command=("serve", "--no-worker"))
        arguments = [f"http://{service.address}", event.client.token, event.event["id"], str(options.photos), str(options.runs)]
        subprocess.run(["node", PAGES / "gallery.mjs", *arguments], check=True)
    finally:
        service.stop()


def measure_drop(options, folder, data):
    """Of so many small files, so that what they cost the page is not hidden by what they cost the line."""
    service = Service(options, folder, data, "drop", command=("serve", "--no-worker"))
    try:
        client = Client(f"http://{service.address}")
        sign_up_photographer(client, data, options.photos, options.binary.resolve())
        event = client.call("POST", "/api/events/", {"name": "Drop", "date": "2030-01-01"})[1]
        arguments = [f"http://{service.address}", client.token, event["id"], str(options.photos)]
        subprocess.run(["node", PAGES / "drop.mjs", *arguments], check=True)
    finally:
        service.stop()


PARTS = {"gallery": measure_gallery, "drop": measure_drop}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/dist/afterglow"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--pictures", type=Path, default=Path(".cache/pictures"))
    parser.add_argument("--photos", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--parts", type=lambda names: names.split(","), default=list(PARTS))
    options = parser.parse_args()
    for part in options.parts:
        with tempfile.TemporaryDirectory(prefix="afterglow-gallery-") as name:
            PARTS[part](options, Path(name), Path(name, "data"))


if __name__ == "__main__":
    main()
