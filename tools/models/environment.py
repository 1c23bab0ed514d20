"""The builder's private Python environment, made on first use and remade when its requirements change."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from downloads import BuildError, run, say, sha256

HERE = Path(__file__).resolve().parent


def enter(cache):
    """Goes on in the private environment; returns only when this process already runs in it."""
    folder = Path(cache) / "models-venv"
    python = folder / "bin" / "python"
    if Path(sys.prefix).resolve() == folder.resolve():
        return
    stamp = folder / "requirements.sha256"
    wanted = "%s %d.%d\n" % ((sha256(HERE / "requirements.txt"),) + sys.version_info[:2])
    if not stamp.is_file() or stamp.read_text() != wanted or not python.exists():
        make(folder, python)
        stamp.write_text(wanted)
    sys.stdout.flush()
    os.execv(python, [str(python)] + sys.argv)


def make(folder, python):
    say("making the builder's private Python environment in %s" % folder)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, stdout=subprocess.PIPE)
    except subprocess.CalledProcessError as error:
        raise BuildError(
            "Python could not make a virtual environment (Debian: install python3-venv): %s"
            % error.stdout.decode(errors="replace").strip()
        ) from None
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    run(install + ["--requirement", str(HERE / "requirements.txt")], "numpy, onnx and pillow")
