"""Replaces the output folder atomically, and tells whether it is up to date."""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

from downloads import BuildError, sha256

MARKER = "built.json"


def fingerprint(folder, options):
    """Identifies the output of a build: the builder's own files and the options of this run."""
    digest = hashlib.sha256(json.dumps(options, sort_keys=True).encode())
    for file in sorted(Path(folder).iterdir()):
        if file.suffix in (".py", ".json", ".txt") and not file.name.startswith("test_"):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def is_up_to_date(folder, expected):
    """Whether `folder` was built from exactly these inputs and none of its files has changed since."""
    try:
        marker = json.loads((Path(folder) / MARKER).read_text())
        return marker["inputs"] == expected and all(
            sha256(Path(folder) / name) == value for name, value in marker["files"].items()
        )
    except (OSError, ValueError, KeyError):
        return False


def reject_foreign(folder):
    """Raises if the folder to be replaced was not created by this builder."""
    folder = Path(folder)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).is_file():
        raise BuildError("%s has files that are not a model pack: choose another folder with --out." % folder)


@contextlib.contextmanager
def exclusive_lock(folder):
    """Runs one builder at a time; a second one waits and then finds the output up to date."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "models.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def atomic_replace(destination, inputs):
    """Yields an empty folder that replaces `destination` on success and is removed on failure."""
    destination = Path(destination)
    destination.parent.mkdir(parents=True, exist_ok=True)
    for leftover in destination.parent.glob(".%s.*" % destination.name):
        shutil.rmtree(leftover)
    fresh = destination.parent / (".%s.new" % destination.name)
    fresh.mkdir()
    try:
        yield fresh
        files = {file.name: sha256(file) for file in sorted(fresh.iterdir())}
        (fresh / MARKER).write_text(json.dumps({"inputs": inputs, "files": files}, indent=1) + "\n")
        for file in fresh.iterdir():
            fsync(file)
        fsync(fresh)
        aside = destination.parent / (".%s.old" % destination.name)
        if destination.exists():
            os.rename(destination, aside)
        os.rename(fresh, destination)
        fsync(destination.parent)
        shutil.rmtree(aside, ignore_errors=True)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def fsync(path):
    """Flushes a file or folder to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def run_alone(cache, work):
    """Does `work` while no other process does so with this cache; the exit status, its error told."""
    try:
        with exclusive_lock(cache):
            work()
    except BuildError as error:
        print("models: " + str(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("models: interrupted; nothing was changed", file=sys.stderr)
        return 130
    return 0
