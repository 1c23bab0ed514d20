#!/usr/bin/env python3
"""Measures what a search pays for limits that all servers of one PostgreSQL database have together.

    limits.py [--binary PATH] [--rounds 1000]

Starts PostgreSQL and two servers of the release binary, one without limits, and asks them in turn, one request at a time over
connections that are kept alive, each request from an address that has searched up to 29 times: searches of an event that is not
there, so that hardly anything else takes time, and searches of an event with a few photos. Prints medians in milliseconds.

Needs Linux and a PostgreSQL server's programs (Debian: postgresql).
"""
import argparse
import http.client
import statistics
import tempfile
import time
from pathlib import Path

import filling
import postgres
from event import Client, sign_up_photographer
from files import Service
from load import NOTICE, form

# Requests from one address, less than a server with limits lets in.
EACH = 29


def search(connection, path, body, address):
    headers = {"Content-Type": "multipart/form-data; boundary=load", "X-Forwarded-For": address}
    began = time.perf_counter()
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    response.read()
    took = time.perf_counter() - began
    assert response.status in (200, 404), response.status
    return took * 1000


def ipv4(number):
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def ipv6(number):
    return f"2001:db8:{number:x}::1"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/dist/afterglow"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--pictures", type=Path, default=Path(".cache/pictures"))
    parser.add_argument("--rounds", type=int, default=1000)
    options = parser.parse_args()
    selfie = (options.pictures / "obama.jpg").read_bytes()
    with tempfile.TemporaryDirectory(prefix="afterglow-limits-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = postgres.Server(folder / "postgres")
        settings = {"AFTERGLOW_DATABASE_URL": server.url, "AFTERGLOW_TRUSTED_PROXIES": "127.0.0.1"}
        services = {}
        try:
            for kind in ("off", "on"):
                services[kind] = Service(options, folder, folder / "data", kind, **settings, AFTERGLOW_RATE_LIMITS=kind)
            measure(options, services, server, folder, selfie)
        finally:
            for service in services.values():
                service.stop()
            server.stop()


def measure(options, services, server, folder, selfie):
    client = Client(f"http://{services['off'].address}")
    sign_up_photographer(client, folder / "data", 10, options.binary.resolve(), services["off"].settings)
    event = client.call("POST", "/api/events/", {"name": "Limits", "date": "2030-01-01"})[1]
    photos = sorted(options.pictures.glob("*.jpg"))
    for photo in photos:
        assert client.call("POST", "/api/photos/upload", form=[("event_id", event["id"]), ("photos", photo)])[0] == 201
    while client.call("GET", f"/api/events/{event['slug']}")[1]["indexing"]["indexed"] < len(photos):
        time.sleep(0.2)
    body = form([("image", "selfie.jpg", selfie), ("notice_version", None, NOTICE)])
    connections = {kind: http.client.HTTPConnection(*service.address.split(":")) for kind, service in services.items()}
    number = 0
    for what, path, sent, rounds in [
        ("no such event", "/api/face/search/nowhere", b"", options.rounds),
        ("a search", f"/api/face/search/{event['slug']}", body, options.rounds // 5),
    ]:
        for name, address in [("IPv4", ipv4), ("IPv6", ipv6)]:
            times = {kind: [] for kind in services}
            for at in range(rounds):
                number += at % EACH == 0
                for kind, connection in connections.items():
                    times[kind].append(search(connection, path, sent, address(number)))
            number += 1
            medians = {kind: statistics.median(took) for kind, took in times.items()}
            p95 = {kind: sorted(took)[int(len(took) * 0.95)] for kind, took in times.items()}
            print(
                f"{what}, {name}: without limits {medians['off']:.2f} (p95 {p95['off']:.2f}), with {medians['on']:.2f}"
                f" (p95 {p95['on']:.2f}), difference of medians {medians['on'] - medians['off']:.2f} ms",
                flush=True,
            )
    size = filling.Postgres(server.url).rows("SELECT count(*) AS rows, max(length(moments)) AS longest FROM counted_requests")
    print(size)


if __name__ == "__main__":
    main()
