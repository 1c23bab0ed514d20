"""What live_event.py measures: the service as one process, or as several that share PostgreSQL and a bucket."""
import subprocess

import filling
import postgres
from files import Service


class Embedded:
    title = "one process, SQLite and a folder"

    def __init__(self, options, folder):
        self.options, self.folder, self.data, self.services = options, folder, folder / "data", {}
        self.settings = {"AFTERGLOW_RATE_LIMITS": "on", "AFTERGLOW_TRUSTED_PROXIES": "127.0.0.1"}

    def start(self, name):
        self.services = {"serve": Service(self.options, self.folder, self.data, name, **self.settings)}

    def addresses(self):
        return [service.address for service in self.services.values() if service.address]

    def database(self):
        return filling.Sqlite(self.data)

    def media(self):
        return self.data / "media"

    def place(self, key):
        return filling.in_folder(key)

    def stop(self):
        for service in self.services.values():
            service.stop()
        self.services = {}

    def end(self):
        self.stop()


class Worker(Service):
    """A process without an address."""

    def __init__(self, options, folder, data, name, **settings):
        self.address, self.settings = None, settings
        environment = {"AFTERGLOW_DATA_DIR": str(data), "AFTERGLOW_MODEL_DIR": str(options.models.resolve())}
        with (folder / f"{name}.log").open("w") as log:
            self.process = subprocess.Popen([options.binary.resolve(), "worker"], env=environment | settings, cwd=folder, stderr=log)


class Scaled(Embedded):
    title = "two processes `serve --no-worker`, two `worker`, PostgreSQL, S3"

    def __init__(self, options, folder):
        super().__init__(options, folder)
        self.postgres = postgres.Server(folder / "postgres", connections=200)
        (folder / "bucket").mkdir()
        self.bucket = subprocess.Popen([options.bucket.resolve(), folder / "bucket"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        lines = iter(self.bucket.stdout.readline, "\n")
        self.settings |= dict(line.strip().split("=", 1) for line in lines)
        self.settings |= {"AFTERGLOW_DATABASE_URL": self.postgres.url, "AFTERGLOW_MEDIA_URL": "s3://media/live"}

    def start(self, name):
        serve = ("serve", "--no-worker")
        for number in (1, 2):
            self.services[f"serve {number}"] = Service(self.options, self.folder, self.data, f"{name}-serve-{number}", serve, **self.settings)
        for number in (1, 2):
            self.services[f"worker {number}"] = Worker(self.options, self.folder, self.data, f"{name}-worker-{number}", **self.settings)

    def database(self):
        return filling.Postgres(self.postgres.url)

    def media(self):
        return self.folder / "bucket/media/live"

    def place(self, key):
        return key

    def end(self):
        self.stop()
        self.bucket.stdin.close()
        self.bucket.wait()
        self.postgres.stop()
