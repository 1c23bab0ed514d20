"""Makes a finished folder appear in one step, and tells whether it is already the right one."""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
from pathlib import Path

from downloads import BuildError, sha256

MARKER = "built.json"


def fingerprint(folder, choices):
    """Identifies what the builder would make: its own files and the choices of this run."""
    digest = hashlib.sha256(json.dumps(choices, sort_keys=True).encode())
    for file in sorted(Path(folder).iterdir()):
        if file.suffix in (".py", ".json", ".txt") and not file.name.startswith("test_"):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current(folder, expected):
    """Whether `folder` was made from exactly these inputs and none of its files changed since."""
    try:
        marker = json.loads((Path(folder) / MARKER).read_text())
        return marker["inputs"] == expected and all(
            sha256(Path(folder) / name) == value for name, value in marker["files"].items()
        )
    except (OSError, ValueError, KeyError):
        return False


def refuse_foreign(folder):
    """Stops before a folder is replaced that this builder did not make."""
    folder = Path(folder)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).is_file():
        raise BuildError("%s holds files that are not a model pack: name another folder with --out." % folder)


@contextlib.contextmanager
def exclusively(folder):
    """Lets one builder work at a time; a second one waits and then finds the work done."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "models.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def replacing(destination, inputs):
    """Gives an empty folder beside `destination`; on success it takes its place, on failure it vanishes."""
    destination = Path(destination)
    destination.parent.mkdir(parents=True, exist_ok=True)
    for left_over in destination.parent.glob(".%s.*" % destination.name):
        shutil.rmtree(left_over)
    fresh = destination.parent / (".%s.new" % destination.name)
    fresh.mkdir()
    try:
        yield fresh
        files = {file.name: sha256(file) for file in sorted(fresh.iterdir())}
        (fresh / MARKER).write_text(json.dumps({"inputs": inputs, "files": files}, indent=1) + "\n")
        for file in fresh.iterdir():
            synchronise(file)
        synchronise(fresh)
        aside = destination.parent / (".%s.old" % destination.name)
        if destination.exists():
            os.rename(destination, aside)
        os.rename(fresh, destination)
        synchronise(destination.parent)
        shutil.rmtree(aside, ignore_errors=True)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def synchronise(path):
    """Waits until a file's or folder's contents are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
