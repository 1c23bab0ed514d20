#!/usr/bin/env python3
"""Changes the model pack of a running installation, and searches while its photos are described anew.

    describe_anew.py EVENT --binary PATH --before FOLDER --after FOLDER [--photos 500] [--guests 20]

EVENT is as for event.py; its photos are uploaded again and again with other bytes until there are so many, and indexed with the
pack BEFORE. Then a server with the pack AFTER, which has to carry the recogniser of BEFORE, opens the data. It is killed
(SIGKILL) at a third of the photos and started again. Until all of them are described anew, guests search in turn; each of
their results is compared with what the same guest finds before and after.
Needs Linux and Python's standard library.
"""
import argparse
import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

from event import Client, sign_up_photographer
from load import NOTICE, Server, commented

# Seconds between two searches: guests of an event come one after the other, and the processors are for the photos.
PAUSE = 0.5


def upload(client, event, photos, count):
    with tempfile.TemporaryDirectory() as folder:

        def send(number):
            source = photos[number % len(photos)]
            path = Path(folder) / f"{source.stem}-{number // len(photos)}.jpg"
            path.write_bytes(commented(source.read_bytes(), str(number)))
            status, answer = client.call("POST", "/api/photos/upload", form=[("photos", path), ("event_id", event["id"])])
            assert status == 201, answer
            path.unlink()

        with ThreadPoolExecutor(2) as executor:
            list(executor.map(send, range(count)))


def found(server, slug, selfie):
    """The names of the files that a guest finds, and how long it took."""
    guest = Client(f"http://{server.host}:{server.port}")
    began = time.monotonic()
    form = [("image", selfie), ("notice_version", NOTICE.decode())]
    status, answer = guest.call("POST", f"/api/face/search/{slug}", form=form)
    assert status == 200, answer
    return {match["filename"] for match in answer["matches"]}, time.monotonic() - began


def renewal(server, photographer):
    """How many photos the pack in use has described, and how many there are; none once all are."""
    photographer.server = f"http://{server.host}:{server.port}"
    status, answer = photographer.call("GET", "/api/events/analytics")
    assert status == 200, answer
    return answer["renewal"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("event", type=Path)
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--after", type=Path, required=True)
    parser.add_argument("--photos", type=int, default=500)
    parser.add_argument("--guests", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options, Path(folder))


def measure(options, folder):
    settings = {"AFTERGLOW_RATE_LIMITS": "off"}

    def start(models):
        return Server(SimpleNamespace(binary=options.binary, models=models), folder, settings)

    server = start(options.before)
    client = Client(f"http://{server.host}:{server.port}")
    sign_up_photographer(client, server.data, options.photos, str(options.binary.resolve()))
    status, event = client.call("POST", "/api/events/", {"name": "Measured", "date": "2026-11-14"})
    assert status == 201, event
    upload(client, event, sorted((options.event / "photos").glob("*.jpg")), options.photos)
    slug = event["slug"]
    while client.call("GET", f"/api/events/{slug}")[1]["indexing"]["indexed"] < options.photos:
        time.sleep(0.5)
    selfies = sorted((options.event / "selfies").glob("*.jpg"))[: options.guests]
    before = [found(server, slug, selfie)[0] for selfie in selfies]
    server.stop()

    began = time.monotonic()
    server = start(options.after)
    print(f"before: {options.photos} photos, {sum(map(len, before))} found by {len(selfies)} guests", flush=True)
    meanwhile, seconds, killed = [], [], False
    while True:
        progress = renewal(server, client)
        if progress is None:
            break
        if not killed and progress["described"] * 3 >= progress["total"]:
            server.process.kill()
            server.process.wait()
            server, killed = start(options.after), True
            print(f"killed at {progress['described']} of {progress['total']}", flush=True)
        time.sleep(PAUSE)
        turn = len(meanwhile) % len(selfies)
        files, took = found(server, slug, selfies[turn])
        seconds.append(took)
        meanwhile.append((turn, files))
    whole = time.monotonic() - began
    after = [found(server, slug, selfie)[0] for selfie in selfies]
    server.stop()
    seconds.sort()
    print(f"described anew in {whole:.0f} s, {options.photos / whole:.1f} photos a second with searches beside, killed once: {killed}")
    print(f"{len(seconds)} searches meanwhile: median {seconds[len(seconds) // 2] * 1000:.0f} ms, slowest {seconds[-1] * 1000:.0f} ms")
    # What both find has to be found at each moment between.
    expected = sum(len(before[turn] & after[turn]) for turn, _ in meanwhile)
    lacking = sum(len((before[turn] & after[turn]) - files) for turn, files in meanwhile)
    other = sum(len(files - before[turn] - after[turn]) for turn, files in meanwhile)
    print(f"of {expected} photos that are found before and after, {lacking} were not found meanwhile; {other} that neither finds were")
    lost = sum(len(one - other) for one, other in zip(before, after))
    gained = sum(len(other - one) for one, other in zip(before, after))
    print(f"after: {sum(map(len, after))} found, {lost} of before not, {gained} new")
    environment = os.environ | {"AFTERGLOW_DATA_DIR": str(server.data), "AFTERGLOW_MODEL_DIR": str(options.after.resolve())}
    report = subprocess.run([options.binary.resolve(), "status"], env=environment, cwd=folder, capture_output=True, text=True)
    print(report.stdout)


if __name__ == "__main__":
    main()
