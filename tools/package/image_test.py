#!/usr/bin/env python3
"""Builds the container image with buildah and runs it: without an image registry and without a container engine.

    tools/package/image_test.py [--deb FILE]

The base is a root file system by debootstrap. The image's command runs as the image's user on a root that is mounted
read-only, with a volume and /tmp beside it, and the image's health check asks it. Needs root, buildah and debootstrap.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from package_test import Failure, base, check, free_port, newest_package, run
from photographer import ROOT


class Images:
    """Images in a folder of their own."""

    def __init__(self, folder):
        self.options = ["--root", str(folder / "images"), "--runroot", str(folder / "run"), "--storage-driver", "vfs"]

    def buildah(self, *arguments):
        done = subprocess.run(["buildah", *self.options, *arguments], text=True, capture_output=True, check=False)
        check(done.returncode == 0, f"`buildah {arguments[0]}` ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""

    def build(self, package, folder):
        context = folder / "context"
        context.mkdir()
        shutil.copy(package, context)
        container = self.buildah("from", "scratch")
        self.buildah("add", "--quiet", container, str(base()), "/")
        self.buildah("commit", "--quiet", "--rm", container, "localhost/debian")
        file = ["--file", str(ROOT / "Containerfile"), "--build-arg", "BASE=localhost/debian"]
        self.buildah("bud", "--format", "docker", "--isolation", "chroot", *file, "--tag", "afterglow", str(context))

    def configuration(self):
        done = subprocess.run(
            ["buildah", *self.options, "inspect", "--type", "image", "localhost/afterglow"],
            text=True, capture_output=True, check=True,
        )
        return json.loads(done.stdout)["Docker"]["config"]


def try_it(images, folder):
    image = images.configuration()
    user, group = (int(number) for number in image["User"].split(":"))
    check(user > 0 and group > 0, f"the image's user is {image['User']}")
    check(image["Healthcheck"]["Test"] == ["CMD", "afterglow", "healthcheck"], f"the check is {image['Healthcheck']}")
    contents = Path(images.buildah("mount", images.buildah("from", "localhost/afterglow")))
    size = int(run("du", "--summarize", "--bytes", contents).split()[0])
    root, data = folder / "root", folder / "data"
    for each in (root, data):
        each.mkdir()
    os.chown(data, user, group)
    mounts = [
        ["--bind", contents, root],
        ["--options", "remount,bind,ro", root],
        ["--types", "tmpfs", "tmpfs", root / "tmp"],
        ["--types", "proc", "proc", root / "proc"],
        ["--bind", data, root / "var/lib/afterglow"],
    ]
    try:
        for arguments in mounts:
            run("mount", *arguments)
        return serve(image, root, user, group, size)
    finally:
        for target in (root / "var/lib/afterglow", root / "proc", root / "tmp"):
            subprocess.run(["umount", target], check=False, capture_output=True)
        run("umount", root)


def serve(image, root, user, group, size):
    def prepare():
        os.chroot(root)
        os.chdir(image["WorkingDir"])
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)

    environment = dict(each.split("=", 1) for each in image["Env"])
    environment["AFTERGLOW_LISTEN"] = f"127.0.0.1:{free_port()}"
    command = [*image["Entrypoint"], *image["Cmd"]]
    began = time.monotonic()
    with tempfile.TemporaryFile() as log:
        options = {"env": environment, "preexec_fn": prepare}
        process = subprocess.Popen(command, stdout=log, stderr=log, **options)
        try:
            while time.monotonic() - began < 60:
                health = subprocess.run(["/usr/bin/afterglow", "healthcheck"], capture_output=True, check=False, **options)
                if health.returncode == 0:
                    break
                time.sleep(0.3)
            log.seek(0)
            text = log.read().decode(errors="replace")
            check(health.returncode == 0, f"it does not get healthy:\n{health.stdout.decode()}{text}")
            took = time.monotonic() - began
            process.send_signal(signal.SIGTERM)
            check(process.wait(45) == 0, "it does not stop when it is told to")
            health = subprocess.run(["/usr/bin/afterglow", "healthcheck"], capture_output=True, check=False, **options)
            check(health.returncode == 1, "it is healthy although nothing runs")
        finally:
            process.kill()
            process.wait()
    return [f"image, unpacked                   {size / 1e6:.1f} MB", f"start to healthy                  {took:.1f} s"]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--deb", type=Path)
    package = options.parse_args().deb or newest_package()
    check(os.getuid() == 0, "only root can mount the image: run this with sudo")
    for program in ("buildah", "debootstrap"):
        check(shutil.which(program), f"{program} is missing: apt-get install {program}")
    folder = Path(tempfile.mkdtemp(prefix="afterglow-image-"))
    folder.chmod(0o755)
    try:
        images = Images(folder)
        images.build(package, folder)
        figures = try_it(images, folder)
        images.buildah("rm", "--all")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(figures))
    print("image-test: passed")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"image-test: {failure}")
