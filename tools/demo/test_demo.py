"""Tests of the demo's pictures that need neither network nor packages: python3 -m unittest (in tools/demo)."""

import io
import json
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from datetime import date
from pathlib import Path
from unittest import mock

import guests
import make_event
import scenes

EVENING = date(2026, 11, 21)


class Events(unittest.TestCase):
    def setUp(self):
        self.events = scenes.events(17, EVENING)
        self.photos = [photo for event in self.events for photo in event.photos]
        self.shots = [shot for photo in self.photos for shot in photo.shots]
        self.crops = [crop for shot in self.shots for crop in shot.crops]

    def test_they_are_worth_looking_at(self):
        self.assertGreaterEqual(len(self.photos), 60)
        # The credits of a new account pay for them.
        self.assertLessEqual(len(self.photos), 90)
        self.assertEqual([event.folder for event in self.events], ["wedding", "run"])
        self.assertGreaterEqual(sum(len(photo.people()) >= 3 for photo in self.photos), 20)
        self.assertEqual({shot.place for shot in self.shots}, set(backdrops_of(self.events)))

    def test_everybody_is_in_several_photos_alone_or_with_others(self):
        for event in self.events:
            for name in event.people():
                among = [photo.people() for photo in event.photos if name in photo.people()]
                self.assertGreaterEqual(len(among), 2, (event.folder, name))
        seen = {name: sum(name in photo.people() for photo in self.photos) for name in guests.PEOPLE}
        self.assertGreaterEqual(min(seen.values()), 3, seen)

    def test_they_follow_from_the_seed(self):
        self.assertEqual(scenes.events(17, EVENING), self.events)
        self.assertNotEqual(scenes.events(18, EVENING), self.events)
        self.assertEqual(scenes.selfies(17), scenes.selfies(17))

    def test_photos_are_taken_album_by_album(self):
        for event in self.events:
            self.assertEqual([album.name for album in event.albums], list(dict.fromkeys(p.album for p in event.photos)))
            for album in event.albums:
                moments = [photo.taken for photo in event.photos if photo.album == album.name]
                self.assertGreaterEqual(len(moments), 4, album.name)
                self.assertEqual(moments, sorted(moments))
        wedding, run = (event.photos[0].taken.date() for event in self.events)
        self.assertEqual((wedding, run), (EVENING, date(2026, 11, 14)))
        self.assertEqual(len({photo.name for photo in self.photos}), len(self.photos))

    def test_what_guests_do_is_about_those_who_are_there(self):
        for event in self.events:
            self.assertIn(event.cover(), [photo.name for photo in event.photos])
            self.assertIn(event.removed, event.people())
            described = make_event.described(event)
            self.assertEqual(sum(len(album["photos"]) for album in described["albums"]), len(event.photos))

    def test_nobody_has_a_straight_edge_where_the_picture_ends(self):
        for crop in self.crops:
            self.assertEqual(crop.cut_edges(), set(), crop)
        width, height = guests.SIZES["biden.jpg"]
        self.assertEqual(scenes.Crop("biden.jpg", (0, 0, width + 50, height)).cut_edges(), {"right"})
        self.assertEqual(scenes.Crop("biden.jpg", (0, 0, width, height + 1)).cut_edges(), {"bottom"})

    def test_frames_cut_few_faces_through(self):
        # Half a face of the neighbour's is a person of its own for a gallery of people.
        cut = [crop for crop in self.crops if crop.cut_faces() > 0]
        self.assertLessEqual(len(cut), len(self.crops) // 8)

    def test_letters_are_not_mirrored(self):
        self.assertTrue(any(crop.mirrored for crop in self.crops))
        for crop in self.crops:
            self.assertTrue(not crop.mirrored or crop.picture in guests.MIRRORED, crop)

    def test_a_selfie_shows_its_person_and_lies_in_its_picture(self):
        for name, crop in scenes.selfies(17).items():
            self.assertEqual(crop.people(), {name})
            left, top, right, bottom = crop.box
            width, height = guests.SIZES[crop.picture]
            self.assertTrue(0 <= left < right <= width and 0 <= top < bottom <= height, crop)

    def test_a_selfie_of_another_picture_is_in_no_photo(self):
        self.assertNotIn(scenes.selfies(17)["Barack"].picture, {crop.picture for crop in self.crops})

    def test_runners_have_numbers_of_their_own(self):
        numbers = [scenes.number(name) for name in scenes.RUNNERS]
        self.assertEqual(len(set(numbers)), len(numbers))
        self.assertTrue(all(shot.numbers for photo in self.events[1].photos for shot in photo.shots))


def backdrops_of(events):
    """The places of the albums, and those of prints and of the two men."""
    return {place for event in events for album in event.albums for place in album.places}


class Crops(unittest.TestCase):
    def test_a_face_counts_when_most_of_it_is_there(self):
        face = guests.PEOPLE["Cleo"][0]
        half = scenes.Crop(face.picture, (face.x, 0, 1920, 1280))
        self.assertFalse(half.shows(face))
        most = scenes.Crop(face.picture, (face.x - face.width // 4, 0, 1920, 1280))
        self.assertTrue(most.shows(face))
        self.assertFalse(scenes.Crop("sample4.jpg", (0, 0, 1920, 1350)).shows(face))

    def test_a_box_is_moved_and_shrunk_into_the_picture(self):
        self.assertEqual(scenes.around("astronaut.png", 0, 0, 100, 200), (0, 0, 100, 200))
        self.assertEqual(scenes.around("astronaut.png", 500, 500, 1024, 512), (0, 256, 512, 512))

    def test_somebody_beside_is_where_they_are_to_be(self):
        face = guests.PEOPLE["Joe"][0]
        crop = scenes.beside(scenes.Crop("obama3.jpg", (0, 0, 1500, 1000)), face, 0.75, 0.3, 0.2)
        left, top, right, bottom = crop.box
        self.assertAlmostEqual((face.x - left) / (right - left), 0.75, 2)
        self.assertAlmostEqual((face.y - top) / (bottom - top), 0.3, 2)
        self.assertAlmostEqual(crop.aspect(), 1.5, 2)


class Deck(unittest.TestCase):
    def test_nobody_is_dealt_twice_and_everybody_as_often(self):
        deck = scenes.Deck(scenes.random.Random(1), guests.PEOPLE)
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

        with (
            mock.patch.object(make_event, "CACHE", self.folder.parent / "cache"),
            mock.patch.object(make_event.environment, "activate", lambda cache: None),
            mock.patch.object(make_event.Store, "fetch", lambda store, archive: {}),
            mock.patch.object(make_event, "write", write),
            redirect_stdout(io.StringIO()),
            redirect_stderr(io.StringIO()) as self.errors,
        ):
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
    def test_every_picture_has_an_outline_that_lies_in_it(self):
        self.assertEqual(set(guests.OUTLINES), set(guests.SIZES))
        for picture, (width, height) in guests.SIZES.items():
            points = scenes.outline(picture)
            self.assertGreater(len(points), 30)
            self.assertTrue(all(0 <= x < width and 0 <= y < height for x, y in points), picture)

    def test_every_picture_is_pinned(self):
        members = {member.name: member for archive in guests.ARCHIVES for member in archive.members}
        for name in guests.SIZES:
            self.assertRegex(members[name].sha256, "^[0-9a-f]{64}$")
        for archive in guests.ARCHIVES:
            self.assertRegex(archive.sha256, "^[0-9a-f]{64}$")
            self.assertTrue(any("LICENSE" in member.name for member in archive.members), archive.package)


if __name__ == "__main__":
    unittest.main()
