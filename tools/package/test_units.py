"""Tests of the systemd units: how much of the system they leave to the service, and that systemd reads them."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

UNITS = Path(__file__).resolve().parents[2] / "deploy/systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
# As `systemd-analyze security` counts: 10 is everything, 0 nothing.
MOST = 2.0


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is missing (Debian package systemd)")
class Exposure(unittest.TestCase):
    def analyze(self, *arguments):
        done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def test_no_service_is_exposed_more_than_it_has_to_be(self):
        """[SHIP012]"""
        self.assertEqual(len(SERVICES), 3)
        for name in SERVICES:
            with self.subTest(name):
                printed = self.analyze("security", "--offline=yes", str(UNITS / name))
                level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", printed)
                self.assertIsNotNone(level, printed)
                self.assertLess(float(level[1]), MOST)

    def test_the_units_are_read_without_a_complaint(self):
        with tempfile.TemporaryDirectory() as folder:
            for unit in UNITS.glob("afterglow*.[st][ei]*"):
                # The binary need not be installed, nor the users be there.
                text = unit.read_text().replace("/usr/bin/afterglow", "/bin/true")
                (Path(folder) / unit.name).write_text(text)
            files = [str(file) for file in sorted(Path(folder).iterdir())]
            printed = self.analyze("verify", "--man=no", "--recursive-errors=no", *files)
            complaints = [line for line in printed.splitlines() if "afterglow" in line]
            self.assertEqual(complaints, [])


class Units(unittest.TestCase):
    def test_the_processor_can_be_seen(self):
        """[SHIP012] ONNX Runtime reads /proc/cpuinfo, which ProcSubset=pid hides."""
        for name in SERVICES:
            self.assertNotRegex((UNITS / name).read_text(), r"(?m)^ProcSubset=")

    def test_the_services_say_when_they_are_ready_and_get_longer_to_stop_than_they_take(self):
        for name in ("afterglow.service", "afterglow-worker@.service"):
            text = (UNITS / name).read_text()
            self.assertIn("\nType=notify\n", text)
            self.assertGreater(int(re.search(r"\nTimeoutStopSec=(\d+)\n", text)[1]), 30)

    def test_all_run_as_the_user_that_the_package_makes(self):
        """[SHIP004]"""
        user = (UNITS / "afterglow.sysusers").read_text().split()[1]
        for name in SERVICES:
            self.assertIn(f"\nUser={user}\nGroup={user}\n", (UNITS / name).read_text())


if __name__ == "__main__":
    unittest.main()
