#!/usr/bin/env python3
"""Measures how fast stored originals become searchable, with several model packs in turn.

    indexing.py EVENT --binary PATH --models FOLDER… [--rounds 3]

EVENT is as for event.py. Its photos are uploaded once, to a server without workers. Then, for each pack in turn and for each
round, a fresh server with two workers opens a copy of that data. Printed are the photos a second from the first index to the
last, so that starting does not count, the processor time for each photo, the most memory (RssAnon, and RssShmem of pictures that
decoders have mapped), both of all processes, and how many milliseconds each stage takes. Run it with nothing else on the
machine. Needs Linux and Python's standard library.
"""

import argparse
import os
import re
import shutil
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

from event import Client, sign_up_photographer
from load import Server

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(server):
    """User and system time of the service so far, with that of its decoders, those that have ended too."""
    ticks = 0
    for process in server.processes():
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / TICKS


def stages(client):
    """Mean milliseconds of each stage of making a photo searchable."""
    with urllib.request.urlopen(client.server + "/metrics") as response:
        text = response.read().decode()
    found = re.findall(r'afterglow_index_stage_seconds_(sum|count)\{stage="(\w+)"\} (\S+)', text)
    values = {(stage, kind): float(value) for kind, stage, value in found}
    means = {stage: values[stage, "sum"] / count * 1000 for (stage, kind), count in values.items() if kind == "count" and count}
    return ", ".join(f"{stage} {mean:.0f}" for stage, mean in means.items())


def upload(options, folder):
    """The event's slug; `folder/data` then holds all of the event's photos, none of them indexed."""
    server = Server(SimpleNamespace(binary=options.binary, models=options.models[0]), folder, arguments=["--no-worker"])
    try:
        client = Client(f"http://{server.host}:{server.port}")
        photos = sorted((options.event / "photos").glob("*.jpg"))
        sign_up_photographer(client, server.data, len(photos), str(options.binary.resolve()))
        status, event = client.call("POST", "/api/events/", {"name": "Measured", "date": "2026-11-14"})
        assert status == 201, event

        def send(path):
            status, answer = client.call("POST", "/api/photos/upload", form=[("photos", path), ("event_id", event["id"])])
            assert status == 201, answer

        with ThreadPoolExecutor(2) as executor:
            list(executor.map(send, photos))
        return event["slug"]
    finally:
        server.stop()


def measure(options, models, uploaded, slug, decoders="on"):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(uploaded / "data", Path(folder) / "data")
        settings = {"AFTERGLOW_DECODER_PROCESSES": decoders}
        server = Server(SimpleNamespace(binary=options.binary, models=models), Path(folder), settings)
        try:
            client = Client(f"http://{server.host}:{server.port}")
            first, most = None, 0.0
            while True:
                progress = client.call("GET", f"/api/events/{slug}")[1]["indexing"]
                most = max(most, server.resident())
                if first is None and progress["indexed"] > 0:
                    first = (progress["indexed"], time.monotonic(), processor_seconds(server))
                if progress["waiting"] == 0:
                    break
                time.sleep(0.02)
            photos, seconds = progress["indexed"] - first[0], time.monotonic() - first[1]
            processor = processor_seconds(server) - first[2]
            assert progress["indexed"] == progress["total"], progress
            print(
                f"{models.name:<16} decoders {decoders:<3} {photos / seconds:6.2f} photos/s  {processor / photos * 1000:5.0f} ms of a core for a photo"
                f"  at most {most:4.0f} MiB  ({stages(client)})",
                flush=True,
            )
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("event", type=Path)
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--models", type=Path, nargs="+", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--both", action="store_true", help="with decoders in processes of their own and without, in turn")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uploaded = Path(folder)
        slug = upload(options, uploaded)
        for _ in range(options.rounds):
            for models in options.models:
                for decoders in ["on", "off"] if options.both else ["on"]:
                    measure(options, models, uploaded, slug, decoders)


if __name__ == "__main__":
    main()
