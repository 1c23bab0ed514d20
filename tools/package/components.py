"""What others have made and the package contains: crates, npm packages, and the parts of the model pack."""

import json
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

TARGET = "x86_64-unknown-linux-gnu"
LICENCE_NAMES = re.compile(r"(?i)^(un)?(licen[cs]e|copying|notice)([-._].*)?$")


@dataclass(frozen=True)
class Component:
    """One of them, with the folder its licence texts are in."""

    kind: str
    name: str
    version: str
    licence: str
    sha256: str = ""
    folder: Path | None = field(default=None, compare=False)

    @property
    def purl(self):
        """Its package URL; the parts of the model pack have none."""
        if self.kind == "model":
            return ""
        return f"pkg:{self.kind}/{self.name.replace('@', '%40')}@{self.version.replace('+', '%2B')}"


def crates(metadata, lock):
    """The crates that are linked into the binary, or take part as macros, from `cargo metadata` and Cargo.lock."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    sums = {(package["name"], package["version"]): package.get("checksum", "") for package in lock["package"]}
    waiting = [package["id"] for package in metadata["packages"] if package["name"] == "server"]
    reached = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if linked and dependency["pkg"] not in reached:
                reached.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    for package in (packages[name] for name in reached):
        if package["source"] is not None:
            name, version = package["name"], package["version"]
            folder = Path(package["manifest_path"]).parent
            # An older way of writing 'or'.
            licence = re.sub(r"\s*/\s*", " OR ", package["license"] or "")
            yield Component("cargo", name, version, licence, sums[(name, version)], folder)


def npm_packages(lock, folder):
    """The packages of the web app that are not only tools, from package-lock.json."""
    for path, package in lock["packages"].items():
        if path and not package.get("dev") and not package.get("devOptional"):
            name = path.rpartition("node_modules/")[2]
            yield Component("npm", name, package["version"], package.get("license", ""), folder=folder / path)


def models(pack):
    """The networks and the runtime library that a `pack.toml` names."""
    for part in ("detector", "recogniser"):
        table = pack[part]
        yield Component("model", table["name"], pack["id"], table["licence"], table["sha256"])
    runtime = pack["runtime"]
    yield Component("pypi", "onnxruntime", runtime["version"], runtime["licence"], runtime["sha256"])


def read(root, pack):
    """All of them, in order."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET]
    metadata = json.loads(subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout)
    found = [
        *crates(metadata, tomllib.loads((root / "Cargo.lock").read_text())),
        *npm_packages(json.loads((root / "web/package-lock.json").read_text()), root / "web"),
        *models(tomllib.loads((pack / "pack.toml").read_text())),
    ]
    return sorted(set(found), key=lambda part: (part.kind, part.name, part.version))


def licence_texts(parts):
    """The texts of all licences, each once, after the names of what has it."""
    users = {}
    for part in parts:
        files = sorted(part.folder.iterdir()) if part.folder and part.folder.is_dir() else []
        for file in (file for file in files if file.is_file() and LICENCE_NAMES.match(file.name)):
            text = file.read_text(errors="replace").strip().replace("\r\n", "\n")
            users.setdefault(text, []).append(f"{part.name} {part.version}")
    named = {name for names in users.values() for name in names}
    without = [part for part in parts if f"{part.name} {part.version}" not in named and part.kind in ("cargo", "npm")]
    blocks = [
        "What the binary and the web app contain of others, with the licences' texts. Where several licences are offered,"
        " any of them may be chosen."
    ]
    blocks += [", ".join(sorted(set(names))) + "\n\n" + text for text, names in sorted(users.items(), key=lambda row: row[1])]
    if without:
        listed = "\n".join(f"{part.name} {part.version}: {part.licence}" for part in without)
        blocks.append(f"Published without a file of their licence, which they declare:\n\n{listed}")
    return f"\n\n{'=' * 80}\n\n".join(blocks) + "\n"
