"""The alert rules, read and tried by Prometheus's own tool; that the metrics exist is a test of `app`."""

import json
import subprocess
import unittest
from pathlib import Path

from programs import program

FOLDER = Path(__file__).resolve().parents[2] / "deploy/monitoring"


class Alerts(unittest.TestCase):
    @unittest.skipUnless(program("promtool"), "promtool is missing (Debian package prometheus)")
    def test_the_rules_are_read_and_fire_when_they_have_to(self):
        for arguments in (["check", "rules", "afterglow-alerts.yml"], ["test", "rules", "afterglow-alerts-test.yml"]):
            done = subprocess.run([program("promtool"), *arguments], cwd=FOLDER, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_no_panel_is_bound_to_one_data_source(self):
        dashboard = json.loads((FOLDER / "grafana-dashboard.json").read_text())
        self.assertGreater(len(dashboard["panels"]), 10)
        for panel in dashboard["panels"]:
            for part in (panel, *panel["targets"]):
                self.assertEqual(part["datasource"]["uid"], "${datasource}", panel["title"])


if __name__ == "__main__":
    unittest.main()
