"""Who is at the demo's events: the pictures that are fetched, and where in them each person's face and outline is.

The names of people whom a package does not name are invented.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "models"))

from sources import PICTURES, Archive, Member  # noqa: E402 (the folder is named above)

# The author of the package took these photos himself and says so in its README.
EVENINGS = Archive(
    client="npm",
    package="@vladmandic/face-api",
    version="1.7.15",
    sha256="0d77fffeef362ef9c0939cf6c567f3a2e8e177f114fa257a3270cbd2e509b031",
    size=12_677_476,
    members=(
        Member("package/demo/sample3.jpg", "8eb081c9efb14370fa94d9feab9e5fbeafd19a627491853a80c2bf67f7ffa936"),
        Member("package/demo/sample4.jpg", "729efa5923061d40eb4ed5f267a18cc7b8ba6f852bb2757b16d8b7e4937476fc"),
        Member("package/demo/sample5.jpg", "6d45095ebb182d8f975c0790e0e4eefd86fbb40609cf4b271776d92e12662938"),
        Member("package/demo/sample6.jpg", "9baad80f9d5e306fb9b8c0913d44445f1e95848df317530efb03d0934c57ba87"),
        Member("package/LICENSE", "9a3442b79acaf4fbc7c2e07b7e2d8f84af9bb3871bf08a69d80304ab00640e9a"),
    ),
)

# A portrait by NASA. The wheels of all platforms have the same picture; one of them is pinned.
ASTRONAUT = Archive(
    client="wheel",
    package="scikit-image",
    version="0.26.0",
    sha256="b36ab5e778bf50af5ff386c3ac508027dc3aaeccf2161bdf96bde6848f44d21b",
    size=13_660_939,
    members=(
        Member("skimage/data/astronaut.png", "88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5"),
        Member(
            "scikit_image-0.26.0.dist-info/LICENSE.txt",
            "611d3207504dcb4a808df209d2e7c9b4f2e89fe690f84735c0d548160966b527",
        ),
    ),
    platform="manylinux_2_28_x86_64",
)

ARCHIVES = (EVENINGS, ASTRONAUT, PICTURES)


@dataclass(frozen=True)
class Face:
    """The middle of a face and its width, in pixels of the picture."""

    picture: str
    x: int
    y: int
    width: int

    @property
    def height(self):
        return self.width * 1.3


# As the default pack's detector finds them. With several pictures of a person, the first is the selfie's alone.
PEOPLE = {
    "Barack": (
        Face("obama.jpg", 486, 266, 228),
        Face("obama2.jpg", 333, 437, 279),
        Face("obama3.jpg", 778, 434, 264),
    ),
    "Bea": (Face("sample3.jpg", 1188, 362, 246),),
    "Cleo": (Face("sample3.jpg", 693, 472, 206),),
    "Dina": (Face("sample3.jpg", 1591, 434, 208),),
    "Eileen": (Face("astronaut.png", 225, 118, 88),),
    "Esma": (Face("sample4.jpg", 343, 319, 180),),
    "Fay": (Face("sample4.jpg", 751, 184, 209),),
    "Gia": (Face("sample4.jpg", 1077, 304, 181),),
    "Hedy": (Face("sample4.jpg", 1351, 266, 167),),
    "Iris": (Face("sample5.jpg", 472, 1020, 212),),
    "Joe": (Face("biden.jpg", 575, 371, 295),),
    "June": (Face("sample5.jpg", 683, 544, 177),),
    "Kira": (Face("sample5.jpg", 866, 223, 166),),
    "Lila": (Face("sample5.jpg", 1197, 319, 173),),
    "Mona": (Face("sample5.jpg", 1504, 535, 213),),
    "Nora": (Face("sample6.jpg", 367, 626, 222),),
    "Orla": (Face("sample6.jpg", 765, 482, 214),),
    "Pia": (Face("sample6.jpg", 1269, 439, 226),),
    "Rosa": (Face("sample6.jpg", 1591, 410, 234),),
}

SIZES = {
    "sample3.jpg": (1920, 1350),
    "sample4.jpg": (1920, 1448),
    "sample5.jpg": (1920, 1398),
    "sample6.jpg": (1920, 1537),
    "obama.jpg": (910, 1137),
    "obama2.jpg": (626, 1200),
    "obama3.jpg": (1434, 2333),
    "biden.jpg": (970, 2204),
    "astronaut.png": (512, 512),
}

# The edges of the people against what is behind them, as a program for cutting out found them: polygons as x, y, x, y....
OUTLINES = json.loads((Path(__file__).resolve().parent / "outlines.json").read_text())

GROUPS = {
    "sample3.jpg": ("Bea", "Cleo", "Dina"),
    "sample4.jpg": ("Esma", "Fay", "Gia", "Hedy"),
    "sample5.jpg": ("Iris", "June", "Kira", "Lila", "Mona"),
    "sample6.jpg": ("Nora", "Orla", "Pia", "Rosa"),
}

# Who stand close enough to each other for a picture of the two or three.
PAIRS = (
    ("Bea", "Cleo"),
    ("Bea", "Dina"),
    ("Esma", "Fay"),
    ("Fay", "Gia"),
    ("Gia", "Hedy"),
    ("June", "Kira"),
    ("Kira", "Lila"),
    ("Lila", "Mona"),
    ("Nora", "Orla"),
    ("Orla", "Pia"),
    ("Pia", "Rosa"),
    ("Esma", "Fay", "Gia"),
    ("Orla", "Pia", "Rosa"),
    ("Kira", "Lila", "Mona"),
)

# Those without letters in them, which would give it away.
MIRRORED = {"sample3.jpg", "sample4.jpg", "sample5.jpg", "sample6.jpg"}


def appearances(name):
    """The faces by which a person is in photos of the events."""
    faces = PEOPLE[name]
    return faces[1:] if name == "Barack" else faces
