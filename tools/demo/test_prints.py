"""Tests of drawing on made-up pictures; they need the builder's Pillow and numpy (.cache/models-venv)."""

import tempfile
import unittest
from datetime import date
from pathlib import Path

import guests
import make_event
import prints
import scenes
from PIL import Image


def made_up():
    """A picture of each size: a grey ramp, with a mark in the place of each face."""
    pictures = {}
    for name, size in guests.SIZES.items():
        pictures[name] = Image.linear_gradient("L").resize(size).convert("RGB")
    for faces in guests.PEOPLE.values():
        for face in faces:
            mark = Image.new("RGB", (face.width, round(face.height)), (200, 30, 30))
            pictures[face.picture].paste(mark, (face.x - face.width // 2, round(face.y - face.height / 2)))
    return pictures


class Prints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pictures = made_up()
        cls.photos = scenes.event(17, date(2026, 11, 21))

    def first(self, kind):
        return next(photo for photo in self.photos if photo.kind == kind)

    def test_every_kind_is_drawn_and_the_same_again(self):
        for kind in ("photo", "strips", "table", "line"):
            once, again = (prints.drawn(self.pictures, self.first(kind)) for _ in range(2))
            self.assertEqual(once.tobytes(), again.tobytes(), kind)
            self.assertGreaterEqual(min(once.size), 350, kind)

    def test_every_crop_fills_its_size(self):
        for photo in self.photos:
            for crop in photo.crops:
                self.assertEqual(prints.develop(self.pictures, crop, (90, 120)).size, (90, 120))

    def test_a_turned_crop_has_no_empty_corners(self):
        white = {"sample1.jpg": Image.new("RGB", guests.SIZES["sample1.jpg"], "white")}
        crop = scenes.Crop("sample1.jpg", (0, 0, 1920, 1280), tilt=3.0)
        drawn = prints.develop(white, crop, (300, 200))
        self.assertEqual(drawn.getextrema(), ((255, 255),) * 3)

    def test_a_mirrored_crop_is_mirrored(self):
        picture = Image.new("RGB", guests.SIZES["sample3.jpg"], "black")
        picture.paste("white", (0, 0, 960, 1350))
        crop = scenes.Crop("sample3.jpg", (0, 0, 1920, 1350), mirrored=True)
        drawn = prints.develop({"sample3.jpg": picture}, crop, (100, 70))
        self.assertEqual((drawn.getpixel((5, 5)), drawn.getpixel((95, 5))), ((0, 0, 0), (255, 255, 255)))

    def test_a_photo_says_when_it_was_taken_and_a_selfie_does_not(self):
        photo = self.first("photo")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.jpg"
            make_event.save(Image.new("RGB", (8, 8)), path, photo.taken)
            with Image.open(path) as opened:
                taken = opened.getexif().get_ifd(0x8769)[0x9003]
            self.assertEqual(taken, photo.taken.strftime("%Y:%m:%d %H:%M:%S"))
            make_event.save(Image.new("RGB", (8, 8)), path, None)
            with Image.open(path) as opened:
                self.assertEqual(dict(opened.getexif().get_ifd(0x8769)), {})


if __name__ == "__main__":
    unittest.main()
