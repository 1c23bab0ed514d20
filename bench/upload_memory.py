#!/usr/bin/env python3
"""Measures the memory that a server needs for uploads of almost 100 MB.

    upload_memory.py JPEG [--binary PATH] [--models FOLDER]

Starts the binary in a temporary folder, twice: with `--no-worker`, to measure uploads alone, and with its worker, to
measure indexing too. Uploads the JPEG, padded to 99 MB with comment segments, and an uncompressed TIFF of 99 MB in
strips, and prints the peak growth of the process's memory: RssAnon, which the kernel cannot reclaim, and all resident
pages, which include file pages that it can. Needs Linux and Python's standard library.
"""
import argparse
import os
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from event import Client, sign_up_photographer

SIZE = 99 * 1_048_576
MIB = 1_048_576


def padded_jpeg(photo):
    """The same picture with comments (COM segments of at most 65,533 bytes) after its first marker."""
    comment = b"\xff\xfe\xff\xff" + os.urandom(65_533)
    count = (SIZE - len(photo)) // len(comment)
    return photo[:2] + comment * count + photo[2:]


def striped_tiff(width=6000, rows=64):
    """An uncompressed RGB TIFF (TIFF 6.0) in strips of `rows` rows."""
    strip = os.urandom(width * 3 * rows)
    count = SIZE // len(strip)
    table = 8 + len(strip) * count
    offsets = struct.pack(f"<{count}I", *(8 + len(strip) * n for n in range(count)))
    counts = struct.pack(f"<{count}I", *([len(strip)] * count))
    bits = struct.pack("<3H", 8, 8, 8)
    at = table + 2 + 10 * 12 + 4
    entries = [
        (256, 4, 1, width), (257, 4, 1, rows * count), (258, 3, 3, at), (259, 3, 1, 1), (262, 3, 1, 2),
        (273, 4, count, at + 6), (277, 3, 1, 3), (278, 4, 1, rows), (279, 4, count, at + 6 + len(offsets)),
        (284, 3, 1, 1),
    ]
    directory = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", *e) for e in entries) + b"\0" * 4
    return b"II*\0" + struct.pack("<I", table) + strip * count + directory + bits + offsets + counts


def status(pid, field):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    return 0


class PeakMemory:
    """The highest RssAnon and VmRSS of a process since the start, sampled every 2 ms."""

    def __init__(self, pid):
        self.pid, self.stopped = pid, threading.Event()
        self.before = (status(pid, "RssAnon"), status(pid, "VmRSS"))
        self.peak = self.before
        self.thread = threading.Thread(target=self.sample)
        self.thread.start()

    def sample(self):
        while not self.stopped.wait(0.002):
            now = (status(self.pid, "RssAnon"), status(self.pid, "VmRSS"))
            self.peak = tuple(map(max, self.peak, now))

    def stop(self):
        self.stopped.set()
        self.thread.join()
        return tuple((peak - before) / MIB for peak, before in zip(self.peak, self.before))


def measure(binary, models, files, worker):
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        environment = {"AFTERGLOW_LISTEN": "127.0.0.1:0", "AFTERGLOW_DATA_DIR": str(data), "AFTERGLOW_MODEL_DIR": models}
        server = subprocess.Popen([binary, "serve"], env=environment, cwd=folder, stderr=subprocess.PIPE, text=True)
        for line in server.stderr:
            if "address=" in line:
                address = line.split("address=")[1].split()[0]
                break
        threading.Thread(target=server.stderr.read, daemon=True).start()
        client = Client(f"http://{address}")
        sign_up_photographer(client, data, 1, binary)
        if not worker:
            server.terminate()
            server.wait()
            server = subprocess.Popen([binary, "serve", "--no-worker"], env=environment | {"AFTERGLOW_LISTEN": address}, cwd=folder, stderr=subprocess.DEVNULL)
            wait_until(lambda: reachable(client))
        for name, path in files:
            memory = PeakMemory(server.pid)
            began = time.monotonic()
            code, response = client.call("POST", "/api/photos/upload", form=[("photos", path)])
            seconds = time.monotonic() - began
            assert code == 201, response
            if worker:
                wait_until(lambda: client.call("GET", "/api/photos/search")[1]["photos"][0]["status"] != "processing")
            anonymous, resident = memory.stop()
            step = "uploaded and indexed" if worker else "uploaded"
            print(f"{name} {step}: RssAnon +{anonymous:.0f} MiB, all resident +{resident:.0f} MiB, response after {seconds:.1f} s")
        server.terminate()
        server.wait()


def reachable(client):
    try:
        return client.call("GET", "/api/health")[0] == 200
    except OSError:
        return False


def wait_until(condition):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.1)
    raise SystemExit("timed out after 120 s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jpeg", type=Path)
    parser.add_argument("--binary", default="target/debug/afterglow")
    parser.add_argument("--models", default="models")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = [("JPEG of 99 MB", Path(folder) / "large.jpg"), ("TIFF of 99 MB", Path(folder) / "large.tiff")]
        files[0][1].write_bytes(padded_jpeg(arguments.jpeg.read_bytes()))
        files[1][1].write_bytes(striped_tiff())
        for worker in (False, True):
            measure(str(Path(arguments.binary).resolve()), str(Path(arguments.models).resolve()), files, worker)


if __name__ == "__main__":
    main()
