"""What a unit of systemd allows its process, as far as it can be had without systemd: system calls, and no memory that can
be written and executed. Uses Debian's python3-seccomp; without it the process is not confined, and that is said."""

import ctypes
import errno
import re
import subprocess
import sys

sys.path.append("/usr/lib/python3/dist-packages")
try:
    import seccomp
except ImportError:
    seccomp = None

WRITE, EXECUTE = 2, 4
PR_SET_NO_NEW_PRIVS = 38


def described():
    """Whether it is done."""
    return "as the unit allows them" if seccomp else "not restricted: python3-seccomp is missing"


def members(group):
    """The names in a group such as @system-service."""
    if not group.startswith("@"):
        return {group}
    command = ["systemd-analyze", "syscall-filter", group]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    names = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    return {name for each in names for name in members(each)}


def allowed(unit):
    """The calls that the lines of a unit allow, in their order."""
    calls = set()
    for line in re.findall(r"(?m)^SystemCallFilter=(.*)$", unit):
        named = {name for group in line.lstrip("~").split() for name in members(group)}
        calls = calls - named if line.startswith("~") else calls | named
    return calls


def from_unit(unit):
    """A function that confines the process that calls it."""
    if seccomp is None:
        return lambda: None
    only = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    both = WRITE | EXECUTE
    for call in sorted(allowed(unit)):
        try:
            if "MemoryDenyWriteExecute=yes" in unit and call == "mmap":
                for protection in (0, WRITE, EXECUTE):
                    only.add_rule(seccomp.ALLOW, call, seccomp.Arg(2, seccomp.MASKED_EQ, both, protection))
            elif "MemoryDenyWriteExecute=yes" in unit and call in ("mprotect", "pkey_mprotect"):
                only.add_rule(seccomp.ALLOW, call, seccomp.Arg(2, seccomp.MASKED_EQ, EXECUTE, 0))
            else:
                only.add_rule(seccomp.ALLOW, call)
        except (RuntimeError, ValueError, OSError):
            # A call of another architecture.
            continue

    def confine():
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        only.load()

    return confine
