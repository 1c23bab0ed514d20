"""What docs/recipes.md has: the flow for n8n, run against a stand-in for the provider, and the programs, run against the service."""

import base64
import contextlib
import hashlib
import hmac
import http.server
import json
import re
import shutil
import subprocess
import threading
import time
import unittest
import urllib.request

from commands import ROOT
from installation import BINARY, MODELS, Installation

RECIPES = ROOT / "docs/recipes"
FLOW = RECIPES / "n8n-whatsapp.json"
TYPESCRIPT = ROOT / "web/node_modules/typescript/lib/typescript.js"
PHOTO = ROOT / ".cache/pictures/obama.jpg"
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
EMAIL, PASSWORD = "you@example.com", "correct horse battery"
EVENT = {"event_id": "019a9f00", "slug": "anjali-ravi-x7", "name": "Anjali &\n  Ravi", "url": "https://photos.example/event/anjali-ravi-x7"}


def message(kind, data):
    return json.dumps({"type": kind, "timestamp": "2026-11-20T09:31:00.000Z", "data": data}).encode()


def signed(body, secret=SECRET, sent=None, identifier="msg_1"):
    """The headers of a message, as the Standard Webhooks specification says."""
    sent = str(int(time.time()) if sent is None else sent)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{identifier}.{sent}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    # A former secret signs too for a day.
    return {"webhook-id": identifier, "webhook-timestamp": sent, "webhook-signature": f"v1,bm90aGluZw== {signature}"}


