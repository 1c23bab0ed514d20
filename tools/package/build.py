#!/usr/bin/env python3
"""Makes the release files: a Debian package, a tarball, an SBOM and their SHA-256 sums.

    tools/package/build.py [--binary FILE] [--models FOLDER] [--out FOLDER] [--version VERSION]

It compiles and fetches nothing: the binary, the model pack and web/node_modules have to be there (`make package`). What
the system brings is used: dpkg-deb, dpkg-shlibdeps, strip, tar.
"""

import argparse
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from datetime import datetime, timezone
from pathlib import Path

import components
import sbom

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
NAME = "afterglow"
SUMMARY = "event photos, found by a selfie"
DESCRIPTION = """\
A web service for event photographers and their guests. The photographer creates an event, uploads the photos, and shares
a link or a QR code. A guest opens it on a phone, takes a selfie, and gets the photos they are in.

Faces are found and compared on this machine: the models are in the package, and no picture goes to anyone else."""
MAINTAINER = "Afterglow developers <afterglow@users.noreply.invalid>"
# The user and the folders are made with systemd's own tools, also where systemd is not the first process.
TOOLS = ", ".join(f"systemd-standalone-{tool} | systemd-{tool} | systemd" for tool in ("sysusers", "tmpfiles"))
CONFFILE = "/etc/afterglow/afterglow.toml"
UNITS = ["afterglow.service", "afterglow-worker@.service", "afterglow-backup.service", "afterglow-backup.timer"]
EXAMPLES = ["Caddyfile", "nginx.conf", "traefik.yml", "traefik-afterglow.yml"]
EXAMPLES += ["compose.yml", "compose.postgres.yml", "monitoring"]
# Where Debian's shells look for what completes the commands of packages.
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/afterglow",
    "zsh": "usr/share/zsh/vendor-completions/_afterglow",
    "fish": "usr/share/fish/vendor_completions.d/afterglow.fish",
}
MANUAL = "usr/share/man/man1"


class PackageError(Exception):
    """One sentence for the person who packages."""


def output(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode != 0:
        raise PackageError(f"`{' '.join(map(str, command))}` ended with {done.returncode}.")
    return done.stdout


def workspace_version():
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def time_of_sources():
    """The time of the last commit, so that the same sources make the same package."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(epoch)
    return int(output("git", "-C", str(ROOT), "log", "-1", "--format=%ct"))


def install(source, target, mode=0o644):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def write(target, text):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    target.chmod(0o644)


def write_gzip(target, text):
    target.parent.mkdir(parents=True, exist_ok=True)
    # Without a time and a name, as lintian wants it.
    target.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
    target.chmod(0o644)


def stripped(binary, target):
    install(binary, target, 0o755)
    # The log names files and lines of errors by itself; symbols are a third of the file.
    output("strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", str(target))


def copyright_text():
    licence = (ROOT / "LICENSE").read_text()
    lines = "\n".join(f" {line}".rstrip() if line.strip() else " ." for line in licence.rstrip().splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Afterglow\n\n"
        "Files: *\n"
        "Copyright: the Afterglow developers\n"
        "License: AGPL-3.0-or-later\n"
        f"{lines}\n\n"
        "Files: usr/lib/afterglow/models/*\n"
        "Copyright: as models.md in this folder says\n"
        "License: MIT\n"
        " The face models and ONNX Runtime, each under the MIT licence: models.md in this folder has their texts, and\n"
        " third-party.txt.gz those of the libraries that the binary and the web app contain.\n"
    )


def changelog(version, when):
    date = datetime.fromtimestamp(when, timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
    return (
        f"{NAME} ({version}) stable; urgency=medium\n\n"
        "  * What changed is in CHANGELOG.md.gz.\n\n"
        f" -- {MAINTAINER}  {date}\n"
    )


def lay_out(root, binary, models, version, when, parts):
    """Fills `root` with what the package installs."""
    stripped(binary, root / "usr/bin" / NAME)
    pack = root / "usr/lib" / NAME / "models"
    for file in sorted(models.iterdir()):
        # The licences go to the documentation.
        if file.suffix not in (".md", ".txt"):
            install(file, pack / file.name)
    for unit in UNITS:
        install(DEPLOY / "systemd" / unit, root / "usr/lib/systemd/system" / unit)
    install(DEPLOY / "systemd/afterglow.sysusers", root / "usr/lib/sysusers.d/afterglow.conf")
    install(DEPLOY / "systemd/afterglow.tmpfiles", root / "usr/lib/tmpfiles.d/afterglow.conf")
    install(DEPLOY / "debian/afterglow.toml", root / CONFFILE.lstrip("/"))
    install(DEPLOY / "debian/lintian-overrides", root / "usr/share/lintian/overrides" / NAME)

    doc = root / "usr/share/doc" / NAME
    write(doc / "copyright", copyright_text())
    write_gzip(doc / "changelog.gz", changelog(version, when))
    write_gzip(doc / "CHANGELOG.md.gz", (ROOT / "CHANGELOG.md").read_text())
    install(models / "LICENSES.md", doc / "models.md")
    notices = (models / "ThirdPartyNotices.txt").read_text(errors="replace")
    write_gzip(doc / "third-party.txt.gz", components.licence_texts(parts) + "\n\nONNX Runtime\n\n" + notices)
    write_gzip(doc / "sbom.cdx.json.gz", sbom.text(version, when, parts))
    for name in EXAMPLES:
        example = DEPLOY / name
        files = sorted(example.rglob("*")) if example.is_dir() else [example]
        for file in (file for file in files if file.is_file()):
            install(file, doc / "examples" / file.relative_to(DEPLOY))
    describe_commands(root, binary)
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (when, when))


def describe_commands(root, binary):
    """The manual and the completions, from what the binary says of its commands."""
    with tempfile.TemporaryDirectory() as folder:
        output(str(binary), "manual", folder)
        for page in sorted(Path(folder).iterdir()):
            write_gzip(root / MANUAL / f"{page.name}.gz", page.read_text())
    for shell, place in COMPLETIONS.items():
        write(root / place, output(str(binary), "completions", shell))


def depends(root):
    """What the libraries of the system have to be, as dpkg-shlibdeps finds it."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "debian/control", f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: amd64\n")
        files = [root / "usr/bin" / NAME, *sorted((root / "usr/lib" / NAME).rglob("*.so*"))]
        named = output("dpkg-shlibdeps", "-O", "--warnings=0", *(f"-e{file}" for file in files), cwd=folder)
    return named.strip().removeprefix("shlibs:Depends=") + ", " + TOOLS


