#!/usr/bin/env python3
"""How much more often pairs of different people are taken for one where both have East Asian names.

    fairness.py PEOPLE [--binary target/release/afterglow] [--models models]

PEOPLE has a folder of pictures for each person, named after them, such as Labeled Faces in the Wild. The product
describes the faces (`afterglow faces index`); of each picture the widest face counts. Names decide who is in the group: a
family name of FAMILY_NAMES, at either end. That is a proxy, and the only one that such data has.

For several thresholds it prints the part of the pairs of pictures of different people that would count as one person
(within the group, and among all other pairs), their ratio with the range in which 95 of 100 draws of people lie, and the
part of the pairs of one person that are found. Needs numpy; runs in .cache/models-venv.
"""

import argparse
import base64
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent

# Chinese, Japanese and Korean family names as they are written in Latin letters; those that are as frequent elsewhere
# (Long, Lang, Kelly for Kê) are left out. 'Lee' counts where it stands first.
FAMILY_NAMES = set(
    "bak chan chang chen cheng chiang chin chow chui chung fukui fong ham han hashimoto hu huang hung hwang inoue ip "
    "ishikawa ito jeong jia jiang jong kan kato kawaguchi kim kimura kobayashi koizumi kwok lam leung li liang lin liu lu ma "
    "matsui matsumoto mori nagasawa nakamura ng oh ono ozawa park saito sato shi shih soga suetsugu suzuki takahashi takenaka "
    "tanaka tang tao tsai tseng tung twu wang watanabe wei wong wu xie xu yamada yamamoto yamaguchi yang yao yi yoon yoshida "
    "yu zhang zhao zheng zhou zhu".split()
)
FIRST_ONLY = {"lee", "yu", "ham", "ma", "jong", "han", "kim"}
RATES = (1e-3, 1e-4)
DRAWS = 300


def is_east_asian(name):
    parts = re.split("_", name.lower())
    last = parts[-1] in FAMILY_NAMES - FIRST_ONLY
    # Before a given name of two syllables, or of one in a name of two parts.
    first = parts[0] in FAMILY_NAMES | FIRST_ONLY and len(parts) <= 3
    return len(parts) > 1 and (last or first)


def describe(options):
    """Embeddings, and the name of each one's person."""
    with tempfile.TemporaryDirectory() as data:
        settings = dict(os.environ, AFTERGLOW_DATA_DIR=data, AFTERGLOW_MODEL_DIR=str(options.models), AFTERGLOW_LOG="warn")
        subprocess.run([options.binary, "faces", "index", options.people], env=settings, check=True)
        (index,) = (Path(data) / "folders").glob("*.json")
        files = json.loads(index.read_text())["files"]
    names, vectors = [], []
    for path, file in sorted(files.items()):
        if file["faces"]:
            widest = max(file["faces"], key=lambda face: face["width"])
            names.append(Path(path).parent.name)
            vectors.append(np.frombuffer(base64.b64decode(widest["embedding"]), "<f4"))
    return np.array(vectors), np.array(names)


class Pairs:
    """How similar the pictures of every two people are, by how many pairs of pictures pass a threshold."""

    def __init__(self, vectors, names):
        self.people = sorted(set(names))
        number = {name: at for at, name in enumerate(self.people)}
        self.person = np.array([number[name] for name in names])
        self.in_group = np.array([is_east_asian(name) for name in self.people])
        self.similar = vectors @ vectors.T
        one, other = np.triu_indices(len(names), 1)
        self.one, self.other = self.person[one], self.person[other]
        self.scores = self.similar[one, other]
        self.same = self.one == self.other
        self.both = self.in_group[self.one] & self.in_group[self.other] & ~self.same
        self.rest = ~self.same & ~self.both

    def threshold(self, rate):
        """Which `rate` of all other pairs of different people pass."""
        return float(np.quantile(self.scores[self.rest], 1 - rate))

    def rates(self, threshold):
        """Of pairs within the group, of all other pairs of different people, and of pairs of one person."""
        passed = self.scores >= threshold
        return tuple(float(passed[which].mean()) for which in (self.both, self.rest, self.same))

    def range_of_ratio(self, threshold, generator):
        """95 of 100 ratios when people are drawn anew, with replacement; both rates follow from the same draw."""
        passed = (self.scores >= threshold).astype(np.float64)
        count = len(self.people)
        pairs = np.zeros((2, count, count))
        hits = np.zeros((2, count, count))
        for at, which in enumerate((self.both, self.rest)):
            np.add.at(pairs[at], (self.one[which], self.other[which]), 1)
            np.add.at(hits[at], (self.one[which], self.other[which]), passed[which])
        ratios = []
        for _ in range(DRAWS):
            weight = np.bincount(generator.integers(0, count, count), minlength=count).astype(np.float64)
            group, rest = ((weight @ hits[at] @ weight) / max(1e-12, weight @ pairs[at] @ weight) for at in (0, 1))
            if rest > 0:
                ratios.append(group / rest)
        return np.percentile(ratios, [2.5, 97.5])


def report(pairs, thresholds):
    generator = np.random.default_rng(1)
    size = int(pairs.in_group.sum())
    yield "%d people, %d pictures; in the group %d people, %d pairs of pictures of two of them; %d other pairs" % (
        len(pairs.people),
        len(pairs.person),
        size,
        int(pairs.both.sum()),
        int(pairs.rest.sum()),
    )
    yield "threshold  group     others    ratio  95 % of draws  one person found"
    for threshold in thresholds:
        group, rest, same = pairs.rates(threshold)
        low, high = pairs.range_of_ratio(threshold, generator)
        ratio = group / rest if rest else float("nan")
        yield "%.3f      %.2e  %.2e  %5.1f  %4.1f to %-6.1f  %.4f" % (threshold, group, rest, ratio, low, high, same)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("people", type=Path)
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/afterglow")
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--threshold", type=float, action="append", default=[], help="beside those of the rates")
    parser.add_argument("--names", action="store_true", help="print who is in the group")
    options = parser.parse_args()
    if options.names:
        print("\n".join(folder.name for folder in sorted(options.people.iterdir()) if is_east_asian(folder.name)))
        return
    pairs = Pairs(*describe(options))
    thresholds = sorted(options.threshold + [pairs.threshold(rate) for rate in RATES])
    print("\n".join(report(pairs, thresholds)))


if __name__ == "__main__":
    main()
