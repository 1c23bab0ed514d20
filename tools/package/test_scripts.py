"""Tests of the scripts of the Debian package: what they ask systemd for, and in which order."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

POSTINST = Path(__file__).resolve().parents[2] / "deploy/debian/postinst"
RUNS = "/run/systemd/system"
STANDS_IN = """\
#!/bin/sh
echo "${0##*/} $*" >> "$LOG"
case "$*" in
*list-units*) printf '%b' "$UNITS" ;;
esac
"""


class Upgrade(unittest.TestCase):
    def asked(self, units):
        """What is asked for while a version is upgraded beside these workers."""
        with tempfile.TemporaryDirectory() as folder:
            tools, log, running = (Path(folder) / name for name in ("tools", "log", "running"))
            tools.mkdir()
            running.mkdir()
            for name in ("systemctl", "deb-systemd-invoke", "deb-systemd-helper", "systemd-sysusers", "systemd-tmpfiles"):
                (tools / name).write_text(STANDS_IN)
                (tools / name).chmod(0o755)
            script = Path(folder) / "postinst"
            script.write_text(POSTINST.read_text().replace(RUNS, str(running)))
            environment = {"PATH": f"{tools}:{os.environ['PATH']}", "LOG": str(log), "UNITS": units}
            subprocess.run(["sh", str(script), "configure", "0.1.0"], env=environment, check=True)
            words = ("stop", "start", "restart")
            return [line for line in log.read_text().splitlines() if any(f" {word} " in f"{line} " for word in words)]

    def test_workers_are_stopped_before_the_new_version_changes_the_schema_and_started_after(self):
        """[RUN381]"""
        line = "afterglow-worker@{}.service loaded active running Afterglow worker {}\\n"
        self.assertEqual(
            self.asked(line.format(1, 1) + line.format(2, 2)),
            [
                "systemctl --system stop afterglow-worker@1.service afterglow-worker@2.service",
                "deb-systemd-invoke restart afterglow.service",
                "systemctl --system start afterglow-worker@1.service afterglow-worker@2.service",
            ],
        )

    def test_without_workers_none_is_started(self):
        """[RUN381]"""
        self.assertEqual(self.asked(""), ["deb-systemd-invoke restart afterglow.service"])


if __name__ == "__main__":
    unittest.main()