def control(root, version):
    """The package's description of itself. dpkg-shlibdeps looks for `DEBIAN` to know where the package begins."""
    size = sum(-(-path.stat().st_size // 1024) for path in root.rglob("*") if path.is_file())
    description = "\n".join(
        f" {line}" if line else " ." for part in DESCRIPTION.split("\n\n") for line in [*textwrap.wrap(part, 78), ""]
    )
    return (
        f"Package: {NAME}\n"
        f"Version: {version}\n"
        "Architecture: amd64\n"
        f"Maintainer: {MAINTAINER}\n"
        f"Installed-Size: {size}\n"
        f"Depends: {depends(root)}\n"
        "Section: web\n"
        "Priority: optional\n"
        f"Description: {SUMMARY}\n"
        f"{description.removesuffix(chr(10) + ' .')}\n"
    )


def debian_package(root, out, version, when, compression):
    meta = root / "DEBIAN"
    meta.mkdir()
    write(meta / "control", control(root, version))
    write(meta / "conffiles", f"{CONFFILE}\n")
    for script in ("postinst", "prerm", "postrm"):
        install(DEPLOY / "debian" / script, meta / script, 0o755)
    sums = [
        f"{hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()}  {file.relative_to(root)}\n"
        for file in sorted(root.rglob("*"))
        if file.is_file() and meta not in file.parents and f"/{file.relative_to(root)}" != CONFFILE
    ]
    write(meta / "md5sums", "".join(sums))
    meta.chmod(0o755)
    package = out / f"{NAME}_{version}_amd64.deb"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when)}
    output("dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", str(root), str(package), env=environment)
    shutil.rmtree(meta)
    return package


def tarball(root, out, version, when):
    """The same files for other distributions, in one folder."""
    name = f"{NAME}-{version}-linux-x86_64"
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder) / name
        shutil.copytree(root / "usr/lib" / NAME / "models", top / "models")
        shutil.copytree(root / "usr/share/doc" / NAME, top / "doc")
        shutil.copytree(DEPLOY / "systemd", top / "systemd")
        # Not beside the binary, where it would be read: its folders are those of the package.
        install(DEPLOY / "debian/afterglow.toml", top / "systemd/afterglow.toml")
        shutil.copytree(root / MANUAL, top / "man1")
        for place in COMPLETIONS.values():
            install(root / place, top / "completions" / Path(place).name)
        install(ROOT / "LICENSE", top / "LICENSE")
        install(root / "usr/bin" / NAME, top / NAME, 0o755)
        archive = out / f"{name}.tar.gz"
        options = ["--sort=name", f"--mtime=@{when}", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=rX,u+rw"]
        output("tar", *options, "--use-compress-program=gzip -9n", "-cf", str(archive), "-C", folder, name)
    return archive


def write_sums(files, out):
    lines = []
    for file in files:
        with file.open("rb") as contents:
            lines.append(f"{hashlib.file_digest(contents, 'sha256').hexdigest()}  {file.name}\n")
    write(out / "SHA256SUMS", "".join(lines))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--binary", type=Path, default=ROOT / "target/dist/afterglow")
    options.add_argument("--models", type=Path, default=ROOT / "models")
    options.add_argument("--out", type=Path, default=ROOT / "target/package")
    options.add_argument("--version", default=workspace_version())
    options.add_argument("--compression", default="xz", help="of the .deb: xz, or gzip, which is faster and larger")
    options = options.parse_args()
    for needed, how in ((options.binary, "make package"), (options.models / "pack.toml", "make models")):
        if not needed.is_file():
            raise PackageError(f"{needed} is missing: run `{how}`.")
    when = time_of_sources()
    os.umask(0o022)
    options.out.mkdir(parents=True, exist_ok=True)
    parts = components.read(ROOT, options.models)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        lay_out(root, options.binary, options.models, options.version, when, parts)
        package = debian_package(root, options.out, options.version, when, options.compression)
        archive = tarball(root, options.out, options.version, when)
    list_of_parts = options.out / f"{NAME}-{options.version}.cdx.json"
    write(list_of_parts, sbom.text(options.version, when, parts))
    files = [package, archive, list_of_parts]
    write_sums(files, options.out)
    for file in files:
        print(f"{file.stat().st_size / 1e6:7.1f} MB  {file}")


if __name__ == "__main__":
    try:
        main()
    except PackageError as error:
        sys.exit(f"package: {error}")
