#!/usr/bin/env python3
"""Makes an event of crowds from another one: photos side by side in one, each of them smaller by as much.

    crowds.py EVENT OUT [--side 2]

EVENT is as make_event.py makes it. With `--side 2` four photos make one, with 3 nine. The selfies stay as they are. Needs Pillow.
"""

import argparse
import json
import shutil
from pathlib import Path

from PIL import Image


def joined(paths, side, size):
    """The photos of `paths` in a grid of `side` columns, each as large as its cell allows."""
    canvas = Image.new("RGB", size, (96, 96, 96))
    cell = (size[0] // side, size[1] // side)
    for at, path in enumerate(paths):
        with Image.open(path) as picture:
            picture = picture.convert("RGB")
        picture.thumbnail(cell, Image.LANCZOS)
        canvas.paste(picture, (at % side * cell[0], at // side * cell[1]))
    return canvas


def make(event, out, side):
    """Writes the event; returns its truth."""
    truth = json.loads((event / "truth.json").read_text())
    (out / "photos").mkdir(parents=True, exist_ok=True)
    for folder in ("selfies", "strangers"):
        shutil.copytree(event / folder, out / folder, dirs_exist_ok=True)
    names = sorted(truth["photos"])
    photos = {}
    with Image.open(event / "photos" / names[0]) as first:
        size = (max(first.size), min(first.size))
    for start in range(0, len(names), side * side):
        group = names[start : start + side * side]
        file = "IMG_%04d.jpg" % (len(photos) + 1)
        joined([event / "photos" / name for name in group], side, size).save(out / "photos" / file, quality=90)
        photos[file] = sorted({person for name in group for person in truth["photos"][name]})
    people = {person: [file for file in photos if person in photos[file]] for person in truth["people"]}
    made = {"photos": photos, "people": people, "strangers": truth["strangers"]}
    (out / "truth.json").write_text(json.dumps(made, indent=1))
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("event", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--side", type=int, default=2)
    options = parser.parse_args()
    made = make(options.event, options.out, options.side)
    print("%d photos, %d people in them -> %s" % (len(made["photos"]), len(made["people"]), options.out))


if __name__ == "__main__":
    main()
