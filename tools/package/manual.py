"""The man page, from what the binary says about itself."""

import re
from datetime import datetime, timezone

FILES = (
    ("/etc/afterglow/afterglow.toml", "The settings. \\fBafterglow config\\fR lists them, and what is in force."),
    ("/var/lib/afterglow", "Everything that is kept: database, photos, and mails where no mail server is set."),
    ("/usr/lib/afterglow/models", "The face models and the library that computes them."),
)


def commands(text):
    """Names and meanings of the commands in what `afterglow --help` prints."""
    block = re.search(r"^Commands:\n(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    if block is None:
        raise ValueError("`afterglow --help` lists no commands")
    found = []
    for line in block[1].splitlines():
        if match := re.match(r"  (\S+)\s+(.*)", line) if not line.startswith("   ") else None:
            found.append([match[1], match[2]])
        elif found:
            found[-1][1] += " " + line.strip()
    return [(name, meaning) for name, meaning in found if name != "help"]


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def page(text, version, when):
    date = datetime.fromtimestamp(when, timezone.utc).strftime("%Y-%m-%d")
    lines = [
        f'.TH AFTERGLOW 1 "{date}" "afterglow {version}" "Afterglow"',
        ".SH NAME",
        "afterglow \\- event photos, found by a selfie",
        ".SH SYNOPSIS",
        ".B afterglow",
        "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR",
        ".SH DESCRIPTION",
        "A web service for event photographers and their guests: one binary serves the web app, the API and the",
        "background work. \\fBafterglow \\fICOMMAND\\fB \\-\\-help\\fR says more about each command.",
        "The service runs as the user afterglow; commands that work on its data are run as this user too:",
        ".PP",
        ".RS",
        "sudo \\-u afterglow afterglow user list",
        ".RE",
        ".SH COMMANDS",
    ]
    for name, meaning in commands(text):
        lines += [".TP", f".B {escaped(name)}", escaped(meaning) + "."]
    lines.append(".SH FILES")
    for name, meaning in FILES:
        lines += [".TP", f".I {name}", meaning]
    lines += [
        ".SH ENVIRONMENT",
        "Each setting can be given as AFTERGLOW_NAME, which wins over the file, and as an option, which wins over both.",
        "AFTERGLOW_SETTINGS names another file.",
        ".SH EXIT STATUS",
        "0 on success, 1 where something failed or was found, 2 for a wrong option.",
        "",
    ]
    return "\n".join(lines)
