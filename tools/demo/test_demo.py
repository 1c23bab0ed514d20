"""Tests of the demo's pictures that need neither network nor packages: python3 -m unittest (in tools/demo)."""

import io
import json
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from datetime import date, datetime
from pathlib import Path
from unittest import mock

import guests
import make_event
import scenes

EVENING = date(2026, 11, 21)


class Event(unittest.TestCase):
    def setUp(self):
        self.photos = scenes.event(17, EVENING)

    def test_it_is_worth_looking_at(self):
        self.assertGreaterEqual(len(self.photos), 60)
        self.assertGreaterEqual(len(guests.PEOPLE), 12)
        self.assertGreaterEqual(sum(len(photo.people()) >= 3 for photo in self.photos), 20)
        # The credits of a new account pay for it, and for the five pictures of an earlier demo.
        self.assertLessEqual(len(self.photos), 90)

    def test_everybody_is_in_several_photos_alone_and_with_others(self):
        for name in guests.PEOPLE:
            among = [photo.people() for photo in self.photos if name in photo.people()]
            self.assertGreaterEqual(len(among), 6, name)
            self.assertTrue(any(len(people) > 1 for people in among), name)

    def test_it_follows_from_the_seed(self):
        self.assertEqual(scenes.event(17, EVENING), self.photos)
        self.assertNotEqual(scenes.event(18, EVENING), self.photos)
        self.assertEqual(scenes.selfies(17), scenes.selfies(17))

    def test_it_is_spread_over_the_evening(self):
        moments = [photo.taken for photo in self.photos]
        self.assertEqual(moments, sorted(moments))
        self.assertGreaterEqual(moments[0], datetime(2026, 11, 21, 18, 40))
        self.assertLessEqual(moments[-1], datetime(2026, 11, 21, 23, 25))
        self.assertGreater((moments[-1] - moments[0]).total_seconds(), 3 * 3600)

    def test_crops_lie_in_their_pictures(self):
        crops = [crop for photo in self.photos for crop in photo.crops] + list(scenes.selfies(17).values())
        for crop in crops:
            left, top, right, bottom = crop.box
            width, height = guests.SIZES[crop.picture]
            self.assertTrue(0 <= left < right <= width and 0 <= top < bottom <= height, crop)

    def test_frames_cut_few_faces_through(self):
        # Half a face of the neighbour's is a person of its own for a gallery of people.
        crops = [crop for photo in self.photos for crop in photo.crops if photo.kind != "photo"]
        cut = [crop for crop in crops if crop.cut_faces() > 0]
        self.assertLessEqual(len(cut), len(crops) // 20)

    def test_letters_are_not_mirrored(self):
        crops = [crop for photo in self.photos for crop in photo.crops]
        self.assertTrue(any(crop.mirrored for crop in crops))
        for crop in crops:
            self.assertTrue(not crop.mirrored or crop.picture in guests.MIRRORED, crop)

    def test_a_selfie_shows_its_person(self):
        for name, crop in scenes.selfies(17).items():
            self.assertEqual(crop.people(), {name})

    def test_a_selfie_of_another_picture_is_in_no_photo(self):
        pictures = {crop.picture for photo in self.photos for crop in photo.crops}
        self.assertNotIn(scenes.selfies(17)["Barack"].picture, pictures)


class Crops(unittest.TestCase):
    def test_a_face_counts_when_most_of_it_is_there(self):
        face = guests.PEOPLE["Alma"][0]
        half = scenes.Crop(face.picture, (face.x, 0, 1920, 1280))
        self.assertFalse(half.shows(face))
        most = scenes.Crop(face.picture, (face.x - face.width // 4, 0, 1920, 1280))
        self.assertTrue(most.shows(face))
        self.assertFalse(scenes.Crop("sample3.jpg", (0, 0, 1920, 1350)).shows(face))

    def test_a_box_is_moved_and_shrunk_into_the_picture(self):
        self.assertEqual(scenes.around("astronaut.png", 0, 0, 100, 200), (0, 0, 100, 200))
        self.assertEqual(scenes.around("astronaut.png", 500, 500, 1024, 512), (0, 256, 512, 512))


class Deck(unittest.TestCase):
    def test_nobody_is_dealt_twice_and_everybody_as_often(self):
        deck = scenes.Deck(scenes.random.Random(1))
        dealt = [deck.deal(3) for _ in range(40)]
        self.assertTrue(all(len(set(names)) == 3 for names in dealt))
        counts = [sum(name in names for names in dealt) for name in guests.PEOPLE]
        self.assertLessEqual(max(counts) - min(counts), 1)


class Making(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "pictures"
        self.drawn = []

    def make(self, *arguments):
        """Runs the command without downloads and drawing; returns its exit status."""

        def write(folder, _paths, _seed, evening, inputs):
            self.drawn.append(evening)
            (folder / "photos").mkdir(parents=True)
            (folder / "event.json").write_text(json.dumps({"inputs": inputs, "date": evening.isoformat()}))

        with mock.patch.object(make_event, "CACHE", self.folder.parent / "cache"), mock.patch.object(
            make_event.environment, "activate", lambda cache: None
        ), mock.patch.object(make_event.Store, "fetch", lambda store, archive: {}), mock.patch.object(
            make_event, "write", write
        ), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as self.errors:
            return make_event.main([str(self.folder)] + list(arguments))

    def test_a_second_run_keeps_the_evening(self):
        self.assertEqual(self.make("--evening", "2026-11-21"), 0)
        self.assertEqual(self.make(), 0)
        self.assertEqual(self.drawn, [EVENING])

    def test_another_evening_or_seed_makes_other_pictures(self):
        self.make("--evening", "2026-11-21")
        self.make("--evening", "2026-11-22")
        self.make("--evening", "2026-11-22", "--seed", "18")
        self.assertEqual(len(self.drawn), 3)

    def test_a_folder_with_other_files_is_not_replaced(self):
        self.folder.mkdir()
        (self.folder / "thesis.txt").write_text("")
        self.assertEqual(self.make(), 1)
        self.assertIn("has other files", self.errors.getvalue())
        self.assertTrue((self.folder / "thesis.txt").exists())


class Pinning(unittest.TestCase):
    def test_every_picture_is_pinned(self):
        members = {member.name: member for archive in guests.ARCHIVES for member in archive.members}
        for name in guests.SIZES:
            self.assertRegex(members[name].sha256, "^[0-9a-f]{64}$")
        for archive in guests.ARCHIVES:
            self.assertRegex(archive.sha256, "^[0-9a-f]{64}$")
            self.assertTrue(any("LICENSE" in member.name for member in archive.members), archive.package)


if __name__ == "__main__":
    unittest.main()
