"""What a photographer and a guest do, over HTTP: register, upload, search, fetch the ZIP. For tests of installations."""

import io
import json
import re
import ssl
import struct
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"
# A picture that is there wherever the models are.
FACE = "self-test.ppm"


class Refused(Exception):
    """An answer that was not expected."""


def notice_version():
    """The version of the notice that guests are shown now."""
    text = (ROOT / "crates/domain/src/faces/consents.rs").read_text()
    return re.findall(r"\d{4}-\d\d-\d\d", re.search(r"const VERSIONS: .*?= \[(.*?)\]", text, re.DOTALL)[1])[-1]


def wait_for(what, find, seconds=120):
    """What `find` returns once it is not None."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (found := find()) is not None:
            return found
        time.sleep(0.2)
    raise Refused(f"{what} did not come in {seconds} s")


def bitmap(width, height, row):
    """A BMP of 24 bits; `row(y)` are the pixels of a row from the top, blue before green before red."""
    padding = b"\0" * (-width * 3 % 4)
    size = (width * 3 + len(padding)) * height
    head = b"BM" + struct.pack("<IHHI", 54 + size, 0, 0, 54)
    head += struct.pack("<IiiHHIIiiII", 40, width, -height, 1, 24, 0, size, 2835, 2835, 0, 0)
    return head + b"".join(row(y) + padding for y in range(height))


def face(models):
    """Width, height and rows of the picture that the models test themselves with, in the order of a BMP."""
    data = (models / FACE).read_bytes()
    match = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(match[1]), int(match[2])
    pixels = data[match.end() :]
    rows = []
    for y in range(height):
        line = bytearray(pixels[y * width * 3 : (y + 1) * width * 3])
        line[0::3], line[2::3] = line[2::3], line[0::3]
        rows.append(bytes(line))
    return width, height, rows


def selfie(models):
    width, height, rows = face(models)
    return bitmap(width, height, rows.__getitem__)


def large_photo(models, size, shade=96):
    """A photo of the same face with as many bytes as fit into `size`; another shade makes another photo."""
    width, height, rows = face(models)
    # Rows of a BMP fill words of four bytes.
    across = int((size / 3) ** 0.5) // 4 * 4
    down = (size - 54) // (across * 3)
    times = max(1, min(across // width, down // height) // 3)
    margin = across // 10
    plain = bytes([shade]) * (across * 3)

    def enlarged(row):
        return b"".join(row[x : x + 3] * times for x in range(0, len(row), 3))

    left = bytes([shade]) * (margin * 3)
    right = bytes([shade]) * ((across - margin - width * times) * 3)
    wide = [left + enlarged(row) + right for row in rows]
    top = (down - height * times) // 2
    return bitmap(across, down, lambda y: wide[(y - top) // times] if top <= y < top + height * times else plain)


class Client:
    """Talks to one address; certificates of tests are nobody's."""

    def __init__(self, url):
        self.url = url
        self.token = None
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        no_proxy = urllib.request.ProxyHandler({})
        self.opener = urllib.request.build_opener(no_proxy, urllib.request.HTTPSHandler(context=context))

    def send(self, method, path, body=None, kind=None):
        request = urllib.request.Request(self.url + path, data=body, method=method)
        if kind:
            request.add_header("Content-Type", kind)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with self.opener.open(request, timeout=120) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise Refused(f"{method} {path}: {error.code} {error.read()[:500]!r}") from error

    def get(self, path):
        return json.loads(self.send("GET", path))

    def post(self, path, body):
        return json.loads(self.send("POST", path, json.dumps(body).encode(), "application/json") or b"null")

    def form(self, path, *parts):
        """Parts are name, file name or None, and bytes."""
        line = b"----what-no-picture-has"
        body = io.BytesIO()
        for name, file, data in parts:
            disposition = f'form-data; name="{name}"' + (f'; filename="{file}"' if file else "")
            body.write(b"--" + line + b"\r\nContent-Disposition: " + disposition.encode() + b"\r\n\r\n")
            body.write(data)
            body.write(b"\r\n")
        body.write(b"--" + line + b"--\r\n")
        kind = "multipart/form-data; boundary=" + line.decode()
        return json.loads(self.send("POST", path, body.getvalue(), kind))

    def wait_until_ready(self, seconds=60):
        def ready():
            try:
                return self.get("/api/ready")
            except (Refused, OSError):
                return None

        return wait_for("the service", ready, seconds)

    def register(self, outbox, email="meera@example.com"):
        """A photographer whose address is verified by the link of the mail, which lies in `outbox`."""
        account = {"name": "Meera", "email": email, "password": PASSWORD}
        self.post("/api/auth/register", account)

        def link():
            for mail in sorted(outbox.glob("*.eml"), reverse=True):
                text = mail.read_text().replace("=\n", "").replace("=3D", "=")
                if email in text and (token := re.search(r"/verify-email\?token=([\w-]+)", text)):
                    return token[1]
            return None

        self.post("/api/auth/verify-email", {"token": wait_for("the mail", link)})
        self.log_in(email)

    def log_in(self, email="meera@example.com"):
        self.token = self.post("/api/auth/login", {"email": email, "password": PASSWORD})["token"]

    def event(self, name):
        return self.post("/api/events/", {"name": name, "date": time.strftime("%Y-%m-%d")})

    def upload(self, event, name, photo):
        return self.form("/api/photos/upload", ("event_id", None, event["id"].encode()), ("photos", name, photo))

    def wait_until_indexed(self, event, photos):
        def indexed():
            state = self.get(f"/api/events/{event['slug']}")["indexing"]
            return state if state["indexed"] >= photos else None

        return wait_for(f"{photos} searchable photos", indexed)

    def search(self, event, picture):
        notice = notice_version().encode()
        return self.form(
            f"/api/face/search/{event['slug']}", ("image", "selfie.bmp", picture), ("notice_version", None, notice)
        )

    def zip(self, found):
        """Names and bytes of the files in the ZIP of a search."""
        data = self.send("GET", f"/api/face/download/{found['download_token']}.zip")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
