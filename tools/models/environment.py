"""The builder's virtual environment, created on first use and recreated when its requirements change."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from downloads import BuildError, log, run, sha256

HERE = Path(__file__).resolve().parent


def activate(cache):
    """Re-executes this process in the virtual environment; returns if it already runs there."""
    folder = Path(cache) / "models-venv"
    python = folder / "bin" / "python"
    if Path(sys.prefix).resolve() == folder.resolve():
        return
    stamp = folder / "requirements.sha256"
    expected = "%s %d.%d\n" % ((sha256(HERE / "requirements.txt"),) + sys.version_info[:2])
    if not stamp.is_file() or stamp.read_text() != expected or not python.exists():
        create(folder, python)
        stamp.write_text(expected)
    sys.stdout.flush()
    os.execv(python, [str(python)] + sys.argv)


def create(folder, python):
    log("creating the builder's virtual environment in %s" % folder)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, stdout=subprocess.PIPE)
    except subprocess.CalledProcessError as error:
        raise BuildError(
            "Python could not create a virtual environment (Debian: install python3-venv): %s"
            % error.stdout.decode(errors="replace").strip()
        ) from None
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    run(install + ["--requirement", str(HERE / "requirements.txt")], "numpy, onnx and pillow")
