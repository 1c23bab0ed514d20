#!/usr/bin/env python3
"""How much more often pairs of different people are taken for one where both have East Asian names.

    fairness.py PEOPLE [--binary target/dist/afterglow] [--models models]

PEOPLE has a folder of pictures for each person, named after them, such as Labeled Faces in the Wild. The product
describes the faces (`afterglow faces index`); of each picture the widest face counts. Names decide who is in the group: a
family name of FAMILY_NAMES, at either end. That is a proxy, and the only one that such data has.

It prints the part of the pairs of pictures of different people that would count as one person (within the group, and among
all other pairs), their ratio with the range in which 95 of 100 draws of people lie, and the part of the pairs of one person
that are found: for pictures compared alone and for pictures looked at together with those that are surely the same person's,
as a search does (decision 0038), at the thresholds where one in 100, one in 1,000 and one in 10,000 of the others matches, and at those
where both find the same part of the pairs of one person. Few people with many pictures can make a rate by themselves, so each
pair of people counts once in a second ratio, and in a third one without the pair on either side that adds most to its rate.
Beside them stand counts: how many pairs of people have a pair of pictures that passes. Needs numpy; runs in
.cache/models-venv.
"""

import argparse
import base64
import json
import os
import re
import subprocess
import tempfile
import tomllib
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
RATES = (1e-2, 1e-3, 1e-4)
# Parts of the pairs of one person.
FOUND = (0.97, 0.96, 0.95, 0.94)
DRAWS = 300
# Faces that a search is among: about as many as the data has pictures.
FACES = 2000


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


def looking_together(pack):
    """As in crates/vision/src/face_index: most others, how similar they are at least, what they add to a similarity at most,
    and how similar one of them has to be for that."""
    rows = pack["thresholds"]
    at = np.log([row["faces"] for row in rows])
    normal, loose = (np.interp(np.log(FACES), at, [row[name] for row in rows]) for name in ("normal", "loose"))
    expansion, margins = pack["expansion"], pack["margins"]
    return expansion["matches"], max(normal, expansion["similarity"]) + margins["surer"], margins["lift"], loose


def alone(vectors):
    return vectors @ vectors.T


def together(vectors, most, sure, lift, vouches):
    """Each picture compared with the mean of another and of up to five that are surely the same person's; both ways."""
    similar = vectors @ vectors.T
    others = np.where(similar > sure, similar, 0)
    np.fill_diagonal(others, 0)
    most = min(most, len(vectors))
    fewest = np.partition(others, -most, axis=1)[:, -most, None]
    with_others = ((others > 0) & (others >= fewest)).astype(vectors.dtype)
    means = vectors + with_others @ vectors
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    vouched_for = (similar >= vouches).astype(vectors.dtype) @ with_others.T > 0
    one_way = np.minimum(vectors @ means.T, similar + np.where(vouched_for, lift, 0))
    return (one_way + one_way.T) / 2


class Pairs:
    """How similar the pictures of every two people are, by how many pairs of pictures pass a threshold."""

    def __init__(self, similar, names):
        self.people = sorted(set(names))
        number = {name: at for at, name in enumerate(self.people)}
        self.person = np.array([number[name] for name in names])
        self.in_group = np.array([is_east_asian(name) for name in self.people])
        one, other = np.triu_indices(len(names), 1)
        self.one, self.other = self.person[one], self.person[other]
        self.scores = similar[one, other]
        self.same = self.one == self.other
        self.both = self.in_group[self.one] & self.in_group[self.other] & ~self.same
        self.rest = ~self.same & ~self.both
        pictures = np.bincount(self.person)
        self.weight = 1 / (pictures[self.one] * pictures[self.other])

    def threshold(self, rate):
        """Which `rate` of all other pairs of different people pass."""
        return float(np.quantile(self.scores[self.rest], 1 - rate))

    def threshold_that_finds(self, part):
        """At which `part` of the pairs of one person pass."""
        return float(np.quantile(self.scores[self.same], 1 - part))

    def of_people(self, threshold):
        """When each pair of people counts once: the ratio of the rates within the group and among all others, the same without
        the pair of people on either side that adds most to its rate, and of how many pairs of people pictures pass, with how
        many there are, within the group and among the others."""
        passed = (self.scores >= threshold) * self.weight
        rates, without, counts = [], [], []
        for which in (self.both, self.rest):
            pair = self.one[which] * len(self.people) + self.other[which]
            hits = np.bincount(np.unique(pair, return_inverse=True)[1], weights=passed[which])
            rates.append(hits.sum() / len(hits))
            without.append((hits.sum() - hits.max()) / max(1, len(hits) - 1))
            counts.append((int((hits > 0).sum()), len(hits)))
        return tuple(group / rest if rest else float("nan") for group, rest in (rates, without)), counts

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
        return np.percentile(ratios, [2.5, 97.5]) if ratios else (float("nan"), float("nan"))


def report(pairs, thresholds):
    generator = np.random.default_rng(1)
    yield (
        "threshold  group     others    ratio  95 % of draws  of people  less a pair  one person found"
        "  pairs of people: group, others"
    )
    for threshold in thresholds:
        group, rest, same = pairs.rates(threshold)
        low, high = pairs.range_of_ratio(threshold, generator)
        ratio = group / rest if rest else float("nan")
        (people, without), counts = pairs.of_people(threshold)
        numbers = (threshold, group, rest, ratio, low, high, people, without, same)
        line = "%.3f      %.2e  %.2e  %5.1f  %4.1f to %-6.1f  %9.1f  %11.1f  %.4f" % numbers
        yield line + "            " + ", ".join("%d of %d" % count for count in counts)


def size(pairs):
    return "%d people, %d pictures; in the group %d people, %d pairs of pictures of two of them; %d other pairs" % (
        len(pairs.people),
        len(pairs.person),
        int(pairs.in_group.sum()),
        int(pairs.both.sum()),
        int(pairs.rest.sum()),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("people", type=Path)
    parser.add_argument("--binary", type=Path, default=ROOT / "target/dist/afterglow")
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--threshold", type=float, action="append", default=[], help="beside those of the rates")
    parser.add_argument("--names", action="store_true", help="print who is in the group")
    options = parser.parse_args()
    if options.names:
        print("\n".join(folder.name for folder in sorted(options.people.iterdir()) if is_east_asian(folder.name)))
        return
    vectors, names = describe(options)
    how = looking_together(tomllib.loads((options.models / "pack.toml").read_text()))
    for name, similar in (("alone", alone(vectors)), ("together", together(vectors, *how))):
        pairs = Pairs(similar, names)
        if name == "alone":
            print(size(pairs))
        thresholds = options.threshold + [pairs.threshold(rate) for rate in RATES]
        thresholds += [pairs.threshold_that_finds(part) for part in FOUND]
        print("\n%s" % name)
        print("\n".join(report(pairs, sorted(thresholds))))


if __name__ == "__main__":
    main()
