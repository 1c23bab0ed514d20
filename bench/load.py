#!/usr/bin/env python3
"""Drives the built binary at twice what the machine can do, and tells what became of it.

    load.py [--seconds 600] [--binary PATH] [--models FOLDER] [--pictures FOLDER] [--output FOLDER]

Starts the binary in a temporary folder with its defaults, measures how many searches a second it can answer, and then asks
for twice that for so long, whatever comes back: guests who search and look at the page, photographers who upload, clients
that hang up in the middle of their search, bodies and heads that come in a byte at a time. Every client has an address
of its own (127.0.0.0/8). It writes the memory of the process by the second and what was answered in it as load.csv and load.svg,
and fails when

- an accepted search took longer than the deadline of a search,
- the 95th percentile of what was refused with 429 or 503 took longer than 100 ms, or anything was answered with another 5xx,
- the memory at the end is more than a quarter above that at a third of the time, or
- 10 s after it a search fails or takes more than twice what it took before.

Needs Linux and Python's standard library.
"""
import argparse
import asyncio
import json
import os
import random
import subprocess
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

from event import Client, sign_up_photographer

MIB = 1_048_576
DEADLINE = 50
REFUSED = (429, 503)
PHOTOGRAPHERS = 4
# The version of the notice that guests are shown (domain/faces/consents.rs).
NOTICE = b"2026-11-20"
# How often each kind of client comes for each search that is waited for.
KINDS = {"search": 1.0, "page": 0.5, "upload": 0.1, "hang up": 0.3, "slow body": 0.1, "slow head": 0.1}


def form(fields):
    body = b""
    for name, filename, value in fields:
        head = f'--load\r\nContent-Disposition: form-data; name="{name}"'
        head += f'; filename="{filename}"\r\nContent-Type: image/jpeg' if filename else ""
        body += head.encode() + b"\r\n\r\n" + value + b"\r\n"
    return body + b"--load--\r\n"


def commented(jpeg, text):
    """The same picture with other bytes: a comment segment after its first marker."""
    comment = text.encode()
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


