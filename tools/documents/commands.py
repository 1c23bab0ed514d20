"""The commands of README.md, UPGRADING.md and docs/*.md: which there are, and what can be seen of them without running them."""

import functools
import json
import re
import shlex
import subprocess
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The account is made on the first page; the last one stops the service.
FIRST, LAST = ["docs/first-event.md"], ["docs/backup.md"]

# Where a command stands, and its words, without a comment behind them.
Command = namedtuple("Command", "page line text")
# Commands that are not run, and why. What can be checked of them is checked all the same (`complaint`).
Reason = namedtuple("Reason", "pattern text")
NOT_RUN = [
    Reason(r"make ", "takes minutes, or is one of the tests itself"),
    Reason(r"sudo apt ", "installs on this machine; make package-test does it in a root file system of its own"),
    Reason(r"(sudo systemctl|journalctl) ", "systemd is not everywhere the first process"),
    Reason(r"podman ", "needs an image; make image-test builds and runs it"),
    Reason(r"(tar -xf|cd) afterglow-|\./afterglow serve$|sha256sum ", "needs a release, which make package makes"),
    Reason(r"sudo (cp|ln|sed|certbot) ", "changes the proxy of this machine; make proxies runs the same configurations"),
    Reason(r"afterglow upload |export AFTERGLOW_SERVER=|curl .*AFTERGLOW_TOKEN|(install|nano) .*afterglow-token",
           "needs an API token, which a person makes on the account page; tests/binary/uploading.rs has one"),
    Reason(r"afterglow mail test ", "needs a mail server; tests/binary/setup.rs has one"),
    Reason(r"OTEL_EXPORTER_OTLP_ENDPOINT=", "serves until it is stopped; tests/binary/traces.rs starts it so"),
    Reason(r"export PGPASSWORD|afterglow migrate-to ", "needs PostgreSQL and a bucket; tests/binary/moving.rs has both"),
]


def pages():
    found = ["README.md", "UPGRADING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
    middle = [page for page in found if page not in FIRST + LAST]
    return FIRST + middle + LAST


def blocks(page, text):
    """The commands in the blocks of shell code of a page."""
    found = []
    inside = False
    for number, line in enumerate(text.splitlines(), start=1):
        word = line.strip()
        if word.startswith("```"):
            inside = not inside and word in ("```sh", "```shell", "```bash", "```console")
        elif inside and word:
            found.append(Command(page, number, re.sub(r"\s+# .*", "", word)))
    return found


def spans(page, text):
    """What stands in code spans and begins like a command."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        for span in re.findall(r"`([^`]+)`", line):
            if re.match(r"(afterglow|make|sudo|cargo xtask|npm) [a-z-]", span) and "…" not in span:
                found.append(Command(page, number, span))
    return found


def reason(text):
    """Why a command is not run; None for one that is."""
    return next((reason.text for reason in NOT_RUN if re.match(reason.pattern, text)), None)


class Knowledge:
    """What the repository and the binary know."""

    def __init__(self, binary):
        self.binary = binary
        self.version = re.search(r'(?m)^version = "(.*)"', (ROOT / "Cargo.toml").read_text())[1]
        self.targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text()))
        self.variables = set(re.findall(r"(?m)^([A-Z_]+) \?=", (ROOT / "Makefile").read_text()))
        self.scripts = set(json.loads((ROOT / "web/package.json").read_text())["scripts"])
        self.units = {path.name for path in (ROOT / "deploy/systemd").iterdir()}
        self.tasks = {name.lower() for name in re.findall(r"(?m)^    ([A-Z][a-z]+)(?:\(|,)", self.of("crates/xtask/src/main.rs"))}

    @staticmethod
    def of(path):
        return (ROOT / path).read_text()

    @functools.lru_cache(maxsize=None)
    def help(self, *words):
        done = subprocess.run([self.binary, *words, "--help"], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else None

    def complaint(self, text):
        """What is wrong with a command, as far as it can be seen; None for one that can be as it is."""
        words = shlex.split(text.replace("\\|", "|"), comments=True)
        while words and re.match(r"[A-Z_]+=", words[0]):
            words = words[1:]
        if words[:3] == ["sudo", "-u", "afterglow"]:
            words = words[3:]
        elif words[:1] == ["sudo"]:
            words = words[1:]
        if not words:
            return None
        program = words[0].rsplit("/", 1)[-1]
        checks = {"afterglow": self.afterglow, "make": self.make, "systemctl": self.unit, "journalctl": self.unit}
        checks.update({"cargo": self.xtask, "npm": self.script, "cp": self.copied, "podman": self.image})
        if program in checks:
            return checks[program](words[1:])
        stale = re.findall(r"afterglow[-_](\d+\.\d+\.\d+)", text)
        return next((f"the version is {self.version}" for found in stale if found != self.version), None)

    def afterglow(self, words):
        """The longest command that there is, and whether it has the options."""
        known = []
        words = [word for word in words if word != "[--admin]"]
        for word in words:
            if word.startswith("-"):
                continue
            listed = re.findall(r"(?m)^  ([a-z][a-z-]*)(?:  |$)", (self.help(*known) or "").split("\nOptions:")[0])
            if word in listed:
                known.append(word)
            elif not known and not word.isdigit():
                return f"there is no command {word}"
            elif re.fullmatch(r"[a-z-]+", word) and "Commands:" in (self.help(*known) or ""):
                return f"there is no command {' '.join([*known, word])}"
        text = self.help(*known) or ""
        options = [word.split("=")[0] for word in words if word.startswith("--")]
        return next((f"there is no option {option}" for option in options if not re.search(f"{option}\\b", text)), None)

    def make(self, words):
        for word in words:
            name, is_variable, _ = word.partition("=")
            if name not in (self.variables if is_variable else self.targets):
                return f"make has no {name}"
        return None

    def unit(self, words):
        for word in words:
            name = re.sub(r"@\d+", "@", word)
            if name.startswith("afterglow") and not {name, f"{name}.service"} & self.units:
                return f"there is no unit {word}"
        return None

    def xtask(self, words):
        return f"there is no task {words[1]}" if words[0] == "xtask" and words[1] not in self.tasks else None

    def script(self, words):
        names = words[words.index("run") + 1 :] if "run" in words else []
        return f"there is no script {names[0]}" if names and names[0] not in self.scripts else None

    @staticmethod
    def copied(words):
        shipped = "/usr/share/doc/afterglow/examples/"
        missing = [word for word in words if word.startswith(shipped) and not (ROOT / "deploy" / word[len(shipped) :]).exists()]
        return f"the package has no {missing[0]}" if missing else None

    @staticmethod
    def image(words):
        named = [words[at + 1] for at, word in enumerate(words) if word == "--file"]
        return next((f"there is no {name}" for name in named if not (ROOT / name).is_file()), None)
