"""Caddy and nginx in front of a server, configured as in deploy/: 100 MB go up, a search is answered, a ZIP comes down."""

import os
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from photographer import ROOT, Client, Refused, large_photo, selfie
from programs import program

BINARY = Path(os.environ.get("AFTERGLOW_BINARY", ROOT / "target/debug/afterglow"))
MODELS = ROOT / "models"
LARGEST = 100 * 1_048_576


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@unittest.skipUnless(BINARY.exists(), f"{BINARY} is missing: run `make build`")
@unittest.skipUnless((MODELS / "pack.toml").exists(), "there are no face models: run `make models`")
class Proxies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.service, self.port = free_port(), free_port()

    def start(self, name, *command, **variables):
        log = (self.folder / f"{name}.log").open("wb")
        self.addCleanup(log.close)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **variables}
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        self.addCleanup(self.stop, process)

    def stop(self, process):
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def start_service(self):
        self.start(
            "afterglow",
            str(BINARY),
            "serve",
            AFTERGLOW_LISTEN=f"127.0.0.1:{self.service}",
            AFTERGLOW_PUBLIC_URL=f"https://localhost:{self.port}",
            AFTERGLOW_TRUSTED_PROXIES="127.0.0.1",
            AFTERGLOW_MIN_FREE_DISK_MB="1",
            AFTERGLOW_MODEL_DIR=str(MODELS),
        )

    def try_it(self):
        """Everything goes through the proxy."""
        self.start_service()
        client = Client(f"https://localhost:{self.port}")
        try:
            client.wait_until_ready()
            client.register(self.folder / "data/outbox")
            event = client.event("Largest")
            photo = large_photo(MODELS, LARGEST)
            self.assertGreater(len(photo), LARGEST - 50_000)
            client.upload(event, "largest.bmp", photo)
            client.wait_until_indexed(event, 1)
            found = client.search(event, selfie(MODELS))
            self.assertEqual(len(found["matches"]), 1)
            self.assertEqual(list(client.zip(found).values()), [photo])
            with self.assertRaisesRegex(Refused, "413"):
                client.upload(event, "too-large.bmp", photo + bytes(1_048_576))
        except (Refused, AssertionError):
            for log in sorted(self.folder.glob("*.log")):
                print(f"== {log.name}\n{log.read_text(errors='replace')[-4000:]}")
            raise

    @unittest.skipUnless(program("caddy"), "caddy is missing (Debian package caddy)")
    def test_caddy(self):
        """A photo of 100 MB comes through, is found and fetched in a ZIP; a larger one is refused by the service itself."""
        text = (ROOT / "deploy/Caddyfile").read_text()
        text = text.replace("photos.example.com {", f"https://localhost:{self.port} {{\n\ttls internal", 1)
        text = text.replace("127.0.0.1:8080", f"127.0.0.1:{self.service}")
        # The file begins with options that hold for all of it.
        options = f"\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system {self.folder}\n"
        (self.folder / "Caddyfile").write_text(text.replace("\n{\n", "\n{\n" + options, 1))
        self.start("caddy", program("caddy"), "run", "--config", "Caddyfile", "--adapter", "caddyfile")
        self.try_it()

    @unittest.skipUnless(program("nginx") and program("openssl"), "nginx or openssl is missing (Debian packages of that name)")
    def test_nginx(self):
        """A photo of 100 MB comes through, is found and fetched in a ZIP; a larger one is refused by the service itself."""
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subject = ["-subj", "/CN=localhost", "-days", "2"]
        made = ["-keyout", str(key), "-out", str(certificate)]
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *made]
        subprocess.run(command, check=True, capture_output=True)
        text = (ROOT / "deploy/nginx.conf").read_text()
        plain = free_port()
        for before, after in (
            ("listen 443", f"listen {self.port}"),
            ("listen [::]:443", f"listen [::1]:{self.port}"),
            ("listen 80", f"listen 127.0.0.1:{plain}"),
            ("listen [::]:80", f"listen [::1]:{plain}"),
            ("127.0.0.1:8080", f"127.0.0.1:{self.service}"),
            ("/etc/letsencrypt/live/photos.example.com/fullchain.pem", str(certificate)),
            ("/etc/letsencrypt/live/photos.example.com/privkey.pem", str(key)),
            # The folder is there only where the package was installed, not where it was unpacked.
            ("/var/log/nginx/", f"{self.folder}/"),
        ):
            self.assertIn(before, text)
            text = text.replace(before, after)
        if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
            text = "\n".join(line for line in text.splitlines() if "[::1]" not in line)
        folders = "".join(
            f"{kind}_temp_path {self.folder / kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        main = f"daemon off;\nmaster_process off;\npid {self.folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
        (self.folder / "nginx.conf").write_text(f"{main}http {{\naccess_log off;\n{folders}{text}\n}}\n")
        self.start("nginx", program("nginx"), "-p", str(self.folder), "-e", "stderr", "-c", "nginx.conf")
        self.try_it()

    def test_all_three_keep_connections_for_less_time_than_the_service(self):
        for name in ("Caddyfile", "nginx.conf", "traefik-afterglow.yml"):
            self.assertRegex((ROOT / "deploy" / name).read_text(), r"(keepalive|keepalive_timeout|idleConnTimeout:) 60s")


if __name__ == "__main__":
    unittest.main()
