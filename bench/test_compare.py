"""The arithmetic of the comparison and of the fairness figures, without models or pictures of people."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent))

import compare
import fairness
import pipelines

PRINTED = """detector: 8-bit integers (VNNI)
240 photos, 815 faces, 180 searches, 3 selfies refused
  Somebody: No face detected in image.
strictness  recall  precision  wrong  missed  strangers answered
strict      0.9340     0.9980      1      35  0 of 60
normal      0.9625     0.9961      2      20  1 of 60
loose       0.9700     0.9810     10      16  2 of 60
"""


class Comparison(unittest.TestCase):
    def test_the_products_own_table_is_read(self):
        expected = {"recall": 0.9625, "precision": 0.9961, "answered": 1, "strangers": 60, "refused": 3}
        self.assertEqual(compare.read_table(PRINTED), expected)
        with self.assertRaises(SystemExit):
            compare.read_table("something else")

    def test_the_others_are_counted_as_the_product_counts_itself(self):
        truth = {"people": {"a": ["1", "2"], "b": ["3"]}, "strangers": ["c", "d"]}
        found = {"selfies/a": ["1", "3"], "selfies/b": ["3"], "strangers/c": ["1", "2"], "strangers/d": []}
        counted = compare.tally(found, truth)
        self.assertEqual(counted, {"recall": 2 / 3, "precision": 2 / 3, "answered": 1, "strangers": 2})

    def test_the_page_names_machine_date_versions_and_medians(self):
        result = {"recall": 0.9, "precision": 0.99, "answered": 1, "strangers": 60, "refused": 0, "peak_mb": 512.3}
        results = {way: dict(result, rates=[3.0, 1.0, 2.5]) for way in compare.WAYS}
        about = {"date": "1 May 2026", "machine": "a machine", "load": "2.0", "versions": "all of them", "rounds": 3, "sample": 48}
        page = compare.document(results, about, "240 photos")
        for part in ("1 May 2026", "a machine", "all of them", "240 photos", "| 2.50 (1.00, 2.50, 3.00) | 512 |"):
            self.assertIn(part, page)
        rows = [line for line in page.splitlines() if line.startswith("| ") and "1 of 60" in line]
        self.assertEqual(len(rows), len(compare.WAYS))
        self.assertEqual({line.count("|") for line in rows}, {8})

    def test_every_version_is_pinned(self):
        lines = (Path(compare.__file__).parent / "requirements.txt").read_text().splitlines()
        packages = [line for line in lines if line and not line.startswith("#")]
        self.assertTrue(all(re.match(r"^[a-z-]+(==|>=)\d", line) for line in packages), packages)

    def test_without_pictures_it_says_what_is_missing(self):
        with tempfile.TemporaryFile("w+") as errors:
            stderr, sys.stderr = sys.stderr, errors
            data = compare.os.environ.pop("EVAL_DIR", None)
            try:
                with self.assertRaises(SystemExit):
                    compare.parse_arguments([])
            finally:
                sys.stderr = stderr
                if data is not None:
                    compare.os.environ["EVAL_DIR"] = data
            errors.seek(0)
            self.assertIn("EVAL_DIR", errors.read())


class PlainWay(unittest.TestCase):
    def test_a_face_is_turned_upright(self):
        # A picture whose pixel at each landmark is marked; in the chip the marks are where the template says.
        template = np.array([[38.0, 51.0], [73.0, 51.0], [56.0, 71.0], [41.0, 92.0], [70.0, 92.0]])
        angle, factor = 0.3, 1.7
        turn = factor * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        points = template @ turn.T + (30, 5)
        for (x, y), (u, v) in zip(template, points):
            a, b, c, d, e, f = pipelines.inverse_similarity(points, template)
            self.assertAlmostEqual(a * x + b * y + c, u, 6)
            self.assertAlmostEqual(d * x + e * y + f, v, 6)

    def test_boxes_overlap_by_shared_area(self):
        self.assertAlmostEqual(pipelines.overlap([0, 0, 2, 2], [1, 0, 3, 2]), 1 / 3)
        self.assertEqual(pipelines.overlap([0, 0, 1, 1], [2, 2, 3, 3]), 0)

    def test_pictures_are_read_upright(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.png"
            exif = Image.Exif()
            exif[0x0112] = 6
            Image.new("RGB", (4, 2)).save(file, exif=exif)
            self.assertEqual(pipelines.upright(file).size, (2, 4))


class Fairness(unittest.TestCase):
    def test_the_group_goes_by_family_names(self):
        # Made-up names.
        for name in ("Tanaka_Example", "Example_Tanaka", "Lee_Ex-ample", "Example_Wei_Zhang"):
            self.assertTrue(fairness.is_east_asian(name), name)
        for name in ("Example_Lee", "Tanakas_Example", "Example", "Kim_One_Two_Three", "Example_Kim"):
            self.assertFalse(fairness.is_east_asian(name), name)

    def test_rates_are_those_of_the_pairs(self):
        # Four people with two pictures each; the two of the group look alike.
        one, other, third, fourth = np.eye(4)
        alike = (other + 2 * one) / np.sqrt(5)
        vectors = np.array([one, one, alike, alike, third, third, fourth, fourth])
        names = np.array([name for name in ("Wang_A", "Wang_B", "Smith_A", "Smith_B") for _ in range(2)])
        pairs = fairness.Pairs(fairness.alone(vectors), names)
        self.assertEqual(int(pairs.both.sum()), 4)
        self.assertEqual(int(pairs.rest.sum()), 20)
        self.assertEqual(pairs.rates(0.5), (1.0, 0.0, 1.0))
        self.assertEqual(pairs.rates(-1.0), (1.0, 1.0, 1.0))
        low, high = pairs.range_of_ratio(-1.0, np.random.default_rng(1))
        self.assertTrue(low <= 1.0 <= high)
        self.assertIn("4 people, 8 pictures; in the group 2 people, 4 pairs", fairness.size(pairs))
        self.assertEqual(len(list(fairness.report(pairs, [-1.0, 0.5]))), 3)

    def test_each_pair_of_people_counts_once_in_the_ratio_of_people(self):
        # Of the group one pair of people of two passes, which has nine pairs of pictures of ten.
        names = np.array(["Wang_A"] * 3 + ["Wang_B"] * 3 + ["Wang_C"] * 1 + ["Smith_A", "Smith_B"])
        one, third, fourth, fifth = np.eye(4)
        vectors = np.array([one] * 6 + [third, fourth, fifth])
        pairs = fairness.Pairs(fairness.alone(vectors), names)
        self.assertAlmostEqual(pairs.rates(0.5)[0], 9 / 15)
        (ratio, _), counts = pairs.of_people(0.5)
        self.assertTrue(np.isnan(ratio), "none of the others passes")
        self.assertEqual(counts, [(1, 3), (0, 7)])
        (ratio, without), counts = pairs.of_people(-1.0)
        self.assertAlmostEqual(ratio, 1.0)
        self.assertAlmostEqual(without, 1.0)
        self.assertEqual(counts, [(3, 3), (7, 7)])
        self.assertAlmostEqual(pairs.threshold_that_finds(1.0), 1.0)

    def test_the_pair_that_adds_most_is_told_apart(self):
        # Of three pairs in the group one passes, of the others one of seven.
        names = np.array(["Wang_A", "Wang_B", "Wang_C", "Smith_A", "Smith_B"])
        one, other, third = np.eye(3)
        pairs = fairness.Pairs(fairness.alone(np.array([one, one, other, third, third])), names)
        (ratio, without), counts = pairs.of_people(0.5)
        self.assertAlmostEqual(ratio, 7 / 3)
        self.assertTrue(np.isnan(without), "without it nobody is mixed up on either side")
        self.assertEqual(counts, [(1, 3), (1, 7)])

    def test_pictures_of_one_person_lift_each_other_and_nobody_else(self):
        # The second looks much like the first and like the third, which look less alike.
        lift = 0.05
        how = (5, 0.66, lift, 0.53)
        at = lambda degrees: [np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0]
        vectors = np.array([at(0), at(40), at(80), [0, 0, 1]])
        alone, together = fairness.alone(vectors), fairness.together(vectors, *how)
        self.assertGreater(together[0, 2], alone[0, 2] + lift / 2)
        self.assertLessEqual((together - alone)[0, 2], lift + 1e-9)
        np.testing.assert_allclose(together[3, :3], 0, atol=1e-9)
        # Two of which neither is like the first vouch for nobody.
        vectors = np.array([at(0), at(60), at(95)])
        self.assertLessEqual((fairness.together(vectors, *how) - fairness.alone(vectors))[0, 2], 1e-9)

    def test_the_threshold_of_a_rate_lets_that_part_of_the_others_pass(self):
        generator = np.random.default_rng(2)
        vectors = generator.standard_normal((60, 16))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        pairs = fairness.Pairs(fairness.alone(vectors), np.array(["Person_%d" % (at // 2) for at in range(60)]))
        passed = (pairs.scores[pairs.rest] >= pairs.threshold(0.1)).mean()
        self.assertAlmostEqual(passed, 0.1, 2)
        self.assertEqual(json.dumps(pairs.in_group.tolist()), json.dumps([False] * 30))


if __name__ == "__main__":
    unittest.main()
