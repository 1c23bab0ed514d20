"""Test pictures of faces: for the pack's self-test, the tests and the demo. They are fetched, never committed."""

import os
import shutil
from pathlib import Path

import sources
from downloads import check, say, sha256

SELF_TEST = "obama.jpg"
SELF_TEST_SIDE = 284  # pixels of the long side: small to ship, and the face is still 60 pixels wide


def wanted():
    return [member for member in sources.PICTURES.members if member.name.endswith(".jpg")]


def provide(store, folder):
    """Puts the pictures into `folder`, each whole or not at all."""
    folder = Path(folder)
    if all((folder / member.name).is_file() and sha256(folder / member.name) == member.sha256 for member in wanted()):
        say("%s has the pictures already" % folder)
        return
    paths = store.fetch(sources.PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    for member in wanted():
        unfinished = folder / (".unfinished-" + member.name)
        shutil.copyfile(paths[member.name], unfinished)
        check(unfinished, member.sha256, member.name)
        os.replace(unfinished, folder / member.name)
    say("%d pictures are in %s" % (len(wanted()), folder))


def write_self_test(store, destination):
    """The self-test picture as a binary PPM, which needs no image codec to read."""
    from PIL import Image  # lives in the builder's private environment

    paths = store.fetch(sources.PICTURES)
    with Image.open(paths[SELF_TEST]) as picture:
        small = picture.convert("RGB")
    small.thumbnail((SELF_TEST_SIDE, SELF_TEST_SIDE), Image.LANCZOS)
    destination.write_bytes(b"P6\n%d %d\n255\n" % small.size + small.tobytes())