class Server:
    """The service, its memory, and what was answered."""

    def __init__(self, options, folder, settings=(), arguments=()):
        self.data = folder / "data"
        environment = {
            "AFTERGLOW_LISTEN": "127.0.0.1:0",
            "AFTERGLOW_DATA_DIR": str(self.data),
            "AFTERGLOW_MODEL_DIR": str(options.models.resolve()),
            "AFTERGLOW_LOG": "warn,afterglow=info",
        } | dict(settings)
        command = [options.binary.resolve(), "serve", *arguments]
        self.process = subprocess.Popen(command, env=environment, cwd=folder, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "address=" in line:
                self.host, port = line.split("address=")[1].split()[0].split(":")
                self.port = int(port)
                break
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def processes(self):
        """The service's process, and those in which it has pictures read."""
        found = [self.process.pid]
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                if f"PPid:\t{self.process.pid}\n" in status.read_text():
                    found.append(int(status.parent.name))
            except OSError:
                pass  # It has ended.
        return found

    def resident(self):
        """MiB that no file has, of all its processes: pictures on their way between them count once."""
        sums = {"RssAnon:": 0, "RssShmem:": 0}
        for process in self.processes():
            try:
                lines = Path(f"/proc/{process}/status").read_text().splitlines()
            except OSError:
                continue
            for name, value in (line.split()[:2] for line in lines if line.startswith(tuple(sums))):
                sums[name] += int(value)
        return sum(sums.values()) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Load:
    def __init__(self, server, slug, tokens, selfie):
        self.server, self.slug, self.tokens, self.selfie = server, slug, tokens, selfie
        self.random = random.Random(1)
        # By kind and outcome, the seconds each took.
        self.outcomes = defaultdict(list)
        self.by_second = defaultdict(Counter)
        self.started = time.monotonic()
        self.serial = 0

    def address(self):
        return f"127.{self.random.randrange(1, 255)}.{self.random.randrange(256)}.{self.random.randrange(1, 255)}"

    async def connect(self):
        return await asyncio.open_connection(self.server.host, self.server.port, local_addr=(self.address(), 0))

    def head(self, method, path, length, token=None):
        lines = [f"{method} {path} HTTP/1.1", "Host: load", "Connection: close", f"Content-Length: {length}"]
        if length:
            lines.append("Content-Type: multipart/form-data; boundary=load")
        if token:
            lines.append(f"Authorization: Bearer {token}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    async def exchange(self, kind, method, path, body=b"", token=None):
        """Sends a request and reads its answer at the same time; counts what became of it."""
        began = time.monotonic()
        outcome = None
        writer = None
        try:
            reader, writer = await self.connect()

            async def send():
                try:
                    writer.write(self.head(method, path, len(body), token) + body)
                    await writer.drain()
                except ConnectionError:
                    pass

            sending = asyncio.create_task(send())
            line = await asyncio.wait_for(reader.readline(), 120)
            outcome = int(line.split()[1]) if line else "no answer"
            if outcome not in REFUSED:
                # The answer is complete with its last byte.
                await asyncio.wait_for(reader.read(), 120)
            took = time.monotonic() - began
            await sending
        except (ConnectionError, OSError) as error:
            outcome, took = type(error).__name__, time.monotonic() - began
        except TimeoutError:
            outcome, took = "no answer in 120 s", time.monotonic() - began
        finally:
            if writer:
                writer.close()
        self.count(kind, outcome, took)
        return outcome, took

    def count(self, kind, outcome, took):
        self.outcomes[kind, outcome].append(took)
        if kind == "search":
            shown = "accepted" if outcome == 200 else "refused" if outcome in REFUSED else "other"
            self.by_second[int(time.monotonic() - self.started)][shown] += 1

    async def search(self):
        body = form([("image", "selfie.jpg", self.selfie), ("notice_version", None, NOTICE)])
        return await self.exchange("search", "POST", f"/api/face/search/{self.slug}", body)

    async def page(self):
        paths = [f"/api/events/{self.slug}", f"/covers/{self.slug}.svg", "/api/ready", f"/event/{self.slug}"]
        await self.exchange("page", "GET", self.random.choice(paths))

    async def upload(self):
        self.serial += 1
        photo = commented(self.selfie, f"load {self.serial}")
        body = form([("photos", f"{self.serial}.jpg", photo)])
        await self.exchange("upload", "POST", "/api/photos/upload", body, self.random.choice(self.tokens))

    async def hang_up(self):
        try:
            _, writer = await self.connect()
            body = form([("image", "selfie.jpg", self.selfie), ("notice_version", None, NOTICE)])
            writer.write(self.head("POST", f"/api/face/search/{self.slug}", len(body)) + body)
            await asyncio.wait_for(writer.drain(), 2)
            await asyncio.sleep(self.random.uniform(0.01, 0.2))
            writer.transport.abort()
            self.count("hang up", "gone", 0)
        except (OSError, TimeoutError) as error:
            self.count("hang up", type(error).__name__, 0)

    async def dribble(self, kind, first):
        """Sends a byte a second until the service has had enough."""
        began = time.monotonic()
        try:
            reader, writer = await self.connect()
        except OSError:
            self.count(kind, "refused", time.monotonic() - began)
            return
        ended = asyncio.create_task(reader.read())
        try:
            writer.write(first)
            while not ended.done():
                writer.write(b"x")
                await writer.drain()
                await asyncio.wait([ended], timeout=1)
            writer.close()
        except OSError:
            pass
        finally:
            # The connection may be reset instead of closed.
            await asyncio.gather(ended, return_exceptions=True)
        self.count(kind, "ended by the service", time.monotonic() - began)

    async def slow_body(self):
        await self.dribble("slow body", self.head("POST", f"/api/face/search/{self.slug}", 5 * MIB) + b"--load\r\n")

    async def slow_head(self):
        await self.dribble("slow head", b"GET /api/health HTTP/1.1\r\nX: ")

    async def run(self, searches_a_second, seconds):
        self.started = time.monotonic()
        clients = {
            "search": self.search, "page": self.page, "upload": self.upload, "hang up": self.hang_up,
            "slow body": self.slow_body, "slow head": self.slow_head,
        }
        kinds, weights = list(KINDS), list(KINDS.values())
        rate, next_at, running = searches_a_second * sum(weights), self.started, set()
        while next_at < self.started + seconds:
            next_at += self.random.expovariate(rate)
            await asyncio.sleep(max(0, next_at - time.monotonic()))
            task = asyncio.create_task(clients[self.random.choices(kinds, weights)[0]]())
            running.add(task)
            task.add_done_callback(running.discard)
        return running


async def capacity(load, seconds):
    """Searches a second while as many run as there are processors, and what each took alone before that."""
    alone = sorted([(await load.search())[1] for _ in range(20)])
    until, count = time.monotonic() + seconds, 0

    async def guest():
        nonlocal count
        while time.monotonic() < until:
            outcome, _ = await load.search()
            count += outcome == 200

    await asyncio.gather(*(guest() for _ in range(2 * (os.cpu_count() or 1))))
    return count / seconds, alone


async def sample(server, rows, started):
    while True:
        rows.append((time.monotonic() - started, server.resident()))
        await asyncio.sleep(1)


def percentile(sorted_values, part):
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * part))] if sorted_values else 0.0


