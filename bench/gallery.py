#!/usr/bin/env python3
"""Measures the gallery of an event of 10,000 photos in Chromium, as its photographer meets it.

    gallery.py [--binary PATH] [--photos 10000] [--runs 3]

Starts the binary in a temporary folder, indexes a few photos, fills the event with copies of them whose renditions are files too,
and lets bench/pages/gallery.mjs drive the browser. Needs Linux, numpy, Node and Debian's Chromium.
"""
import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import filling
from files import Service
from growth import Event


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/dist/afterglow"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--pictures", type=Path, default=Path(".cache/pictures"))
    parser.add_argument("--photos", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="afterglow-gallery-") as name:
        folder, data = Path(name), Path(name, "data")
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
            script = Path(__file__).parent / "pages" / "gallery.mjs"
            url = f"http://{service.address}"
            command = ["node", script, url, event.client.token, event.event["id"], str(options.photos), str(options.runs)]
            subprocess.run(command, check=True)
        finally:
            service.stop()


if __name__ == "__main__":
    main()
