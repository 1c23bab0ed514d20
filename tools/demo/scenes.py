"""Which photos the event has: who is in each, from which part of which picture, and when it was taken.

Everything follows from the seed. Nothing here draws, so that it needs no package.
"""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import guests

TONES = ("natural", "natural", "warm", "cool", "faded", "mono")
BEGIN, END = timedelta(hours=18, minutes=40), timedelta(hours=23, minutes=25)


@dataclass(frozen=True)
class Crop:
    """A part of a picture, and how it is developed."""

    picture: str
    box: tuple  # left, top, right, bottom
    tone: str = "natural"
    tilt: float = 0.0  # degrees
    mirrored: bool = False

    def people(self):
        """Whose faces are in it."""
        return {name for name, faces in guests.PEOPLE.items() if any(self.shows(face) for face in faces)}

    def cut_faces(self):
        """How many faces are neither in it nor outside."""
        faces = [face for known in guests.PEOPLE.values() for face in known]
        return sum(0.1 < self.share(face) < 0.85 for face in faces)

    def shows(self, face):
        return self.share(face) >= 0.6

    def share(self, face):
        """The part of a face that is in it."""
        if face.picture != self.picture:
            return 0
        left, top, right, bottom = self.box
        width = min(right, face.x + face.width / 2) - max(left, face.x - face.width / 2)
        height = min(bottom, face.y + face.height / 2) - max(top, face.y - face.height / 2)
        return max(0, width) * max(0, height) / (face.width * face.height)


@dataclass(frozen=True)
class Photo:
    name: str
    kind: str  # "photo", "strips", "table" or "line"
    crops: tuple
    seed: int
    taken: datetime = field(default=None, compare=False)

    def people(self):
        return set().union(*(crop.people() for crop in self.crops))


def around(picture, x, y, width, height):
    """The box of this size around a point, moved and shrunk into the picture."""
    full_width, full_height = guests.SIZES[picture]
    factor = min(1, full_width / width, full_height / height)
    width, height = width * factor, height * factor
    left = min(max(0, x - width / 2), full_width - width)
    top = min(max(0, y - height / 2), full_height - height)
    return tuple(round(value) for value in (left, top, left + width, top + height))


def head(draw, face, scale, aspect, tone=None):
    """Head and shoulders; `scale` is about the width of the box in widths of the face.

    Of some attempts, ever narrower, it is the first that cuts the fewest faces of neighbours through.
    """
    attempts = []
    for attempt in range(12):
        width = face.width * max(1.75, scale - 0.06 * attempt)
        x = face.x + draw.uniform(-0.2, 0.2) * face.width
        y = face.y + face.height * 0.14 + draw.uniform(-0.06, 0.1) * face.height
        attempts.append(developed(draw, face.picture, around(face.picture, x, y, width, width / aspect), tone))
    return min(attempts, key=Crop.cut_faces)


def developed(draw, picture, box, tone=None):
    mirrored = picture in guests.MIRRORED and draw.random() < 0.4
    return Crop(picture, box, tone or draw.choice(TONES), draw.uniform(-2.2, 2.2), mirrored)


def pair(draw, names):
    faces = [face for face in (guests.PEOPLE[name][-1] for name in names)]
    left = min(face.x - face.width * 1.25 for face in faces)
    right = max(face.x + face.width * 1.25 for face in faces)
    top = min(face.y - face.height * 1.05 for face in faces)
    bottom = max(face.y + face.height * 1.5 for face in faces)
    width, height = right - left, bottom - top
    aspect = 4 / 3 if width > height else 4 / 5
    width, height = max(width, height * aspect), max(height, width / aspect)
    box = around(faces[0].picture, (left + right) / 2, (top + bottom) / 2, width, height)
    return developed(draw, faces[0].picture, box, draw.choice(TONES[:5]))


class Deck:
    """Deals names so that everybody comes up about as often."""

    def __init__(self, draw):
        self.draw = draw
        self.names = []

    def deal(self, count):
        dealt = []
        while len(dealt) < count:
            name = next((name for name in self.names if name not in dealt), None)
            if name is None:
                fresh = sorted(guests.PEOPLE)
                self.draw.shuffle(fresh)
                self.names += fresh
                continue
            self.names.remove(name)
            dealt.append(name)
        return dealt


def compositions(draw):
    """The crops of every photo, with the photo's kind."""
    for picture in guests.GROUPS:
        width, height = guests.SIZES[picture]
        yield "photo", [Crop(picture, (0, 0, width, height))]
        box = around(picture, width / 2, height * 0.45, width * 0.9, height * 0.9)
        yield "photo", [developed(draw, picture, box, draw.choice(("warm", "cool", "faded")))]
    for names in guests.PAIRS:
        yield "photo", [pair(draw, names)]
    for name in sorted(guests.PEOPLE):
        for face in guests.appearances(name)[:2]:
            yield "photo", [head(draw, face, draw.uniform(2.5, 3.1), 4 / 5)]
    deck = Deck(draw)
    for kind, count, aspect, scale in (
        [("strips", 2, 1.12, 2.3)] * 8
        + [("table", count, 1.0, 2.3) for count in (3, 4, 3, 5, 4, 3, 5, 4, 3, 4)]
        + [("line", 8, 0.86, 2.2)] * 6
    ):
        yield kind, cards(draw, kind, deck.deal(count), aspect, scale)


def cards(draw, kind, names, aspect, scale):
    frames = 3 if kind == "strips" else 1
    crops = []
    for name in names:
        # A strip has one development, as the machine makes it.
        tone = draw.choice(("mono", "warm", "faded")) if frames > 1 else None
        for _ in range(frames):
            face = draw.choice(guests.appearances(name))
            crops.append(head(draw, face, scale * draw.uniform(0.92, 1.1), aspect, tone))
    return crops


def event(seed, evening):
    """All photos, in the order in which they were taken."""
    draw = random.Random(seed)
    made = list(compositions(draw))
    draw.shuffle(made)
    moments = sorted(draw.uniform(0, 1) for _ in made)
    photos = []
    for number, ((kind, crops), moment) in enumerate(zip(made, moments)):
        taken = datetime.combine(evening, datetime.min.time()) + BEGIN + moment * (END - BEGIN)
        name = "AFT_%04d.jpg" % (2041 + number)
        photos.append(Photo(name, kind, tuple(crops), draw.randrange(1 << 30), taken.replace(microsecond=0)))
    return photos


def selfies(seed):
    """A picture of everybody to search with, framed as a phone does."""
    draw = random.Random(seed)
    chosen = {}
    for name, faces in sorted(guests.PEOPLE.items()):
        face = faces[0]
        width = face.width * draw.uniform(1.9, 2.2)
        box = around(face.picture, face.x, face.y + face.height * 0.1, width, width * 4 / 3)
        tone = draw.choice(("natural", "warm", "cool"))
        chosen[name] = Crop(face.picture, box, tone, draw.uniform(-3, 3), face.picture in guests.MIRRORED)
    return chosen
