"""The commands of docs/install.md, run word by word in a root file system without sudo and without systemd."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/install.md"
SECTION = "## Debian and Ubuntu"
INSTALLS = "sudo apt install ./"

SUDO = """\
#!/bin/sh
if [ "$1" = -u ]; then
	user=$2
	shift 2
	exec runuser -u "$user" -- "$@"
fi
exec "$@"
"""
# There is no systemd here: what is named has to be a unit that the package has installed.
NAMES_UNITS = """\
#!/bin/sh
for word; do
	case $word in
	-* | enable | restart) ;;
	*)
		units=/usr/lib/systemd/system
		[ -e "$units/$word" ] || [ -e "$units/$word.service" ] || [ -e "$units/${word%@*}@.service" ] || {
			echo "there is no unit $word"
			exit 1
		}
		;;
	esac
done
"""


def commands():
    """Those of the section about the package, in order."""
    text = PAGE.read_text().split(SECTION, 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    inline = re.findall(r"`(sudo [^`]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    # `edit` opens an editor, and what removes the package comes last (package_test.py).
    inline = [line for line in inline if " edit " not in line and not line.startswith(("sudo apt remove", "sudo apt purge"))]
    return [line for block in blocks for line in block.splitlines()] + inline


def prepare(root):
    """Stands in for what a minimal root file system lacks."""
    folder = root / "usr/local/bin"
    for name, script in (("sudo", SUDO), ("systemctl", NAMES_UNITS), ("journalctl", NAMES_UNITS)):
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    (root / "etc/apt/apt.conf.d/99package-test").write_text(
        'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\nAPT::Sandbox::User "root";\n'
    )
