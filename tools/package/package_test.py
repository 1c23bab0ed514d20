#!/usr/bin/env python3
"""Installs the package as a user would, and uses it: in a Debian root file system of its own.

    tools/package/package_test.py [--deb FILE] [--keep]

debootstrap makes the root, apt installs the package, the unit's command runs as the unit's user under its filter of system
calls (systemd is not the first process here). Then somebody registers, uploads, searches; the package is upgraded, removed
and purged, and what stays is looked at. Needs root, debootstrap and a Debian mirror.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import install_page
import unit_sandbox
from photographer import ROOT, Client, large_photo, selfie

SUITE = "bookworm"
BASE = ROOT / ".cache/package-test" / SUITE
UNITS = "usr/lib/systemd/system"
SETTINGS = "etc/afterglow/afterglow.toml"
DATA = "var/lib/afterglow"
BACKUPS = "var/backups/afterglow"
PHOTO_BYTES = 8 << 20


class Failure(Exception):
    """What is not as it must be."""


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


def run(*command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    check(done.returncode == 0, f"`{shlex.join(map(str, command))}` ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


class System:
    """A Debian system in a folder."""

    def __init__(self, folder):
        self.root = folder

    def __enter__(self):
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        run("mount", "-t", "proc", "proc", self.root / "proc")
        return self

    def __exit__(self, *_):
        run("umount", self.root / "proc")

    def run(self, *command):
        path = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {"DEBIAN_FRONTEND": "noninteractive", "PATH": path, "LC_ALL": "C", "HOME": "/root"}
        return run("chroot", self.root, *command, env=environment)

    def shell(self, line):
        """A command as somebody types it in the folder that the package is in."""
        return self.run("sh", "-c", f"cd /tmp && {line}")

    def apt(self, *arguments):
        return self.run("apt-get", *arguments)

    def install(self, package):
        """As the page says; another version has another name."""
        shutil.copy(package, self.root / "tmp")
        line = next(line for line in install_page.commands() if line.startswith(install_page.INSTALLS))
        return self.shell(f"{install_page.INSTALLS}{package.name}" if package.name not in line else line)

    def start(self, port):
        return Service(self.root, port)


class Unit:
    """A service that is installed: its command, its user, and what it may do."""

    def __init__(self, root, name):
        self.root = root
        self.text = (root / UNITS / name).read_text()
        self.command = shlex.split(self.value("ExecStart"))
        check((root / self.command[0].lstrip("/")).is_file(), f"{self.command[0]} is not there")

    def value(self, name):
        return re.search(rf"(?m)^{name}=(.*)$", self.text)[1]

    def start(self, log, **environment):
        """What systemd would make of it."""
        users = [line.split(":") for line in (self.root / "etc/passwd").read_text().splitlines()]
        user, group = next((int(row[2]), int(row[3])) for row in users if row[0] == self.value("User"))
        folder, confine = self.value("WorkingDirectory"), unit_sandbox.from_unit(self.text)

        def prepare():
            os.chroot(self.root)
            os.chdir(folder)
            os.setgroups([])
            os.setgid(group)
            os.setuid(user)
            confine()

        environment["PATH"] = "/usr/bin:/bin"
        return subprocess.Popen(self.command, env=environment, preexec_fn=prepare, stdout=log, stderr=log)


class Service:
    """The running service."""

    def __init__(self, root, port):
        path = root / "run/notify"
        path.unlink(missing_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        # The kernel's limit on such names is short.
        here = os.open(root / "run", os.O_PATH)
        self.socket.bind(f"/proc/self/fd/{here}/notify")
        os.close(here)
        path.chmod(0o777)
        self.socket.settimeout(90)
        self.log = (root / "tmp/afterglow.log").open("ab+")
        unit = Unit(root, "afterglow.service")
        self.process = unit.start(self.log, NOTIFY_SOCKET="/run/notify", AFTERGLOW_LISTEN=f"127.0.0.1:{port}")
        self.wait_until_ready()

    def wait_until_ready(self):
        try:
            while "READY=1" not in self.socket.recv(4096).decode():
                pass
        except TimeoutError:
            self.process.kill()
            raise Failure(f"the service did not get ready:\n{self.text()}") from None

    def text(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(45)
        self.socket.close()
        check(code == 0, f"the service ended with {code}:\n{self.text()}")


def base():
    """A root file system without the package, made once."""
    if not (BASE / "etc/debian_version").exists():
        shutil.rmtree(BASE, ignore_errors=True)
        BASE.parent.mkdir(parents=True, exist_ok=True)
        print(f"making {BASE} with debootstrap", flush=True)
        run("debootstrap", "--variant=minbase", "--include=ca-certificates", SUITE, BASE)
    return BASE


def newest_package():
    """What `make package` has built last."""
    packages = sorted((ROOT / "target/package").glob("*.deb"), key=lambda file: file.stat().st_mtime)
    check(packages, "there is no package: run `make package`")
    return packages[-1]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def higher_version(package, folder):
    """The same package under a version that comes after it."""
    contents = folder / "contents"
    run("dpkg-deb", "--raw-extract", package, contents)
    control = contents / "DEBIAN/control"
    version = re.search(r"(?m)^Version: (.*)$", control.read_text())[1]
    control.write_text(control.read_text().replace(f"Version: {version}", f"Version: {version}+next", 1))
    made = folder / f"afterglow_{version}+next_amd64.deb"
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", contents, made)
    return made, f"{version}+next"


def mode(path):
    return f"{path.stat().st_mode & 0o7777:04o} {path.owner() if path.stat().st_uid == 0 else 'own'}"


def try_it(system, package, folder):
    root, figures = system.root, []
    figures.append(f"package                          {package.stat().st_size / 1e6:.1f} MB")
    port = free_port()
    install_page.prepare(root)
    system.apt("update")

    began = time.monotonic()
    system.install(package)
    figures.append(f"apt install                      {time.monotonic() - began:.1f} s")
    uid = int(system.run("id", "-u", "afterglow"))
    check((root / DATA).stat().st_uid == uid, "the data folder is not the service's")
    check(mode(root / DATA).startswith("0700"), f"the data folder is {mode(root / DATA)}")
    settings = root / SETTINGS
    check(settings.stat().st_uid == 0 and mode(settings).startswith("0640"), f"the settings are {mode(settings)}")
    enabled = root / "etc/systemd/system/multi-user.target.wants/afterglow.service"
    check(enabled.is_symlink(), "the service is not enabled")

    service = system.start(port)
    figures.append(f"apt install to serving           {time.monotonic() - began:.1f} s")
    models = root / "usr/lib/afterglow/models"
    client = Client(f"http://localhost:{port}")
    ready = client.get("/api/ready")
    check(ready == {"status": "ready", "missing": [], "warnings": []}, f"/api/ready says {ready}")
    client.register(root / DATA / "outbox")
    event = client.event("Installed")
    photo = large_photo(models, PHOTO_BYTES)
    client.upload(event, "photo.bmp", photo)
    client.wait_until_indexed(event, 1)
    found = client.search(event, selfie(models))
    figures.append(f"apt install to the first search  {time.monotonic() - began:.1f} s")
    check(list(client.zip(found).values()) == [photo], "the photo is not found, or not as it was uploaded")
    with (root / "tmp/backup.log").open("ab+") as log:
        code = Unit(root, "afterglow-backup.service").start(log).wait(60)
        log.seek(0)
        check(code == 0, f"the unit of the back-up ended with {code}:\n{log.read().decode(errors='replace')}")
    backups = sum(path.stat().st_size for path in (root / BACKUPS).rglob("*") if path.is_file())
    check(backups > len(photo), f"the back-up has {backups} bytes, the photo {len(photo)}")
    for line in install_page.commands():
        if line.startswith("curl "):
            client.get(line.split("localhost:8080", 1)[1])
    service.stop()

    tried = [line for line in install_page.commands() if not line.startswith(install_page.INSTALLS)]
    check(len(tried) > 5, f"docs/install.md has the commands {tried}")
    for line in tried:
        said = system.shell(line) if not line.startswith("curl ") else ""
        check("user list" not in line or "meera@example.com" in said, f"`{line}` says {said}")

    own = settings.read_text() + "retention_days = 7\n"
    settings.write_text(own)
    newer, version = higher_version(package, folder)
    began = time.monotonic()
    system.install(newer)
    figures.append(f"upgrade                          {time.monotonic() - began:.1f} s")
    installed = system.run("dpkg-query", "-W", "-f", "${Version}", "afterglow")
    check(installed == version, f"{installed} is installed")
    check(settings.read_text() == own, "the upgrade has changed the settings")
    check(mode(settings).startswith("0640"), f"the settings are {mode(settings)} after the upgrade")
    service = system.start(port)
    client.log_in()
    check(client.get("/api/site")["retention_days"] == 7, "the settings do not hold")
    found = client.search(event, selfie(models))
    check(list(client.zip(found).values()) == [photo], "the photo is not there after the upgrade")
    service.stop()

    kept = sorted(path.relative_to(root) for path in (root / DATA).rglob("*"))
    system.shell("sudo apt remove afterglow")
    check(not (root / "usr/bin/afterglow").exists() and not models.exists(), "the program is still there")
    check(settings.read_text() == own, "the removal has removed the settings")
    said = system.shell("sudo apt purge afterglow")
    check(not settings.parent.exists(), "the settings are still there after the purge")
    check(not enabled.is_symlink(), "the service is still enabled after the purge")
    left = sorted(path.relative_to(root) for path in (root / DATA).rglob("*"))
    check(left == kept and left, "the purge has removed data")
    check(any((root / BACKUPS).iterdir()), "the purge has removed back-ups")
    command = re.search(r"(?m)^  (rm -rf .*)$", said)
    check(command, f"the purge does not say how to delete the data:\n{said}")
    system.run("sh", "-ec", command[1])
    check(not (root / DATA).exists() and not (root / BACKUPS).exists(), "the data cannot be deleted as the purge says")
    stays = system.run("sh", "-c", "find / -xdev -path /proc -prune -o -path /tmp -prune -o -iname '*afterglow*' -print")
    # dpkg and deb-systemd-helper keep lists of their own.
    stays = [line for line in stays.splitlines() if not line.startswith(("/var/lib/dpkg", "/var/lib/systemd"))]
    check(not stays, f"what stays: {stays}")
    figures.append(f"system calls                     {unit_sandbox.described()}")
    return figures


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--deb", type=Path)
    options.add_argument("--keep", action="store_true", help="leave the root file system where it is")
    options = options.parse_args()
    package = options.deb or newest_package()
    check(os.getuid() == 0, "only root can install into another root file system: run this with sudo")
    check(shutil.which("debootstrap"), "debootstrap is missing: apt-get install debootstrap")
    folder = Path(tempfile.mkdtemp(prefix="afterglow-package-"))
    folder.chmod(0o755)
    try:
        run("cp", "-a", base(), folder / "root")
        with System(folder / "root") as system:
            figures = try_it(system, package, folder)
    finally:
        if options.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder)
    print("\n".join(figures))
    print("package-test: passed")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"package-test: {failure}")
