#!/usr/bin/env python3
"""Measures a running Afterglow on an event with ground truth: accuracy, indexing throughput, search latency.

    event.py EVENT [--server URL] [--data FOLDER]

EVENT holds photos/*.jpg, selfies/<person>.jpg, strangers/<person>.jpg and truth.json
({"photos": {file: [people]}, "people": {person: [files]}, "strangers": [people]}).
FOLDER is the server's data folder: its outbox has the verification link, and photos beyond the free credit are
covered with `afterglow credits grant`. Everything goes through the API, so start the server with
AFTERGLOW_RATE_LIMITS=off: an event has more selfies than one address may send in a minute.
Needs only Python's standard library.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PASSWORD = "measure everything"


class Client:
    def __init__(self, server):
        self.server, self.token = server.rstrip("/"), None

    def call(self, method, path, body=None, form=None):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if form is not None:
            boundary = uuid.uuid4().hex
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            data = b""
            for name, value in form:
                head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
                if isinstance(value, Path):
                    head += f'; filename="{value.name}"\r\nContent-Type: image/jpeg'
                    value = value.read_bytes()
                else:
                    value = value.encode()
                data += head.encode() + b"\r\n\r\n" + value + b"\r\n"
            data += f"--{boundary}--\r\n".encode()
        elif body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        else:
            data = None
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, json.loads(response.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")


def sign_up_photographer(client, data, photos, binary, settings=()):
    email = f"bench-{uuid.uuid4().hex[:10]}@example.com"
    status, response = client.call("POST", "/api/auth/register", {"name": "Bench", "email": email, "password": PASSWORD})
    assert status == 200, response
    token = None
    for _ in range(100):
        mails = [p.read_text(errors="replace") for p in (data / "outbox").glob("*.eml")]
        mine = [m for m in mails if email in m]
        if mine:
            text = mine[-1].replace("=\r\n", "").replace("=\n", "").replace("=3D", "=")
            token = re.search(r"verify-email\?token=([\w-]+)", text).group(1)
            break
        time.sleep(0.1)
    assert client.call("POST", "/api/auth/verify-email", {"token": token})[0] == 200
    if photos > 100:
        environment = os.environ | {"AFTERGLOW_DATA_DIR": str(data)} | dict(settings)
        subprocess.run([binary, "credits", "grant", email, str(photos)], check=True, env=environment)
    status, response = client.call("POST", "/api/auth/login", {"email": email, "password": PASSWORD})
    assert status == 200, response
    client.token = response["token"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("event", type=Path)
    parser.add_argument("--server", default="http://localhost:8080")
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--binary", default="target/debug/afterglow")
    options = parser.parse_args()
    truth = json.loads((options.event / "truth.json").read_text())
    photos = sorted((options.event / "photos").glob("*.jpg"))

    client = Client(options.server)
    sign_up_photographer(client, options.data, len(photos), options.binary)
    status, event = client.call("POST", "/api/events/", {"name": "Measured event", "date": "2026-11-14"})
    assert status == 201, event

    def upload(path):
        status, response = client.call("POST", "/api/photos/upload", form=[("photos", path), ("event_id", event["id"])])
        assert status == 201, response

    started = time.monotonic()
    with ThreadPoolExecutor(3) as executor:
        list(executor.map(upload, photos))
    uploaded = time.monotonic()
    while True:
        _, current = client.call("GET", f"/api/events/{event['slug']}")
        if current["indexing"]["indexed"] == len(photos):
            break
        time.sleep(0.5)
    indexed = time.monotonic()

    guest, latencies, rejected = Client(options.server), [], []

    def search(folder, person):
        path = options.event / folder / f"{person}.jpg"
        began = time.monotonic()
        status, response = guest.call("POST", f"/api/face/search/{event['slug']}", form=[("image", path), ("notice_version", "2026-11-20")])
        latencies.append(time.monotonic() - began)
        if status != 200:
            rejected.append((person, response["error"]))
            return set()
        return {match["filename"] for match in response["matches"]}

    hits = wrong = missed = 0
    for person, files in truth["people"].items():
        found, expected = search("selfies", person), set(files)
        hits += len(found & expected)
        wrong += len(found - expected)
        missed += len(expected - found)
    answered = sum(bool(search("strangers", person)) for person in truth["strangers"])

    latencies.sort()
    print(f"photos               {len(photos)}, faces indexed {current['faces_indexed']}")
    print(f"upload               {len(photos) / (uploaded - started):.2f} photos/s, three at a time")
    print(f"indexed              {len(photos) / (indexed - started):.2f} photos/s from the first upload to the last photo indexed")
    print(f"recall               {hits / (hits + missed):.4f}  ({hits} of {hits + missed} photos of {len(truth['people'])} people)")
    print(f"precision            {hits / max(1, hits + wrong):.4f}  ({wrong} wrong)")
    print(f"strangers answered   {answered} of {len(truth['strangers'])}")
    print(f"selfies refused      {len(rejected)} {rejected[:5]}")
    print(f"search               p50 {statistics.median(latencies) * 1000:.0f} ms, p95 {latencies[int(len(latencies) * 0.95)] * 1000:.0f} ms, one at a time")


if __name__ == "__main__":
    main()
