"""Every command of the documents is run as it stands there, in an installation of its own, or has a reason not to be."""

import re
import subprocess
import sys
import unittest

import commands
from commands import ROOT, Command, Knowledge
from installation import BINARY, MODELS, Installation

PASSWORD = "correct horse battery"
# The service is stopped for these, as their page says; the first is pointed at an empty folder.
STOPPED = {"afterglow restore /srv/backup": "empty", "afterglow restore /srv/backup --replace": "data"}


def all_commands(kind):
    return [command for page in commands.pages() for command in kind(page, (ROOT / page).read_text())]


class Reading(unittest.TestCase):
    def test_commands_stand_in_blocks_of_shell_code_without_their_comments(self):
        text = "```sh\nmake run    # serves\n\n```\n```toml\na = 1\n```\n   ```sh\n   curl x\n   ```\n"
        found = [Command("page", 2, "make run"), Command("page", 9, "curl x")]
        self.assertEqual(commands.blocks("page", text), found)

    def test_most_commands_are_run(self):
        found = {command.text for command in all_commands(commands.blocks)}
        self.assertGreater(len([text for text in found if commands.reason(text) is None]), 20)
        unused = [reason.text for reason in commands.NOT_RUN if not any(re.match(reason.pattern, text) for text in found)]
        self.assertEqual(unused, [])


@unittest.skipUnless(BINARY.exists(), f"{BINARY} is missing: run `make build`")
class Looking(unittest.TestCase):
    def test_what_is_not_there_is_found(self):
        knowledge = Knowledge(BINARY)
        for text in (
            "afterglow chek",
            "afterglow user crate you@example.com",
            "sudo -u afterglow afterglow backup /srv/backup --verfy",
            "make everything",
            "make demo LISTENS=1",
            "sudo systemctl restart afterglow-web",
            "sudo apt install ./afterglow_0.0.9_amd64.deb",
            "cargo xtask tydi",
            "sudo cp /usr/share/doc/afterglow/examples/Caddyfil /etc/caddy/Caddyfile",
        ):
            self.assertIsNotNone(knowledge.complaint(text), text)

    def test_every_command_has_its_words(self):
        knowledge = Knowledge(BINARY)
        found = all_commands(commands.blocks) + all_commands(commands.spans)
        self.assertGreater(len(found), 100)
        complaints = [(command, complaint) for command in found if (complaint := knowledge.complaint(command.text))]
        self.assertEqual(complaints, [])


@unittest.skipUnless(BINARY.exists(), f"{BINARY} is missing: run `make build`")
@unittest.skipUnless((MODELS / "pack.toml").exists(), "there are no face models: run `make models`")
class Running(Installation, unittest.TestCase):
    def run_one(self, command):
        """A line as somebody types it. Where it names this machine's places, those of the test take their part."""
        environment = dict(self.environment)
        if command.text in STOPPED:
            self.stop()
            environment["AFTERGLOW_DATA_DIR"] = str(self.folder / STOPPED[command.text])
        text = command.text.replace("localhost:8080", self.address)
        for place in ("/srv/", "/tmp/"):
            text = text.replace(place, f"{self.folder}{place}")
        return subprocess.run(
            ["sh", "-c", text],
            cwd=self.folder,
            env=environment,
            input=PASSWORD + "\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )

    def test_every_command_does_what_it_says(self):
        self.start()
        failures, seen = [], set()
        for command in all_commands(commands.blocks):
            if commands.reason(command.text) is None and command.text not in seen:
                seen.add(command.text)
                done = self.run_one(command)
                if done.returncode != 0:
                    failures.append(f"{command.page}:{command.line}: `{command.text}`: {done.returncode}\n{done.stdout}")
        self.assertEqual(failures, [], "\n".join(failures))
        self.assertTrue(list((self.folder / "data").glob("*.replaced-*")), "the restore has moved nothing aside")


if __name__ == "__main__":
    sys.exit(unittest.main())
