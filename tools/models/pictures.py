"""Test pictures of faces: for the pack's self-test, the tests and the demo. They are fetched, never committed."""

import os
import shutil
from pathlib import Path

import sources
from downloads import log, sha256, verify

SELF_TEST = "obama.jpg"
SELF_TEST_SIDE = 284  # pixels of the long side: small to ship, and the face is still 60 pixels wide


def members():
    return [member for member in sources.PICTURES.members if member.name.endswith(".jpg")]


def install(store, folder):
    """Copies the pictures into `folder`; each appears only when it is complete."""
    folder = Path(folder)
    if all((folder / member.name).is_file() and sha256(folder / member.name) == member.sha256 for member in members()):
        log("%s already has the pictures" % folder)
        return
    paths = store.fetch(sources.PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    for member in members():
        unfinished = folder / (".unfinished-" + member.name)
        shutil.copyfile(paths[member.name], unfinished)
        verify(unfinished, member.sha256, member.name)
        os.replace(unfinished, folder / member.name)
    log("%d pictures are in %s" % (len(members()), folder))


def write_self_test(store, destination):
    """The self-test picture as a binary PPM, which needs no image codec to read."""
    from PIL import Image  # installed in the virtual environment

    paths = store.fetch(sources.PICTURES)
    with Image.open(paths[SELF_TEST]) as picture:
        small = picture.convert("RGB")
    small.thumbnail((SELF_TEST_SIDE, SELF_TEST_SIDE), Image.LANCZOS)
    destination.write_bytes(b"P6\n%d %d\n255\n" % small.size + small.tobytes())
