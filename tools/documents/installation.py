"""An installation of its own, that serves until the test ends."""

import os
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from commands import ROOT

BINARY = Path(os.environ.get("AFTERGLOW_BINARY", ROOT / "target/debug/afterglow"))
MODELS = ROOT / "models"
SUDO = '#!/bin/sh\nwhile [ "$1" = -u ]; do shift 2; done\nexec "$@"\n'


class Installation:
    """For a `unittest.TestCase`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "afterglow").symlink_to(BINARY)
        (programs / "sudo").write_text(SUDO)
        (programs / "sudo").chmod(0o755)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{listener.getsockname()[1]}"
        self.environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "AFTERGLOW_LISTEN": self.address,
            "AFTERGLOW_MODEL_DIR": str(MODELS),
            "AFTERGLOW_MIN_FREE_DISK_MB": "1",
        }
        self.service = None
        self.addCleanup(self.stop)

    def start(self):
        log = (self.folder / "log").open("ab")
        self.addCleanup(log.close)
        self.service = subprocess.Popen(
            [BINARY, "serve"], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        end = time.monotonic() + 60
        while time.monotonic() < end and self.service.poll() is None:
            try:
                urllib.request.urlopen(f"http://{self.address}/api/ready", timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        self.fail((self.folder / "log").read_text(errors="replace"))

    def stop(self):
        if self.service:
            self.service.terminate()
            self.service.wait(60)
            self.service = None