class Provider(http.server.BaseHTTPRequestHandler):
    """Takes messages as the Cloud API does, and refuses what is not one of a template."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            self.check(json.loads(body))
            status = self.server.status
        except (AssertionError, KeyError, TypeError, ValueError) as error:
            self.server.complaints.append(repr(error))
            status = 400
        answer = json.dumps({"messages": [{"id": "wamid.1"}]} if status == 200 else {"error": {"code": 100}}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def check(self, sent):
        assert re.fullmatch(r"/v\d+\.\d+/106540352242922/messages", self.path), self.path
        assert self.headers["authorization"].startswith("Bearer "), "no token"
        assert self.headers["content-type"] == "application/json"
        assert set(sent) == {"messaging_product", "recipient_type", "to", "type", "template"}, sent
        kind = (sent["messaging_product"], sent["recipient_type"], sent["type"])
        assert kind == ("whatsapp", "individual", "template"), kind
        assert re.fullmatch(r"[1-9]\d{6,14}", sent["to"]), sent["to"]
        template = sent["template"]
        assert set(template) == {"name", "language", "components"}, template
        assert re.fullmatch(r"[a-z0-9_]{1,512}", template["name"]), template["name"]
        assert re.fullmatch(r"[a-z]{2,3}(_[A-Z]{2})?", template["language"]["code"])
        [component] = template["components"]
        assert set(component) == {"type", "parameters"} and component["type"] == "body", component
        for parameter in component["parameters"]:
            assert set(parameter) == {"type", "text"} and parameter["type"] == "text", parameter
            text = parameter["text"]
            assert isinstance(text, str) and 0 < len(text) <= 1024, text
            assert not re.search(r"[\n\t]| {5,}", text), text
        self.server.messages.append(sent)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def provider(status=200):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.messages, server.complaints, server.status = [], [], status
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class Flow(unittest.TestCase):
    def setUp(self):
        self.flow = json.loads(FLOW.read_text())

    def run_flow(self, server, body, headers, known=None):
        given = {
            "headers": headers,
            "body": base64.b64encode(body).decode(),
            "known": known or {},
            "replace": [
                ["whsec_REPLACE_ME", SECRET],
                ["PHONE_NUMBER_ID", "106540352242922"],
                ["https://graph.facebook.com", f"http://127.0.0.1:{server.server_port}"],
            ],
        }
        runner = ["node", str(ROOT / "tools/documents/n8n.mjs"), str(FLOW)]
        done = subprocess.run(runner, input=json.dumps(given), capture_output=True, text=True, timeout=60, check=True)
        return json.loads(done.stdout)

    def test_the_flow_is_one_that_n8n_reads(self):
        nodes = {node["name"]: node for node in self.flow["nodes"]}
        self.assertEqual(len({node["id"] for node in self.flow["nodes"]}), len(nodes))
        for node in self.flow["nodes"]:
            self.assertEqual({"parameters", "id", "name", "type", "typeVersion", "position"} - set(node), set())
        for name, outputs in self.flow["connections"].items():
            targets = [target["node"] for output in outputs["main"] for target in output]
            self.assertTrue({name, *targets} <= set(nodes))
        kinds = [node["type"].removeprefix("n8n-nodes-base.") for node in self.flow["nodes"]]
        self.assertEqual(kinds, ["webhook", "code", "httpRequest", "code"])
        webhook = nodes["Afterglow"]["parameters"]
        # The signature is over the bytes as they came; a failure is answered with one, so that the message comes again.
        self.assertTrue(webhook["options"]["rawBody"])
        self.assertEqual((webhook["httpMethod"], webhook["responseMode"]), ("POST", "lastNode"))
        # Nobody's secret, token or number is published.
        text = FLOW.read_text()
        self.assertIn("whsec_REPLACE_ME", text)
        self.assertNotRegex(text, r"whsec_[A-Za-z0-9+/]{30}|Bearer |\+91")

    def test_a_message_becomes_that_of_a_template(self):
        """[RUN356]"""
        for kind, more, name, texts in (
            ("event.complete", {"photos": 340}, "photos_are_complete", ["Anjali & Ravi", EVENT["url"]]),
            ("selection.done", {"selection_id": "s1", "photos": 42}, "selection_is_done", ["Anjali & Ravi", "42"]),
        ):
            with self.subTest(kind), provider() as server:
                body = message(kind, {**EVENT, **more})
                done = self.run_flow(server, body, signed(body))
                self.assertEqual((done["failure"], server.complaints), (None, []))
                self.assertEqual(done["visited"], ["Afterglow", "Verify", "WhatsApp", "Remember"])
                [sent] = server.messages
                self.assertEqual(sent["template"]["name"], name)
                parameters = sent["template"]["components"][0]["parameters"]
                self.assertEqual([parameter["text"] for parameter in parameters], texts)
                # The same message again is not sent again.
                self.assertEqual(done["known"], {"sent": ["msg_1"]})
                again = self.run_flow(server, body, signed(body), done["known"])
                self.assertEqual((again["failure"], len(server.messages)), (None, 1))

    def test_what_is_not_genuine_or_of_no_interest_sends_nothing(self):
        """[RUN356]"""
        body = message("event.complete", {**EVENT, "photos": 1})
        other = "whsec_" + base64.b64encode(bytes(32)).decode()
        for label, given, headers, failure in (
            ("another secret", body, signed(body, secret=other), "not signed"),
            ("another body", body.replace(b"340", b"341") + b" ", signed(body), "not signed"),
            ("another id", body, {**signed(body), "webhook-id": "msg_2"}, "not signed"),
            ("no signature", body, {"webhook-id": "msg_1", "webhook-timestamp": str(int(time.time()))}, "not signed"),
            ("recorded", body, signed(body, sent=int(time.time()) - 301), "too old"),
            ("no time", body, {}, "too old"),
        ):
            with self.subTest(label), provider() as server:
                done = self.run_flow(server, given, headers)
                self.assertIn(failure, done["failure"] or "")
                self.assertEqual((server.messages, done["known"]), ([], {}))
        for kind in ("photo.searchable", "guest.waiting", "webhook.test", "constructor"):
            with self.subTest(kind), provider() as server:
                body = message(kind, EVENT)
                done = self.run_flow(server, body, signed(body))
                self.assertEqual((done["failure"], done["visited"][-1], server.messages), (None, "Verify", []))

    def test_what_the_provider_refuses_is_tried_again(self):
        """[RUN356]"""
        body = message("event.complete", {**EVENT, "photos": 1})
        with provider(status=500) as server:
            done = self.run_flow(server, body, signed(body))
        self.assertIn("500", done["failure"])
        self.assertEqual(done["known"], {})


@unittest.skipUnless(BINARY.exists(), f"{BINARY} is missing: run `make build`")
@unittest.skipUnless((MODELS / "pack.toml").exists() and PHOTO.exists(), "run `make models` and `make pictures`")
class Programs(Installation, unittest.TestCase):
    def call(self, path, body=None, token=""):
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.address}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def open(self):
        """A service with an event, and what a program needs."""
        self.start()
        create = [BINARY, "user", "create", EMAIL, "--admin"]
        subprocess.run(create, cwd=self.folder, env=self.environment, input=PASSWORD + "\n", text=True, check=True, capture_output=True)
        session = self.call("/api/auth/login", {"email": EMAIL, "password": PASSWORD})["token"]
        self.call("/api/events/", {"name": "Party", "date": "2026-11-14"}, session)
        token = self.call("/api/auth/tokens", {"name": "Recipe", "scope": "upload", "password": PASSWORD}, session)
        return {**self.environment, "AFTERGLOW_SERVER": f"http://{self.address}", "AFTERGLOW_TOKEN": token["token"]}, session

    def check(self, program):
        environment, session = self.open()
        done = subprocess.run([*program, "Party", str(PHOTO)], env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^obama\.jpg: ready, 1 faces\n$")
        [photo] = self.call("/api/photos/search", token=session)["photos"]
        self.assertEqual((photo["filename"], photo["status"]), ("obama.jpg", "ready"))

    def test_the_program_in_python_uploads_a_photo_and_waits(self):
        """[RUN357]"""
        self.check(["python3", str(RECIPES / "upload.py")])

    @unittest.skipUnless(TYPESCRIPT.exists(), "the web app's packages are missing: run `make build`")
    def test_the_program_in_typescript_uploads_a_photo_and_waits(self):
        """[RUN357]"""
        compiler = [shutil.which("node"), str(TYPESCRIPT.with_name("tsc.js")), str(RECIPES / "upload.mts")]
        options = "--strict --target es2022 --module nodenext --skipLibCheck --types node"
        roots = ["--typeRoots", str(ROOT / "web/node_modules/@types"), "--outDir", str(self.folder)]
        done = subprocess.run([*compiler, *options.split(), *roots], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.check(["node", str(self.folder / "upload.mjs")])


class Page(unittest.TestCase):
    def test_the_page_has_the_programs_as_they_are_run(self):
        page = (ROOT / "docs/recipes.md").read_text()
        for name, language in (("upload.py", "python"), ("upload.mts", "ts")):
            self.assertIn(f"```{language}\n{(RECIPES / name).read_text()}```\n", page, name)
            lines = [line for line in (RECIPES / name).read_text().splitlines() if line]
            self.assertLessEqual(len(lines), 25, name)


if __name__ == "__main__":
    unittest.main()
