#!/usr/bin/env python3
"""What the product is compared with, each as one would write it: photos and selfies in, who is in which photo out.

    pipelines.py face_recognition|plain EVENT [--models models] [--processes 2] [--photos N]

`face_recognition` is the package of that name with its defaults. `plain` uses the product's own networks as many
programs use theirs: the detector at 640 pixels, its landmarks, one look at each face, one threshold. Prints JSON.
Runs in the environment that `make bench-faces` creates.
"""

import argparse
import json
import multiprocessing
import os
import resource
import time
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

TEMPLATE_SIDE = 112


class FaceRecognition:
    """dlib's histograms of gradients, once enlarged, its landmarks and its network; tolerance 0.6."""

    def __init__(self, _models):
        import face_recognition

        self.library = face_recognition

    def faces(self, path):
        return self.library.face_encodings(self.library.load_image_file(str(path)))

    def selfie(self, path):
        """The largest face, or None."""
        image = self.library.load_image_file(str(path))
        places = self.library.face_locations(image)
        if not places:
            return None
        largest = max(places, key=lambda place: (place[2] - place[0]) * (place[1] - place[3]))
        return self.library.face_encodings(image, [largest])[0]

    @staticmethod
    def match(faces, selfie):
        return np.linalg.norm(faces - selfie, axis=1) <= 0.6


class Plain:
    """CenterFace at 640 pixels, its landmarks, MobileFaceNet, the pack's threshold for 1,000 faces."""

    LONG_SIDE, SCORE, OVERLAP = 640, 0.5, 0.3

    def __init__(self, models):
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime

        pack = read_toml(models / "pack.toml")
        if pack["detector"]["decoder"] != "centerface":
            raise SystemExit("pipelines.py: the comparison needs the default pack")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.detector, self.recogniser = (
            onnxruntime.InferenceSession(str(models / pack[name]["file"]), options, ["CPUExecutionProvider"])
            for name in ("detector", "recogniser")
        )
        self.outputs = pack["detector"]["outputs"]
        self.mean, self.scale = pack["recogniser"]["mean"], pack["recogniser"]["scale"]
        self.template = np.array(pack["recogniser"]["template"])
        self.threshold = next(row["normal"] for row in pack["thresholds"] if row["faces"] == 1000)

    def faces(self, path):
        picture = upright(path)
        return [self.describe(picture, landmarks) for _, landmarks in self.detect(picture)]

    def selfie(self, path):
        """The largest face, or None."""
        picture = upright(path)
        found = self.detect(picture)
        return self.describe(picture, max(found, key=lambda face: area(face[0]))[1]) if found else None

    def match(self, faces, selfie):
        return faces @ selfie >= self.threshold

    def detect(self, picture):
        """Boxes and landmarks in pixels of the picture."""
        factor = min(1.0, self.LONG_SIDE / max(picture.size))
        small = picture.resize([round(side * factor) for side in picture.size], Image.BILINEAR)
        width, height = (-(-side // 32) * 32 for side in small.size)
        canvas = np.zeros((height, width, 3), np.float32)
        canvas[: small.height, : small.width] = np.asarray(small)
        outputs = self.detector.run(self.outputs, {"input": canvas.transpose(2, 0, 1)[None]})
        heat, scale, offset, points = (output[0] for output in outputs)
        found = []
        for row, column in zip(*np.nonzero(heat[0] > self.SCORE)):
            high, wide = np.exp(scale[:, row, column]) * 4
            y, x = (np.array([row, column]) + offset[:, row, column] + 0.5) * 4
            left, top = max(0.0, x - wide / 2), max(0.0, y - high / 2)
            marks = points[:, row, column].reshape(5, 2)[:, ::-1] * (wide, high) + (left, top)
            found.append((heat[0, row, column], np.array([left, top, left + wide, top + high]), marks))
        kept = []
        for _, box, marks in sorted(found, key=lambda face: -face[0]):
            if all(overlap(box, other) <= self.OVERLAP for other, _ in kept):
                kept.append((box, marks))
        return [(box / factor, marks / factor) for box, marks in kept]

    def describe(self, picture, landmarks):
        chip = picture.transform(
            (TEMPLATE_SIDE, TEMPLATE_SIDE), Image.AFFINE, inverse_similarity(landmarks, self.template), Image.BICUBIC
        )
        planes = ((np.asarray(chip, np.float32) - self.mean) * self.scale).astype(np.float32).transpose(2, 0, 1)[None]
        vector = self.recogniser.run(None, {self.recogniser.get_inputs()[0].name: planes})[0][0]
        return vector / np.linalg.norm(vector)


def read_toml(path):
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib
    return tomllib.loads(path.read_text(encoding="utf-8"))


def upright(path):
    with Image.open(path) as picture:
        return ImageOps.exif_transpose(picture).convert("RGB")


def area(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def overlap(one, other):
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(0.0, wide) * max(0.0, high)
    return shared / (area(one) + area(other) - shared)


def inverse_similarity(points, template):
    """The transform from the template's plane to the picture's, by least squares, as Pillow takes it."""
    rows, right = [], []
    for (x, y), (u, v) in zip(template, points):
        rows += [[x, -y, 1, 0], [y, x, 0, 1]]
        right += [u, v]
    a, b, c, d = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    return (a, -b, c, b, a, d)


PIPELINES = {"face_recognition": FaceRecognition, "plain": Plain}
pipeline = None


def start(name, models):
    global pipeline
    pipeline = PIPELINES[name](models)


def index(path):
    return path.name, [vector.tolist() for vector in pipeline.faces(path)], memory()


def look(path):
    vector = pipeline.selfie(path)
    return path, None if vector is None else vector.tolist(), memory()


def memory():
    """The process and the most memory that it had, in MB."""
    return multiprocessing.current_process().pid, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline", choices=sorted(PIPELINES))
    parser.add_argument("event", type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--photos", type=int, help="only so many photos, and no searches: for the speed alone")
    options = parser.parse_args()
    print(json.dumps(run(options)))


def run(options):
    photos = sorted((options.event / "photos").glob("*.jpg"))[: options.photos]
    started = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with context.Pool(options.processes, start, (options.pipeline, options.models)) as pool:
        indexed = list(pool.imap_unordered(index, photos))
        seconds = time.monotonic() - started
        names = [name for name, vectors, _ in indexed for _ in vectors]
        faces = np.array([vector for _, vectors, _ in indexed for vector in vectors])
        most = {}
        for _, _, (process, size) in indexed:
            most[process] = max(size, most.get(process, 0))
        answer = {"photos": len(photos), "faces": len(names), "seconds": seconds}
        answer["peak_mb"] = sum(most.values()) + memory()[1]
        if options.photos is not None:
            return answer
        start(options.pipeline, options.models)
        found, refused = {}, 0
        selfies = [path for folder in ("selfies", "strangers") for path in sorted((options.event / folder).glob("*.jpg"))]
        for path, vector, _ in pool.imap(look, selfies):
            refused += vector is None
            matched = pipeline.match(faces, np.array(vector)) if vector is not None and len(faces) else []
            key = "%s/%s" % (path.parent.name, path.stem)
            found[key] = sorted({name for name, matches in zip(names, matched) if matches})
    return dict(answer, found=found, refused=refused)


if __name__ == "__main__":
    main()