def plot(path, rows, by_second):
    width, height = 900, 300
    end, top = max(rows[-1][0], 1), max(memory for _, memory in rows) * 1.15
    most = max([sum(counts.values()) for counts in by_second.values()] or [1])
    x, y = lambda at: 60 + at / end * (width - 80), lambda share: height - 30 - share * (height - 60)
    line = lambda points: " ".join(f"{x(at):.1f},{y(share):.1f}" for at, share in points)
    accepted = [(second, counts["accepted"] / most) for second, counts in sorted(by_second.items())]
    refused = [(second, counts["refused"] / most) for second, counts in sorted(by_second.items())]
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
        f'<polyline fill="none" stroke="#c9c9c9" points="{line(refused)}"/>'
        f'<polyline fill="none" stroke="#7aa874" points="{line(accepted)}"/>'
        f'<polyline fill="none" stroke="#b3261e" stroke-width="2" points="{line([(at, memory / top) for at, memory in rows])}"/>'
        f'<text x="60" y="18" fill="#b3261e">memory, 0 to {top:.0f} MiB</text>'
        f'<text x="260" y="18" fill="#4d7a47">searches accepted a second, 0 to {most}</text>'
        f'<text x="560" y="18" fill="#777">refused</text><text x="{width - 70}" y="{height - 8}">{end:.0f} s</text></svg>\n'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--binary", type=Path, default=Path("target/dist/afterglow"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--pictures", type=Path, default=Path(".cache/pictures"))
    parser.add_argument("--output", type=Path, default=Path("target/load"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="afterglow-load-") as folder:
        server = Server(options, Path(folder))
        try:
            defects = asyncio.run(measure(options, server))
        finally:
            server.stop()
    for defect in defects:
        print(f"DEFECT {defect}")
    raise SystemExit(1 if defects else 0)


async def measure(options, server):
    selfie = (options.pictures / "obama.jpg").read_bytes()
    tokens = []
    for _ in range(PHOTOGRAPHERS):
        client = Client(f"http://{server.host}:{server.port}")
        await asyncio.to_thread(sign_up_photographer, client, server.data, 100_000, str(options.binary.resolve()))
        tokens.append(client.token)
    status, event = client.call("POST", "/api/events/", {"name": "Load", "date": "2026-11-14"})
    assert status == 201, event
    for name in ("obama.jpg", "obama2.jpg"):
        fields = [("photos", options.pictures / name), ("event_id", event["id"])]
        assert client.call("POST", "/api/photos/upload", form=fields)[0] == 201
    while client.call("GET", f"/api/events/{event['slug']}")[1]["indexing"]["indexed"] < 2:
        await asyncio.sleep(0.2)

    load = Load(server, event["slug"], tokens, selfie)
    able, before = await capacity(load, 10)
    print(f"before         {able:.1f} searches/s; one alone p50 {percentile(before, .5) * 1000:.0f} ms, p95 {percentile(before, .95) * 1000:.0f} ms")
    load.outcomes.clear()
    load.by_second.clear()
    rows, started = [], time.monotonic()
    sampling = asyncio.create_task(sample(server, rows, started))
    running = await load.run(2 * able, options.seconds)
    print(f"load           {2 * able:.1f} searches/s for {options.seconds} s, with {', '.join(f'{part:g} {kind}' for kind, part in KINDS.items() if kind != 'search')} for each")
    outcomes = {key: sorted(values) for key, values in load.outcomes.items()}
    await asyncio.sleep(10)
    sampling.cancel()
    after = [await load.search() for _ in range(20)]
    ready = await load.exchange("after", "GET", "/api/ready")
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)

    for (kind, outcome), values in sorted(outcomes.items(), key=str):
        print(f"{kind:<14} {outcome!s:<24} {len(values):>6}  p50 {percentile(values, .5) * 1000:>7.0f}  p95 {percentile(values, .95) * 1000:>7.0f}  max {values[-1] * 1000:>7.0f} ms")
    with (options.output / "load.csv").open("w") as csv:
        csv.write("second,anonymous_mib,accepted,refused,other\n")
        for at, memory in rows:
            counts = load.by_second[int(at)]
            csv.write(f"{at:.0f},{memory:.1f},{counts['accepted']},{counts['refused']},{counts['other']}\n")
    plot(options.output / "load.svg", rows, load.by_second)

    third, end = rows[len(rows) // 3][1], max(memory for _, memory in rows[-10:])
    took = sorted(seconds for _, seconds in after)
    print(f"memory         {rows[0][1]:.0f} MiB at the start, {third:.0f} at a third, most {max(m for _, m in rows):.0f}, {end:.0f} at the end ({options.output}/load.svg)")
    print(f"10 s after it  p50 {percentile(took, .5) * 1000:.0f} ms, p95 {percentile(took, .95) * 1000:.0f} ms; /api/ready {ready[0]}")

    defects = []
    accepted = outcomes.get(("search", 200), [])
    if not accepted or accepted[-1] > DEADLINE:
        defects.append(f"an accepted search took {accepted[-1] if accepted else 0:.1f} s")
    refused = sorted(value for (_, outcome), values in outcomes.items() if outcome in REFUSED for value in values)
    if percentile(refused, 0.95) > 0.1:
        defects.append(f"what was refused took {percentile(refused, .95) * 1000:.0f} ms (p95)")
    others = [key for key in outcomes if isinstance(key[1], int) and key[1] >= 500 and key[1] != 503]
    if others:
        defects.append(f"answered with {others}")
    if end > third * 1.25:
        defects.append(f"memory grew from {third:.0f} to {end:.0f} MiB")
    if any(outcome != 200 for outcome, _ in after) or ready[0] != 200:
        defects.append(f"after it: {Counter(outcome for outcome, _ in after)}, ready {ready[0]}")
    if percentile(took, 0.5) > 2 * percentile(before, 0.5) + 0.1:
        defects.append("10 s after it searches take more than twice what they took before")
    return defects


if __name__ == "__main__":
    main()
