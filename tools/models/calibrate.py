#!/usr/bin/env python3
"""Measures the ranges of the detector's results, for `quantisation.py`; a developer's command, no part of a build.

    python3 tools/models/calibrate.py models/detector.onnx .cache/pictures > tools/models/ranges.json
    python3 tools/models/calibrate.py models/detector-int8.onnx models/self-test.ppm

The second line prints what the network finds in the self-test's picture, for `self_test.json`. Needs onnxruntime
besides the builder's packages. The pictures are those that the tests fetch from the package registry: their faces are
set into drawn scenes in sizes from 20 to 500 pixels, re-lit and turned, since what the network computes for a face
depends on its size and light.
"""

import json
import os
import random
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

import quantisation

SCENES = 16
SIZES = [(1600, 1088), (1088, 1600), (640, 640), (320, 448)]


def main(detector, pictures):
    if Path(pictures).is_dir():
        ranges(detector, pictures)
    else:
        expected(detector, pictures)


def session_of(model):
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def ranges(detector, pictures):
    model = onnx.load(detector)
    names = quantisation.Plan(model.graph).calibrated()
    observed = [name for name in names if name != model.graph.input[0].name]
    del model.graph.output[:]
    for name in observed:
        for kind in ("ReduceMin", "ReduceMax"):
            output = name + "." + kind
            model.graph.node.append(helper.make_node(kind, [name], [output], keepdims=0))
            model.graph.output.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, []))
    session = session_of(model)
    found = {model.graph.input[0].name: [0.0, 255.0]}
    faces = [Image.open(file).convert("RGB") for file in sorted(Path(pictures).glob("*.jpg"))]
    for seed in range(SCENES):
        drawn = scene(faces, *SIZES[seed % len(SIZES)], random.Random(seed))
        planes = np.asarray(drawn, np.float32).transpose(2, 0, 1)[None]
        values = [float(value) for value in session.run(None, {model.graph.input[0].name: planes})]
        for name, least, most in zip(observed, values[::2], values[1::2]):
            before = found.get(name, [0.0, 0.0])
            found[name] = [min(before[0], least), max(before[1], most)]
    rows = ['"%s": [%.4g, %.4g]' % (name, *found[name]) for name in names]
    print("{\n " + ",\n ".join(rows) + "\n}")


def expected(detector, picture):
    """Prints score, box and landmarks of the best candidate."""
    with Image.open(picture) as opened:
        pixels = np.asarray(opened.convert("RGB"), np.float32)
    height, width = pixels.shape[:2]
    canvas = np.zeros((3, -(-height // 32) * 32, -(-width // 32) * 32), np.float32)
    canvas[:, :height, :width] = pixels.transpose(2, 0, 1)
    if onnx.load(detector).graph.input[0].type.tensor_type.elem_type == TensorProto.UINT8:
        canvas = np.pad(canvas, [(0, 1), (0, 0), (0, 0)]).transpose(1, 2, 0).astype(np.uint8)
    names = ["heatmap", "scale", "offset", "landmarks"]
    heat, scale, offset, marks = (output[0] for output in session_of(onnx.load(detector)).run(names, {"input": canvas[None]}))
    row, column = np.unravel_index(heat[0].argmax(), heat[0].shape)
    at = (slice(None), row, column)
    high, wide = np.exp(scale[at]) * 4
    top = max((row + offset[at][0] + 0.5) * 4 - high / 2, 0)
    left = max((column + offset[at][1] + 0.5) * 4 - wide / 2, 0)
    points = [[left + x * wide, top + y * high] for y, x in marks[at].reshape(5, 2)]
    tidy = lambda values: [round(float(value), 2) for value in values]
    box = tidy([left, top, left + wide, top + high])
    print(json.dumps({"score": round(float(heat[0].max()), 4), "box": box, "landmarks": [tidy(point) for point in points]}))


def scene(faces, width, height, chance):
    """A drawn backdrop with faces of many sizes."""
    noise = np.random.default_rng(chance.randrange(1 << 30))
    colours = noise.uniform(0, 255, (chance.randint(3, 12), chance.randint(3, 14), 3)).astype(np.uint8)
    canvas = Image.fromarray(colours).resize((width, height), Image.BICUBIC)
    pen = ImageDraw.Draw(canvas)
    for _ in range(chance.randint(5, 40)):
        x, y, side = chance.randrange(width), chance.randrange(height), chance.randint(4, 300)
        shape = pen.ellipse if chance.random() < 0.5 else pen.rectangle
        shape([x, y, x + side, y + side], fill=tuple(chance.randrange(256) for _ in range(3)))
    grain = noise.normal(0, chance.choice([2, 6, 15]), (height, width, 1))
    canvas = Image.fromarray(np.clip(np.asarray(canvas, np.float32) + grain, 0, 255).astype(np.uint8))
    for _ in range(chance.randint(4, 24)):
        picture = chance.choice(faces)
        side = round(chance.choice([40, 70, 120, 200, 350, 700]) * chance.uniform(0.8, 1.4))
        picture = picture.resize((side, round(side * picture.height / picture.width)), Image.LANCZOS)
        picture = ImageEnhance.Brightness(picture).enhance(chance.uniform(0.5, 1.5))
        picture = ImageEnhance.Contrast(picture).enhance(chance.uniform(0.7, 1.4))
        picture = ImageEnhance.Color(picture).enhance(chance.uniform(0.0, 1.5))
        if chance.random() < 0.2:
            picture = picture.filter(ImageFilter.GaussianBlur(side / 200))
        if chance.random() < 0.5:
            picture = picture.transpose(Image.FLIP_LEFT_RIGHT)
        mask = Image.new("L", picture.size, 255)
        angle = chance.gauss(0, 12)
        picture, mask = (image.rotate(angle, Image.BICUBIC, expand=True) for image in (picture, mask))
        canvas.paste(picture, (chance.randrange(-side // 3, width), chance.randrange(-side // 3, height)), mask)
    return canvas


if __name__ == "__main__":
    main(*sys.argv[1:])
