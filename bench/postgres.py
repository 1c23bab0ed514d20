"""A PostgreSQL server in a temporary folder, for as long as a benchmark runs."""
import os
import pwd
import shutil
import subprocess
from pathlib import Path


class Server:
    """Listens on a socket in `folder` and on no port. It counts statements (pg_stat_statements)."""

    def __init__(self, folder, connections=100):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        self.programs = found[-1] if found else Path(shutil.which("pg_ctl") or "pg_ctl").parent
        self.folder = Path(folder)
        self.folder.mkdir()
        # It refuses to run as root.
        self.user = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.user = {"user": account.pw_uid, "group": account.pw_gid}
        self.run("initdb", "-D", "data", "-U", "postgres", "--auth=trust", "--no-locale", "-E", "UTF8")
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c max_connections={connections}"
        options += " -c shared_preload_libraries=pg_stat_statements -c shared_buffers=512MB"
        self.run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")
        self.url = f"postgres:///postgres?host={self.folder}&user=postgres"

    def run(self, program, *arguments):
        subprocess.run([self.programs / program, *arguments], cwd=self.folder, check=True, stdout=subprocess.DEVNULL, **self.user)

    def stop(self):
        self.run("pg_ctl", "-D", "data", "-m", "fast", "stop")
