"""Tests of the packages' builder that compile nothing: python3 -m unittest (in tools/package)."""

import gzip
import json
import sys
import tempfile
import unittest
from pathlib import Path

if sys.version_info < (3, 11):
    raise unittest.SkipTest("packages are built with Python 3.11 or newer")

import build
import components
import sbom
from components import Component

# Answers as the binary does.
BINARY = """\
#!/bin/sh
case $1 in
manual) for page in afterglow afterglow-user; do echo ".TH $page" > "$2/$page.1"; done ;;
completions) echo "for $2" ;;
*) exit 2 ;;
esac
"""


def crate(name, source="registry", licence="MIT"):
    return {
        "id": name,
        "name": name,
        "version": "1.0.0",
        "source": source,
        "license": licence,
        "manifest_path": f"/registry/{name}/Cargo.toml",
    }


def node(name, *dependencies):
    deps = [{"pkg": target, "dep_kinds": [{"kind": kind}]} for target, kind in dependencies]
    return {"id": name, "deps": deps}


class Parts(unittest.TestCase):
    def test_what_is_linked_is_listed_and_what_only_builds_or_tests_is_not(self):
        metadata = {
            "packages": [crate("server", source=None), crate("app", source=None), crate("axum", licence="MIT/Apache-2.0")]
            + [crate("cc"), crate("proptest"), crate("unrelated")],
            "resolve": {
                "nodes": [
                    node("server", ("app", None), ("cc", "build"), ("proptest", "dev")),
                    node("app", ("axum", None)),
                    *(node(name) for name in ("axum", "cc", "proptest", "unrelated")),
                ]
            },
        }
        lock = {"package": [{"name": name, "version": "1.0.0", "checksum": "ab"} for name in ("axum", "cc")]}
        found = list(components.crates(metadata, lock))
        self.assertEqual(found, [Component("cargo", "axum", "1.0.0", "MIT OR Apache-2.0", "ab")])
        self.assertEqual(found[0].purl, "pkg:cargo/axum@1.0.0")

    def test_npm_packages_that_are_only_tools_are_not_listed(self):
        lock = {
            "packages": {
                "": {"name": "web"},
                "node_modules/react": {"version": "19.0.0", "license": "MIT"},
                "node_modules/@lingui/core": {"version": "5.0.0", "license": "MIT"},
                "node_modules/vite": {"version": "7.0.0", "license": "MIT", "dev": True},
            }
        }
        found = list(components.npm_packages(lock, Path("/web")))
        self.assertEqual([part.purl for part in found], ["pkg:npm/react@19.0.0", "pkg:npm/%40lingui/core@5.0.0"])

    def test_a_licence_stands_once_and_what_has_none_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            parts = []
            for name in ("one", "two", "three"):
                place = Path(folder) / name
                place.mkdir()
                parts.append(Component("cargo", name, "1.0.0", "MIT", folder=place))
            for name in ("one", "two"):
                (Path(folder) / name / "LICENSE-MIT").write_text("The text\r\n")
            text = components.licence_texts(parts)
        self.assertEqual(text.count("The text"), 1)
        self.assertIn("one 1.0.0, two 1.0.0", text)
        self.assertIn("three 1.0.0: MIT", text)


class Texts(unittest.TestCase):
    def test_the_list_of_parts_is_the_same_for_the_same_parts(self):
        parts = [Component("cargo", "axum", "1.0.0", "MIT", "ab"), Component("model", "CenterFace", "pack-1", "MIT", "cd")]
        text = sbom.text("1.2.3", 0, parts)
        self.assertEqual(text, sbom.text("1.2.3", 0, parts))
        document = json.loads(text)
        self.assertEqual(document["bomFormat"], "CycloneDX")
        self.assertEqual(document["metadata"]["component"]["version"], "1.2.3")
        self.assertEqual([entry["type"] for entry in document["components"]], ["library", "machine-learning-model"])
        references = [entry["bom-ref"] for entry in document["components"]]
        self.assertEqual(len(references), len(set(references)))

    def test_manual_and_completions_are_where_debian_looks_for_them(self):
        with tempfile.TemporaryDirectory() as folder:
            binary, root = Path(folder) / "afterglow", Path(folder) / "root"
            binary.write_text(BINARY)
            binary.chmod(0o755)
            build.describe_commands(root, binary)
            page = root / "usr/share/man/man1/afterglow-user.1.gz"
            self.assertEqual(gzip.decompress(page.read_bytes()), b".TH afterglow-user\n")
            for place, text in (
                ("usr/share/bash-completion/completions/afterglow", "for bash\n"),
                ("usr/share/zsh/vendor-completions/_afterglow", "for zsh\n"),
                ("usr/share/fish/vendor_completions.d/afterglow.fish", "for fish\n"),
            ):
                self.assertEqual((root / place).read_text(), text)
            self.assertEqual(len([path for path in root.rglob("*") if path.is_file()]), 5)

    def test_the_packages_version_is_the_workspaces(self):
        version = build.workspace_version()
        self.assertIn(f"afterglow ({version}) stable", build.changelog(version, 0))

    def test_no_line_of_the_licence_ends_the_field(self):
        for line in build.copyright_text().split("License: AGPL-3.0-or-later\n")[1].split("\n\n")[0].splitlines():
            self.assertTrue(line.startswith(" ") and line.strip(), line)


class Scripts(unittest.TestCase):
    def test_a_purge_removes_no_photo(self):
        """[SHIP032]"""
        script = (build.DEPLOY / "debian/postrm").read_text()
        commands = [line for line in script.splitlines() if not line.lstrip().startswith(("echo", "#"))]
        self.assertFalse([line for line in commands if "rm -" in line or "userdel" in line])

    def test_every_file_of_the_package_is_there(self):
        for name in [f"systemd/{unit}" for unit in build.UNITS] + build.EXAMPLES:
            self.assertTrue((build.DEPLOY / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
