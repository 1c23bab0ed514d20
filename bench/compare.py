#!/usr/bin/env python3
"""Compares the product with other ways to the same answer, on the same photos in one run; writes docs/benchmarks.md.

    compare.py [--people FOLDER | --event FOLDER] [--photos 240] [--rounds 3] [--binary target/dist/afterglow]

`make bench-faces` runs it. Each way gets two processes or threads and one event: a simulated one of the people in
FOLDER (default: $EVAL_DIR/people), or a folder as make_event.py writes it. Accuracy is of the whole event; the speed is
the median of rounds in which the ways take turns at the same photos, from the start of the process to its end. Memory is the
sum of the processes' peaks.
"""

import argparse
import contextlib
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# `make bench-faces` creates it.
PYTHON = ROOT / ".cache/bench-venv/bin/python"
WAYS = {
    "afterglow": "Afterglow, strictness normal",
    "face_recognition": "Python `face_recognition`, its defaults",
    "plain": "plain Python on the same ONNX files, detector at 640",
}


def main():
    options = parse_arguments()
    with contextlib.ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        event = options.event or make_event(options, scratch / "event")
        truth = json.loads((event / "truth.json").read_text())
        results = measure(options, event, truth, scratch)
        options.out.write_text(document(results, environment(options), event_line(options, truth)), encoding="utf-8")
    print("compare: wrote %s" % options.out)


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = os.environ.get("EVAL_DIR")
    parser.add_argument("--people", type=Path, default=Path(data) / "people" if data else None)
    parser.add_argument("--event", type=Path)
    parser.add_argument("--photos", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sample", type=int, default=48, help="photos of a round")
    parser.add_argument("--binary", type=Path, default=ROOT / "target/dist/afterglow")
    parser.add_argument("--commit", help="of the binary, where it is not built from what is checked out")
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/benchmarks.md")
    options = parser.parse_args(arguments)
    if options.event is None and options.people is None:
        parser.error("there are no pictures of people: give --people or --event, or set EVAL_DIR")
    return options


def make_event(options, out):
    log("drawing an event of %d photos" % options.photos)
    command = [PYTHON, ROOT / "bench/make_event.py", options.people, out]
    subprocess.run(command + ["--photos", str(options.photos), "--seed", str(options.seed)], check=True)
    return out


def measure(options, event, truth, scratch):
    """For each way the outcome of the whole event, and the photos a second of every round."""
    results = {}
    for way in WAYS:
        log("%s: the whole event" % way)
        results[way] = whole(way, options, event, truth, scratch)
        results[way]["rates"] = []
    sample = scratch / "sample"
    (sample / "photos").mkdir(parents=True)
    for photo in sorted((event / "photos").glob("*.jpg"))[: options.sample]:
        shutil.copyfile(photo, sample / "photos" / photo.name)
    for number in range(options.rounds):
        for way in WAYS:
            rate = speed(way, options, sample, scratch / ("round-%d" % number))
            results[way]["rates"].append(rate)
            log("%s: round %d, %.2f photos/s" % (way, number + 1, rate))
    return results


def whole(way, options, event, truth, scratch):
    if way == "afterglow":
        data = scratch / "data"
        _, peak, _ = product(options, data, "faces", "index", event / "photos")
        _, _, text = product(options, data, "faces", "evaluate", event)
        return dict(read_table(text), peak_mb=peak)
    answer = other(way, options, event)
    return dict(tally(answer["found"], truth), peak_mb=answer["peak_mb"], refused=answer["refused"])


def speed(way, options, event, data):
    started = time.monotonic()
    if way == "afterglow":
        product(options, data, "faces", "index", event / "photos")
    else:
        other(way, options, event, "--photos", str(options.sample))
    return len(list((event / "photos").iterdir())) / (time.monotonic() - started)


def product(options, data, *arguments):
    """Seconds, peak in MB, and what it printed."""
    settings = dict(os.environ, AFTERGLOW_DATA_DIR=str(data), AFTERGLOW_MODEL_DIR=str(options.models))
    settings.update(AFTERGLOW_INDEX_WORKERS="2", AFTERGLOW_LOG="warn")
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([options.binary, *arguments], env=settings, stdout=output)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode()
    if process.returncode != 0:
        raise SystemExit("compare: %s failed" % options.binary)
    return time.monotonic() - started, used.ru_maxrss / 1024, text


def other(way, options, event, *arguments):
    command = [PYTHON, "-W", "ignore", ROOT / "bench/pipelines.py", way, event, "--models", options.models]
    threads = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(command + list(arguments), check=True, stdout=subprocess.PIPE, env=threads)
    return json.loads(done.stdout)


def read_table(text):
    """The row 'normal' of what `faces evaluate` prints, and the selfies it refused."""
    row = re.search(r"^normal +([\d.]+) +([\d.]+) +\d+ +\d+ +(\d+) of (\d+)$", text, re.MULTILINE)
    refused = re.search(r"(\d+) selfies refused", text)
    if row is None or refused is None:
        raise SystemExit("compare: `faces evaluate` printed another table:\n" + text)
    recall, precision, answered, strangers = row.groups()
    return {
        "recall": float(recall),
        "precision": float(precision),
        "answered": int(answered),
        "strangers": int(strangers),
        "refused": int(refused.group(1)),
    }


def tally(found, truth):
    """Recall and precision over photos, as `faces evaluate` counts them."""
    right = wrong = missed = 0
    for person, files in truth["people"].items():
        there, shown = set(files), set(found["selfies/" + person])
        right += len(there & shown)
        wrong += len(shown - there)
        missed += len(there - shown)
    return {
        "recall": right / max(1, right + missed),
        "precision": right / max(1, right + wrong),
        "answered": sum(bool(found["strangers/" + person]) for person in truth["strangers"]),
        "strangers": len(truth["strangers"]),
    }


def environment(options):
    """What the figures depend on."""
    script = "import dlib, numpy, onnxruntime, PIL; print(dlib.__version__, numpy.__version__, onnxruntime.__version__, PIL.__version__)"
    versions = subprocess.run([PYTHON, "-W", "ignore", "-c", script], check=True, stdout=subprocess.PIPE, text=True)
    dlib, numpy, runtime, pillow = versions.stdout.split()
    head = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True)
    pack = re.search(r'^id = "(.*)"$', (options.models / "pack.toml").read_text(), re.MULTILINE)
    return {
        "date": date.today().strftime("%-d %B %Y"),
        "machine": "%s, %d cores, %s" % (processor(), os.cpu_count(), platform.system()),
        "load": "%.1f" % os.getloadavg()[0],
        "versions": "Afterglow %s with the pack %s; Python %s, face_recognition 1.3.0 with dlib %s, ONNX Runtime %s, numpy %s, Pillow %s"
        % (options.commit or head.stdout.strip(), pack.group(1), platform.python_version(), dlib, runtime, numpy, pillow),
        "rounds": options.rounds,
        "sample": options.sample,
    }


