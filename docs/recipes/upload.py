"""Uploads a photo to an event, and waits until guests can find it: `python3 upload.py EVENT PHOTO`."""

import json, os, sys, time, urllib.request, uuid
from pathlib import Path

SERVER, TOKEN = os.environ["AFTERGLOW_SERVER"], os.environ["AFTERGLOW_TOKEN"]

def call(path, body=None, headers=None):
    headers = {"Authorization": f"Bearer {TOKEN}", **(headers or {})}
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, body, headers), timeout=60) as answer:
        return json.load(answer)

name, photo, line = sys.argv[1], Path(sys.argv[2]), uuid.uuid4().hex
event = next(event for event in call("/api/events/") if event["name"] == name)
head = f'--{line}\r\nContent-Disposition: form-data; name="event_id"\r\n\r\n{event["id"]}\r\n'
head += f'--{line}\r\nContent-Disposition: form-data; name="photos"; filename="{photo.name}"\r\n\r\n'
body = head.encode() + photo.read_bytes() + f"\r\n--{line}--\r\n".encode()
sent = call("/api/photos/upload", body, {"Content-Type": f"multipart/form-data; boundary={line}"})
while (state := call(f"/api/photos/{sent['id']}/status"))["status"] == "processing":
    time.sleep(1)
print(f"{photo.name}: {state['status']}, {state['faces']} faces")
