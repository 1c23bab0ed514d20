"""Where the programs are that tests run and that not every system has."""

import os
import shutil
from pathlib import Path

# Where `make setup-test` unpacks what the system does not have.
UNPACKED = Path(__file__).resolve().parents[2] / ".cache/debian"


def program(name):
    """The path of a program of the system, or of the ones that were unpacked; None without it."""
    places = [*os.environ["PATH"].split(":"), "/usr/sbin", str(UNPACKED / "usr/bin"), str(UNPACKED / "usr/sbin")]
    return shutil.which(name, path=":".join(places))
