"""Passwords are asked for at the terminal, which does not show them."""

import os
import pty
import select
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

from test_commands import BINARY, PASSWORD

EMAIL = "you@example.com"


@unittest.skipUnless(BINARY.exists(), f"{BINARY} is missing: run `make build`")
class Prompts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.terminal, self.end = pty.openpty()
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(os.close, self.end)

    def echoes(self):
        return bool(termios.tcgetattr(self.end)[3] & termios.ECHO)

    def read_until(self, words, seconds=60):
        """What the terminal shows, up to these words."""
        shown = ""
        end = time.monotonic() + seconds
        while words not in shown and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                shown += os.read(self.terminal, 4096).decode()
        self.assertIn(words, shown)
        return shown

    def converse(self, *command, answers):
        """Types each answer after its question; what was shown, and how the command ended."""
        process = subprocess.Popen(
            [BINARY, *command], cwd=self.folder, env={}, stdin=self.end, stdout=self.end, stderr=self.end
        )
        self.addCleanup(process.kill)
        shown = ""
        for question, answer in answers:
            shown += self.read_until(question)
            # The question stands before the terminal is told to show nothing.
            end = time.monotonic() + 10
            while self.echoes() and time.monotonic() < end:
                time.sleep(0.01)
            os.write(self.terminal, answer.encode() + b"\n")
        code = process.wait(60)
        while select.select([self.terminal], [], [], 0.2)[0]:
            shown += os.read(self.terminal, 4096).decode()
        return code, shown

    def test_a_password_is_asked_for_twice_and_never_shown(self):
        """[SETUP013]"""
        answers = [("Password: ", PASSWORD), ("Password, once more: ", PASSWORD)]
        code, shown = self.converse("user", "create", EMAIL, "--admin", answers=answers)
        self.assertEqual(code, 0, shown)
        self.assertIn(f"{EMAIL} is an administrator now.", shown)
        self.assertNotIn(PASSWORD, shown)
        self.assertTrue(self.echoes(), "the terminal shows again what is typed")
        code, shown = self.converse("user", "password", EMAIL, answers=answers)
        self.assertEqual(code, 0, shown)
        self.assertIn("has a new password", shown)
        self.assertNotIn(PASSWORD, shown)

    def test_two_passwords_that_differ_change_nothing(self):
        """[SETUP013]"""
        answers = [("Password: ", PASSWORD), ("Password, once more: ", "another one")]
        code, shown = self.converse("user", "create", EMAIL, answers=answers)
        self.assertEqual(code, 1, shown)
        self.assertIn("Passwords do not match", shown)
        self.assertTrue(self.echoes())


if __name__ == "__main__":
    unittest.main()
