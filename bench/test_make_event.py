"""The simulated events: reproducible, and each hard case does what its name says. On generated pictures."""

import contextlib
import hashlib
import importlib.util
import io
import itertools
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageOps

sys.path.insert(0, str(Path(__file__).resolve().parent))

import make_event
from hard_cases import CASES, EYE_ROW, EYES, MOUTH_ROW, Case


def face(seed):
    """A drawn face, 250 pixels wide, brighter than what is behind it."""
    generator = np.random.default_rng(seed)
    picture = Image.fromarray(generator.integers(60, 120, (250, 250, 3), dtype=np.uint8))
    draw = ImageDraw.Draw(picture)
    draw.ellipse([78, 70, 172, 190], fill=(210, 170, 150))
    for eye in EYES:
        draw.ellipse([eye - 8, EYE_ROW - 5, eye + 8, EYE_ROW + 5], fill=(250, 250, 250))
    draw.rectangle([108, MOUTH_ROW - 4, 142, MOUTH_ROW + 4], fill=(170, 60, 60))
    return picture


class Events(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for person in range(14):
            (cls.folder / "people" / ("Person_%02d" % person)).mkdir(parents=True)
            for number in range(4 if person < 8 else 1):
                face(10 * person + number).save(
                    cls.folder / "people" / ("Person_%02d" % person) / ("%d.jpg" % number), quality=90
                )
        cls.events, cls.numbers = {}, itertools.count()

    def event(self, *cases, people=None, maker=make_event, photos=3, size="900x600"):
        """The folder of an event with these cases; it is made once."""
        key = (cases, people, maker.__name__, photos)
        if key not in self.events:
            out = self.folder / ("event-%d" % next(self.numbers))
            arguments = [str(people or self.folder / "people"), str(out), "--photos", str(photos), "--size", size]
            arguments += ["--attendees", "6", "--strangers", "2", "--seed", "4"]
            for case in cases:
                arguments += ["--case", case]
            maker.make(maker.parse_arguments(arguments))
            self.events[key] = out
        return self.events[key]

    def truth(self, *cases):
        return json.loads((self.event(*cases) / "truth.json").read_text())

    def photo(self, *cases, number=1):
        with Image.open(self.event(*cases) / "photos" / ("IMG_%04d.jpg" % number)) as picture:
            return np.asarray(picture.convert("RGB"), np.float32)

    def test_everything_follows_from_the_seed(self):
        for cases in ((), ("noise", "tilted")):
            first = self.event(*cases)
            self.events.pop((cases, None, "make_event", 3))
            second = self.event(*cases)
            self.assertNotEqual(first, second)
            self.assertEqual(contents(first), contents(second))

    def test_a_case_changes_the_photos_and_nothing_else(self):
        plain, expected = self.event(), self.truth()
        for case in CASES:
            with self.subTest(case):
                found = self.truth(case)
                for key in ("photos", "people", "strangers"):
                    self.assertEqual(found[key], expected[key])
                for folder in ("selfies", "strangers"):
                    self.assertEqual(contents(self.event(case) / folder), contents(plain / folder))
                changed, unchanged = contents(self.event(case) / "photos"), contents(plain / "photos")
                self.assertTrue(all(changed[name] != unchanged[name] for name in unchanged))

    def test_the_truth_has_the_width_of_every_face(self):
        truth = self.truth()
        for file, people in truth["photos"].items():
            self.assertEqual(sorted(truth["faces"][file]), sorted(people))
            self.assertTrue(all(width > 0 for width in truth["faces"][file].values()))

    def test_the_cases_add_up(self):
        both = self.truth("small", "exif-turned")
        self.assertTrue(all(24 <= width <= 40 for faces in both["faces"].values() for width in faces.values()))
        with Image.open(self.event("small", "exif-turned") / "photos" / "IMG_0001.jpg") as picture:
            self.assertIn(picture.getexif().get(0x0112), (3, 6, 8))

    def test_small_faces_are_24_to_40_pixels_wide(self):
        widths = [width for faces in self.truth("small")["faces"].values() for width in faces.values()]
        self.assertTrue(widths and all(24 <= width <= 40 for width in widths), widths)

    def test_noise_is_that_of_a_high_sensitivity(self):
        difference = self.photo("noise") - self.photo()
        self.assertGreater(difference.std(), 8)
        self.assertLess(difference.std(), 25)
        self.assertLess(abs(difference.mean()), 3)

    def test_motion_takes_the_edges_of_one_direction(self):
        def edges(pixels):
            return np.abs(np.diff(pixels, axis=0)).mean() + np.abs(np.diff(pixels, axis=1)).mean()

        self.assertLess(edges(self.photo("motion-blur")), 0.7 * edges(self.photo()))

    def test_faces_in_back_light_are_darker_than_what_is_behind_them(self):
        case, random = CASES["back-light"](), make_event.random.Random(1)
        person, behind = face(1), Image.new("RGB", (90, 60), (100, 100, 100))
        self.assertLess(np.mean(case.person(person, random)), 0.4 * np.mean(person))
        self.assertGreater(np.mean(case.backdrop(behind, random)), 150)
        self.assertGreater(self.photo("back-light").mean(), self.photo().mean())

    def test_coloured_light_leaves_one_colour(self):
        case = CASES["coloured-light"]()
        lit = np.asarray(case.photo(Image.new("RGB", (90, 60), (128, 128, 128)), make_event.random.Random(3)), np.float32)
        for column in (0, -1):
            colour = lit[:, column].mean(0)
            self.assertGreater(colour.max(), 1.6 * colour.min())
        self.assertGreater(np.abs(lit[:, 0] - lit[:, -1]).max(), 20)

    def test_sunglasses_hide_the_eyes_and_a_mask_the_mouth(self):
        random, plain = make_event.random.Random(2), np.asarray(face(1), np.float32)
        glasses = np.asarray(CASES["sunglasses"]().person(face(1), random), np.float32)
        for eye in EYES:
            self.assertLess(glasses[EYE_ROW - 5 : EYE_ROW + 5, eye - 8 : eye + 8].mean(), 60)
        self.assertTrue((glasses[MOUTH_ROW - 8 :] == plain[MOUTH_ROW - 8 :]).all())
        mask = np.asarray(CASES["mask"]().person(face(1), random), np.float32)
        self.assertLess(mask[MOUTH_ROW - 10 : MOUTH_ROW + 10, 108:142].std(0).max(), 25)
        self.assertTrue((mask[: EYE_ROW + 6] == plain[: EYE_ROW + 6]).all())

    def test_a_jpeg_of_quality_50_is_smaller(self):
        for file in sorted((self.event() / "photos").iterdir()):
            self.assertLess((self.event("jpeg-50") / "photos" / file.name).stat().st_size, 0.7 * file.stat().st_size)

    def test_heads_are_tilted_or_upside_down(self):
        random = make_event.random.Random(5)
        for name, least, most in (("tilted", 30, 70), ("lying", 70, 180)):
            angles = [CASES[name]().angle(3.0, random) for _ in range(200)]
            self.assertTrue(all(least <= abs(angle) <= most for angle in angles))
            self.assertTrue(min(angles) < 0 < max(angles))

    def test_pixels_that_are_turned_or_mirrored_are_read_upright(self):
        picture = face(7).crop((0, 0, 250, 200))
        for name, orientations in (("exif-turned", {3, 6, 8}), ("exif-mirrored", {2, 4, 5, 7})):
            case, random, seen = CASES[name](), make_event.random.Random(6), set()
            for _ in range(40):
                stored, options = case.saving(picture, {"quality": 95}, random)
                file = self.folder / "turned.png"
                stored.save(file, exif=options["exif"])
                with Image.open(file) as read:
                    seen.add(read.getexif()[0x0112])
                    self.assertEqual(ImageOps.exif_transpose(read).tobytes(), picture.tobytes())
            self.assertEqual(seen, orientations)

    def test_a_case_that_changes_nothing_is_the_plain_event(self):
        chain, picture = make_event.Chain([], 1), face(1)
        chain.begin("a.jpg")
        for hook in ("person", "backdrop", "photo"):
            self.assertIs(chain.apply(hook, picture), picture)
        self.assertEqual(Case().saving(picture, {}, None), (picture, {}))

    def test_the_documented_events_are_still_the_same(self):
        data = os.environ.get("EVAL_DIR")
        if not data or not (Path(data) / "make_event.py").is_file():
            self.skipTest("EVAL_DIR has no maker of events to compare with")
        before = load(Path(data) / "make_event.py")
        people = Path(data) / "people"
        out = self.folder / "before"
        argv, sys.argv = sys.argv, ["make_event.py", str(people), str(out), "--photos", "2", "--seed", "4"]
        sys.argv += ["--attendees", "6", "--strangers", "2", "--size", "900x600"]
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                before.main()
        finally:
            sys.argv = argv
        expected, found = contents(out), contents(self.event(people=people, photos=2))
        for name in expected:
            if name.endswith(".jpg"):
                self.assertEqual(found[name], expected[name], name)


def load(file):
    description = importlib.util.spec_from_file_location("make_event_before", file)
    module = importlib.util.module_from_spec(description)
    description.loader.exec_module(module)
    return module


def contents(folder):
    """The SHA-256 of every file, by its path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


if __name__ == "__main__":
    unittest.main()