def processor():
    with contextlib.suppress(OSError):
        name = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        if name:
            return name.group(1)
    return platform.machine()


def event_line(options, truth):
    source = "given as a folder" if options.event else "seed %d" % options.seed
    return "%d photos, %d people who search in them and %d strangers, %s" % (
        len(truth["photos"]),
        len(truth["people"]),
        len(truth["strangers"]),
        source,
    )


def document(results, about, event):
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench-faces` (`bench/compare.py`); do not edit. Other measurements are in [measurements.md](measurements.md).",
        "",
        "- Date: %s." % about["date"],
        "- Machine: %s; load of the last minute at the end %s, of which the measurement itself is about 2." % (about["machine"], about["load"]),
        "- Versions: %s." % about["versions"],
        "- Event: simulated (`bench/make_event.py`), %s." % event,
        "- Each way had two threads or processes. Photos a second: median of %d rounds over %d photos, in turns, with the start of the program; in brackets all rounds. Memory: the sum of the processes' peaks over the whole event."
        % (about["rounds"], about["sample"]),
        "",
        "| way | recall | precision | strangers answered | selfies refused | photos a second | memory, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for way, title in WAYS.items():
        result = results[way]
        rates = sorted(result["rates"])
        lines.append(
            "| %s | %.3f | %.3f | %d of %d | %d | %.2f (%s) | %.0f |"
            % (
                title,
                result["recall"],
                result["precision"],
                result["answered"],
                result["strangers"],
                result["refused"],
                statistics.median(rates),
                ", ".join("%.2f" % rate for rate in rates),
                result["peak_mb"],
            )
        )
    lines += [
        "",
        "Recall is the part of the photos with the searching people that was found, precision the part of the found ones "
        "that shows the searching person. A refused selfie finds nothing. The plain way does what many programs do with "
        "such networks: it looks for faces at 640 pixels, takes the detector's landmarks, describes each face once, and "
        "compares with one threshold, the pack's for 1,000 faces. `bench/pipelines.py` has both other ways.",
        "",
    ]
    return "\n".join(lines)


def log(text):
    print("compare: " + text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
