#!/usr/bin/env python3
"""Makes an event with known answers from pictures of people: photos of several faces, selfies, strangers.

    make_event.py PEOPLE OUT [--photos 300] [--attendees 120] [--strangers 60] [--seed 1] [--case NAME]...

PEOPLE has a folder of JPEGs for each person, such as Labeled Faces in the Wild. OUT gets photos/*.jpg,
selfies/PERSON.jpg, strangers/PERSON.jpg (people who are in no photo) and truth.json:

    {"photos": {FILE: [PERSON]}, "people": {PERSON: [FILE]}, "strangers": [PERSON], "faces": {FILE: {PERSON: WIDTH}}}

Everything follows from the seed, and a case changes neither who is in which photo nor the selfies: what it costs is the
difference between two events. Needs Pillow and numpy, which `make models` installs in .cache/models-venv.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from hard_cases import CASES, Case

# A picture of Labeled Faces in the Wild has a face of about 95 in 250 of its width.
SIDE, FACE = 250, 95
WIDTHS = [40, 60, 90, 130, 180, 250, 330, 420]


class Chain(Case):
    """Several cases, one after the other, with a random source of their own for each photo."""

    def __init__(self, names, seed):
        self.cases = [CASES[name]() for name in names]
        self.names, self.seed = names, seed
        self.random = None

    def begin(self, file):
        self.random = random.Random("%s/%s/%s" % (self.seed, "+".join(self.names), file))

    def apply(self, hook, value):
        for case in self.cases:
            value = getattr(case, hook)(value, self.random)
        return value

    def save(self, picture, path, **options):
        for case in self.cases:
            picture, options = case.saving(picture, options, self.random)
        picture.save(path, **options)


def pictures(people):
    folders = (folder for folder in sorted(Path(people).iterdir()) if folder.is_dir())
    return {folder.name: sorted(folder.glob("*.jpg")) for folder in folders}


def relit(picture, r):
    picture = ImageEnhance.Brightness(picture).enhance(r.uniform(0.6, 1.35))
    picture = ImageEnhance.Contrast(picture).enhance(r.uniform(0.75, 1.3))
    picture = ImageEnhance.Color(picture).enhance(r.uniform(0.5, 1.3))
    warmth = np.array([r.uniform(0.92, 1.12), 1, r.uniform(0.85, 1.1)], np.float32)
    return Image.fromarray(np.clip(np.asarray(picture, np.float32) * warmth, 0, 255).astype(np.uint8))


def backdrop(width, height, r):
    generator = np.random.default_rng(r.randrange(1 << 30))
    coarse = generator.uniform(20, 220, (r.randint(4, 9), r.randint(5, 12), 3)).astype(np.uint8)
    picture = Image.fromarray(coarse).resize((width, height), Image.BICUBIC)
    draw = ImageDraw.Draw(picture, "RGBA")
    for _ in range(r.randint(10, 40)):
        x, y, size = r.randrange(width), r.randrange(height), r.randint(20, 300)
        colour = tuple(r.randrange(256) for _ in range(3)) + (r.randint(20, 110),)
        draw.ellipse([x, y, x + size, y + size], fill=colour)
    grain = generator.normal(0, 6, (height // 2, width // 2, 1)).repeat(2, 0).repeat(2, 1)[:height, :width]
    pixels = np.asarray(picture, np.float32)[: grain.shape[0], : grain.shape[1]] + grain
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).resize((width, height))


def paste(canvas, path, face, place, r, case):
    """Pastes a person so that the face is `face` pixels wide, or as wide as the case says; returns the width."""
    picture = relit(case.apply("person", Image.open(path).convert("RGB")), r)
    wide = case.apply("width", face)
    side = max(60, round(SIDE * wide / FACE))
    picture = picture.resize((side, side), Image.LANCZOS)
    if r.random() < 0.25:
        picture = picture.filter(ImageFilter.GaussianBlur(wide / FACE * r.uniform(0.3, 1.0)))
    mask = Image.new("L", (side, side), 0)
    margin = side // 12
    ImageDraw.Draw(mask).rounded_rectangle([margin, margin, side - margin, side - margin], side // 5, fill=255)
    mask = mask.filter(ImageFilter.GaussianBlur(side / 30))
    angle = case.apply("angle", r.gauss(0, 9))
    canvas.paste(picture.rotate(angle, Image.BICUBIC), place, mask.rotate(angle, Image.BICUBIC))
    return wide


def photo(paths, width, height, r, case):
    """A photo of the people of `paths`, and the widths of their faces."""
    if r.random() < 0.25:
        width, height = height, width
    canvas = case.apply("backdrop", backdrop(width, height, r))
    columns, rows = (3, 2) if width > height else (2, 3)
    cells = [(column, row) for column in range(columns) for row in range(rows)]
    r.shuffle(cells)
    widths = []
    for path, (column, row) in zip(paths, cells):
        wide, high = width // columns, height // rows
        face = min(r.choice(WIDTHS) * r.uniform(0.9, 1.1), min(wide, high) * FACE / SIDE)
        # Drawn for the width without the case: no case makes a face larger than this.
        side = round(SIDE * face / FACE)
        place = (column * wide + r.randint(0, max(0, wide - side)), row * high + r.randint(0, max(0, high - side)))
        widths.append(paste(canvas, path, face, place, r, case))
    return case.apply("photo", canvas), widths


def selfie(path, r):
    picture = relit(Image.open(path).convert("RGB"), r).resize((900, 900), Image.LANCZOS)
    return picture.crop((150, 100, 750, 900)).rotate(r.gauss(0, 4), Image.BICUBIC)


def guest_list(people, options, r):
    """Attendees have several pictures, strangers and the others in the photos one or two."""
    several = [name for name, files in people.items() if len(files) >= 3]
    r.shuffle(several)
    few = [name for name, files in people.items() if len(files) < 3]
    r.shuffle(few)
    return several[: options.attendees], few[: options.strangers], few[options.strangers :]


def make(options):
    """Writes the event; returns the truth."""
    r = random.Random(options.seed)
    width, height = map(int, options.size.split("x"))
    case = Chain(options.case, options.seed)
    people = pictures(options.people)
    attendees, strangers, others = guest_list(people, options, r)
    out = Path(options.out)
    for folder in ("photos", "selfies", "strangers"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    pool = [(name, path) for name in attendees for path in people[name][1:]]
    r.shuffle(pool)
    truth = {"photos": {}, "people": {name: [] for name in attendees}, "strangers": strangers, "faces": {}}
    for number in range(options.photos):
        count = r.choice([1, 1, 2, 2, 3, 3, 4, 5, 6])
        chosen = {}
        while len(chosen) < count:
            if r.random() < 0.7 or not others:
                name, path = pool[r.randrange(len(pool))]
            else:
                name = r.choice(others)
                path = people[name][0]
            chosen.setdefault(name, path)
        file = "IMG_%04d.jpg" % (number + 1)
        case.begin(file)
        picture, widths = photo(chosen.values(), width, height, r, case)
        case.save(picture, out / "photos" / file, quality=r.choice([82, 88, 92]))
        truth["photos"][file] = list(chosen)
        truth["faces"][file] = {name: round(wide, 1) for name, wide in zip(chosen, widths)}
        for name in chosen:
            if name in truth["people"]:
                truth["people"][name].append(file)
    for folder, names in (("selfies", attendees), ("strangers", strangers)):
        for name in names:
            selfie(people[name][0], r).save(out / folder / (name + ".jpg"), quality=88)
    truth["people"] = {name: files for name, files in truth["people"].items() if files}
    (out / "truth.json").write_text(json.dumps(truth, indent=1))
    return truth


def parse_arguments(arguments=None):
    cases = "\n".join("  %-15s %s" % (name, case.__doc__) for name, case in CASES.items())
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="cases:\n" + cases, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("people")
    parser.add_argument("out")
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--attendees", type=int, default=120)
    parser.add_argument("--strangers", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", default="3000x2000")
    parser.add_argument("--case", action="append", default=[], choices=sorted(CASES), metavar="NAME", help="see below")
    return parser.parse_args(arguments)


def main():
    options = parse_arguments()
    truth = make(options)
    print(
        "%d photos, %d people in them, %d strangers -> %s"
        % (options.photos, len(truth["people"]), len(truth["strangers"]), options.out)
    )


if __name__ == "__main__":
    main()
