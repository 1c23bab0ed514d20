#!/usr/bin/env python3
"""Measures how many thumbnails and previews a second the release binary sends, and beside it nginx with the same files.

    files.py [--binary PATH] [--rounds 5] [--seconds 5] [--connections 16] [--photos 5000] [--hot 64] [--no-nginx]

Starts the binary in a temporary folder with its defaults, uploads one photo, and gives it so many copies: rows of the database, and
files of 16 kB and 450 kB in the place of their thumbnails and previews. Then wrk asks for them by their signed links, over
connections that are kept alive: in each round for a few of them ('hot'), which memory keeps, for one after the other of all
('any'), most of which it does not, and for the event's page; and nginx for the same files. It prints medians over the
rounds, and what of nginx's number that is. Both servers write their logs to files.

Needs Linux, wrk and nginx (Debian: wrk, nginx-light), and Python's standard library; run it on a machine with nothing else to do.
"""
import argparse
import base64
import hashlib
import hmac
import os
import re
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

from event import Client, sign_up_photographer

SIZES = {"thumbnail": 16_384, "preview": 450_000}
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"

SCRIPT = """
local paths, at = {}, 0
for path in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = path end
function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
function done(summary, latency)
  local errors = summary.errors
  print(string.format("RESULT %.1f %.3f %.3f %.3f %d", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(95) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"""

NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log; worker_processes auto;
events {{ worker_connections 1024; }}
http {{
  sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 100000000; default_type image/jpeg;
  access_log {folder}/nginx-access.log; client_body_temp_path {folder}; proxy_temp_path {folder};
  fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    def __init__(self, options, folder, data, name, command=("serve",), **settings):
        self.settings = settings
        environment = {
            "AFTERGLOW_LISTEN": "127.0.0.1:0",
            "AFTERGLOW_DATA_DIR": str(data),
            "AFTERGLOW_MODEL_DIR": str(options.models.resolve()),
            "AFTERGLOW_RATE_LIMITS": "off",
        }
        log = folder / f"{name}.log"
        command = [options.binary.resolve(), *command]
        with log.open("w") as file:
            self.process = subprocess.Popen(command, env=environment | settings, cwd=folder, stderr=file)
        for _ in range(600):
            found = re.search(r"address=(\S+)", log.read_text())
            if found:
                self.address = found.group(1)
                return
            time.sleep(0.1)
        raise SystemExit(log.read_text())

    def stop(self):
        self.process.terminate()
        self.process.wait()


def fill(options, service, data):
    """An event with one photo, of which a stopped service's files then get copies; gives the path of its page."""
    client = Client(f"http://{service.address}")
    sign_up_photographer(client, data, 1, options.binary.resolve())
    event = client.call("POST", "/api/events/", {"name": "Files", "date": "2030-01-01"})[1]
    picture = min(options.pictures.rglob("*.jpg"), key=lambda path: path.stat().st_size)
    status, answer = client.call("POST", "/api/photos/upload", form=[("event_id", event["id"]), ("photos", picture)])
    assert status in (200, 201), answer
    while client.call("GET", f"/api/events/{event['slug']}")[1]["indexing"]["indexed"] < 1:
        time.sleep(0.2)
    return f"/event/{event['slug']}"


def copy(options, data):
    """Rows like the photo's, with renditions that are links to one file of each size; gives the paths of their signed links and
    of their files."""
    database = sqlite3.connect(data / "afterglow.db")
    database.row_factory = sqlite3.Row
    row = dict(database.execute("SELECT * FROM photos").fetchone())
    key = database.execute("SELECT value FROM secrets WHERE name = 'link_signing'").fetchone()[0]
    expires = int(time.time()) + 6 * 3600
    for size, length in SIZES.items():
        (data / size).write_bytes(os.urandom(length))
    signed, files = {size: [] for size in SIZES}, {size: [] for size in SIZES}
    for _ in range(options.photos):
        photo = str(uuid.uuid4())
        stem = f"{uuid.uuid4().hex}-{photo}"
        row |= {"id": photo, "media_key": f"originals/{stem}.jpg", "content_hash": os.urandom(32)}
        columns, values = ", ".join(row), ", ".join("?" * len(row))
        database.execute(f"INSERT INTO photos ({columns}) VALUES ({values})", list(row.values()))
        for size in SIZES:
            # As crates/domain/src/photos.rs and crates/app/src/photos/signed_links.rs do.
            digest = hashlib.sha256(f"{size}s/{stem}".encode()).digest()
            name = "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest) + f"-{photo}.jpg"
            file = Path(f"{size}s", name[:2], name)
            (data / "media" / file).parent.mkdir(parents=True, exist_ok=True)
            os.link(data / size, data / "media" / file)
            text = f"{photo}/{size}\n{expires}".encode()
            signature = base64.urlsafe_b64encode(hmac.digest(key, text, "sha256")).rstrip(b"=").decode()
            signed[size].append(f"/api/files/{photo}/{size}?expires={expires}&signature={signature}")
            files[size].append(f"/{file}")
    database.commit()
    database.close()
    return signed, files


def ask(options, folder, address, paths):
    (folder / "paths").write_text("\n".join(paths) + "\n")
    (folder / "script.lua").write_text(SCRIPT)
    command = ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s", "-s", folder / "script.lua", f"http://{address}/"]
    answer = subprocess.run(command, env=os.environ | {"PATHS": str(folder / "paths")}, capture_output=True, text=True)
    found = re.search(r"RESULT (.*)", answer.stdout)
    assert found, answer.stdout + answer.stderr
    rate, p50, p95, p99, errors = map(float, found.group(1).split())
    assert errors == 0, answer.stdout
    return rate, p50, p95, p99


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/dist/afterglow"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--pictures", type=Path, default=Path(".cache/pictures"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--photos", type=int, default=5_000)
    parser.add_argument("--hot", type=int, default=64)
    parser.add_argument("--nginx", action=argparse.BooleanOptionalAction, default=True)
    options = parser.parse_args()
    running = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        data = folder / "data"
        try:
            service = Service(options, folder, data, "service")
            running.append(service.stop)
            page = fill(options, service, data)
            running.pop()()
            signed, files = copy(options, data)
            service = Service(options, folder, data, "service")
            running.append(service.stop)
            if options.nginx:
                port = free_port()
                (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port, root=data / "media"))
                nginx = subprocess.Popen(["nginx", "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
                running.append(lambda: (nginx.terminate(), nginx.wait()))
                # Its workers are another user's.
                for each in [folder, data, data / "media", *data.rglob("media/**/*"), *(data / size for size in SIZES)]:
                    each.chmod(0o755)
                time.sleep(1)
            results = {}
            for _ in range(options.rounds):
                for size in SIZES:
                    for which, count in (("hot", options.hot), ("any", options.photos)):
                        rows = [("service", service.address, signed)]
                        if options.nginx:
                            rows.append(("nginx", f"127.0.0.1:{port}", files))
                        for name, address, paths in rows:
                            measured = ask(options, folder, address, paths[size][:count])
                            results.setdefault((size, which, name), []).append(measured)
                results.setdefault(("page", "", "service"), []).append(ask(options, folder, service.address, [page]))
            medians = {key: [statistics.median(column) for column in zip(*rows)] for key, rows in results.items()}
            print(f"{'what':10} {'which':5} {'from':8} {'a second':>9} {'p50 ms':>7} {'p95 ms':>7} {'p99 ms':>7}  of nginx")
            for (size, which, name), (rate, p50, p95, p99) in medians.items():
                nginx_rate = medians.get((size, which, "nginx"), [0])[0]
                ratio = f"{rate / nginx_rate:8.0%}" if nginx_rate else ""
                print(f"{size:10} {which:5} {name:8} {rate:9.0f} {p50:7.2f} {p95:7.2f} {p99:7.2f}  {ratio}")
        finally:
            for stop in reversed(running):
                stop()


if __name__ == "__main__":
    main()
