"""Container images that others make are named by digest: a tag can be moved to something else."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = "${AFTERGLOW_IMAGE:-afterglow:latest}"
PINNED = re.compile(r"[a-z0-9./-]+:[\w.-]+@sha256:[0-9a-f]{64}")


def foreign_images():
    """Each image that is named in a compose file, or as a base of the Containerfile, but our own."""
    for file in sorted((ROOT / "deploy").glob("compose*.yml")):
        for name in re.findall(r"^\s*image:\s*(\S+)", file.read_text(), re.MULTILINE):
            if name != OURS:
                yield file.name, name
    for name in re.findall(r"^(?:ARG BASE=|FROM (?!\$))(\S+)", (ROOT / "Containerfile").read_text(), re.MULTILINE):
        yield "Containerfile", name


class Images(unittest.TestCase):
    def test_each_image_has_a_tag_for_people_and_a_digest(self):
        images = list(foreign_images())
        self.assertGreaterEqual(len(images), 5)
        for file, name in images:
            with self.subTest(file=file):
                self.assertRegex(name, rf"\A{PINNED.pattern}\Z")

    def test_an_image_has_one_digest_everywhere(self):
        digests = {}
        for _, name in foreign_images():
            tag, _, digest = name.partition("@")
            self.assertEqual(digests.setdefault(tag, digest), digest, tag)


if __name__ == "__main__":
    unittest.main()
