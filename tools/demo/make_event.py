#!/usr/bin/env python3
"""Makes the pictures of the demo: a wedding and a run, and a selfie of everybody in their photos.

    make_event.py FOLDER [--evening 2026-11-21] [--seed 17]

FOLDER gets selfies/PERSON.jpg, event.json with the names of the events' folders, and those: photos/*.jpg with the times at
which they were taken, event.json with the event's name, day and albums, and truth.json with who is in which photo, for
`afterglow faces evaluate`. The people are cut out of a few pictures that packages of the registries carry (guests.py), which
are fetched and never committed; what is behind them is drawn. The same evening and seed make the same events. A folder that
is up to date is left as it is, with its evening.
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
    parser = argparse.ArgumentParser(description="Makes the pictures of the demo.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--evening", type=date.fromisoformat, help="the wedding's date (default: a week ago)")
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
    evening = options.evening or date.today() - timedelta(days=scenes.WEDDING.days_before)
    fresh = options.folder.parent / (".%s.new" % options.folder.name)
    shutil.rmtree(fresh, ignore_errors=True)
    write(fresh, paths, options.seed, evening, inputs)
    shutil.rmtree(options.folder, ignore_errors=True)
    os.replace(fresh, options.folder)
    photos, selfies = (len(list(options.folder.glob(pattern))) for pattern in ("*/photos/*", "selfies/*"))
    log("%d photos and %d selfies are in %s" % (photos, selfies, options.folder))


def is_up_to_date(options, inputs):
    try:
        description = json.loads((options.folder / DESCRIPTION).read_text())
        return description["inputs"] == inputs and options.evening in (None, date.fromisoformat(description["date"]))
    except (OSError, ValueError, KeyError):
        return False


def write(folder, paths, seed, evening, inputs):
    events, selfies = scenes.events(seed, evening), scenes.selfies(seed)
    log("drawing the demo's pictures")
    with ProcessPoolExecutor(initializer=open_pictures, initargs=(paths,)) as pool:
        tasks = []
        for event in events:
            (folder / event.folder / "photos").mkdir(parents=True)
            for photo in event.photos:
                tasks.append(pool.submit(write_photo, folder / event.folder / "photos" / photo.name, photo))
        (folder / "selfies").mkdir()
        tasks += [pool.submit(write_selfie, folder / "selfies" / (name + ".jpg"), crop) for name, crop in selfies.items()]
        for task in tasks:
            task.result()
    for event in events:
        names = event.people()
        truth = {name: [photo.name for photo in event.photos if name in photo.people()] for name in names}
        write_json(folder / event.folder / "truth.json", {"people": truth, "strangers": []})
        write_json(folder / event.folder / DESCRIPTION, described(event))
    names = [event.folder for event in events]
    write_json(folder / DESCRIPTION, {"inputs": inputs, "date": evening.isoformat(), "events": names})


def described(event):
    """The event as `afterglow demo` reads it."""
    albums = {album.name: [photo.name for photo in event.photos if photo.album == album.name] for album in event.albums}
    return {
        "name": event.name,
        "date": event.photos[0].taken.date().isoformat(),
        "description": event.description,
        "people": event.people(),
        "albums": [{"name": name, "photos": photos} for name, photos in albums.items()],
        "cover": event.cover(),
        "question": event.question,
        "wants_to_be_removed": event.removed,
    }


def write_json(path, content):
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


# What each drawing process has opened.
PICTURES = {}


def open_pictures(paths):
    from PIL import Image  # installed in the virtual environment

    import prints

    for name in guests.SIZES:
        with Image.open(paths[name]) as picture:
            PICTURES[name] = prints.cut_out(name, picture.convert("RGB"))


def write_photo(path, photo):
    import prints

    save(prints.drawn(PICTURES, photo), path, photo.taken)


def write_selfie(path, crop):
    import prints

    save(prints.selfie(PICTURES, crop), path, None)


def save(image, path, taken):
    from PIL import Image

    exif = Image.Exif()
    if taken is not None:
        exif.get_ifd(0x8769)[0x9003] = taken.strftime("%Y:%m:%d %H:%M:%S")  # DateTimeOriginal
    image.save(path, "JPEG", quality=88, exif=exif)


if __name__ == "__main__":
    sys.exit(main())
