"""Tests of drawing on made-up pictures; they need the builder's Pillow and numpy (.cache/models-venv)."""

import random
import tempfile
import unittest
from datetime import date
from pathlib import Path

import backdrops
import guests
import make_event
import prints
import scenes
from PIL import Image, ImageStat


def made_up():
    """The people of pictures of each size: a grey ramp, with a mark in the place of each face."""
    pictures = {}
    for name, size in guests.SIZES.items():
        pictures[name] = Image.linear_gradient("L").resize(size).convert("RGB")
    for faces in guests.PEOPLE.values():
        for face in faces:
            mark = Image.new("RGB", (face.width, round(face.height)), (200, 30, 30))
            pictures[face.picture].paste(mark, (face.x - face.width // 2, round(face.y - face.height / 2)))
    return {name: prints.cut_out(name, picture) for name, picture in pictures.items()}


class Prints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pictures = made_up()
        cls.photos = [photo for event in scenes.events(17, date(2026, 11, 21)) for photo in event.photos]

    def first(self, kind):
        return next(photo for photo in self.photos if photo.kind == kind)

    def test_every_kind_is_drawn_and_the_same_again(self):
        for kind in ("photo", "strips", "table", "line"):
            once, again = (prints.drawn(self.pictures, self.first(kind)) for _ in range(2))
            self.assertEqual(once.tobytes(), again.tobytes(), kind)
            self.assertGreaterEqual(min(once.size), 350, kind)

    def test_every_place_is_drawn_bright_and_without_people(self):
        for name, place in backdrops.PLACES.items():
            image = place(random.Random(1), (300, 200))
            self.assertEqual((image.size, image.mode), ((300, 200), "RGB"))
            self.assertGreater(sum(ImageStat.Stat(image.convert("L")).mean), 105, name)

    def test_people_are_cut_out_of_what_is_behind_them(self):
        for name, people in self.pictures.items():
            alpha = people.getchannel("A")
            for faces in guests.PEOPLE.values():
                for face in (face for face in faces if face.picture == name):
                    self.assertEqual(alpha.getpixel((face.x, face.y)), 255, name)
            self.assertLess(ImageStat.Stat(alpha).mean[0], 250, name)
            self.assertEqual(alpha.getpixel((3, 3)), 0, name)

    def test_a_frame_beyond_the_picture_is_empty_there(self):
        people = Image.new("RGBA", (100, 100), (255, 0, 0, 255))
        drawn = prints.placed(people, scenes.Crop("sample3.jpg", (-50, -50, 100, 100)), (300, 300))
        self.assertEqual((drawn.getpixel((50, 50))[3], drawn.getpixel((200, 200))), (0, (255, 0, 0, 255)))

    def test_a_mirrored_crop_is_mirrored(self):
        people = Image.new("RGBA", (1920, 1350), "black")
        people.paste("white", (0, 0, 960, 1350))
        crop = scenes.Crop("sample3.jpg", (0, 0, 1920, 1350), mirrored=True)
        drawn = prints.placed(people, crop, (100, 70)).convert("RGB")
        self.assertEqual((drawn.getpixel((5, 5)), drawn.getpixel((95, 5))), ((0, 0, 0), (255, 255, 255)))

    def test_what_is_blurred_keeps_its_colour_at_its_edge(self):
        spot = Image.new("RGBA", (100, 100))
        spot.paste((255, 255, 255, 255), (30, 30, 70, 70))
        red, _, _, alpha = backdrops.blurred(spot, 0.04).getpixel((29, 50))
        self.assertTrue(40 < alpha < 215 and red > 240, (red, alpha))

    def test_a_start_number_is_worn_where_it_fits(self):
        people = self.pictures["sample6.jpg"]
        for box, worn in (((0, 0, 1800, 1200), True), ((200, 300, 600, 800), False)):
            image = Image.new("RGBA", (900, 600))
            prints.wear_numbers(image, people, scenes.Crop("sample6.jpg", box))
            self.assertEqual(image.getbbox() is not None, worn, box)

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
