"""Which photos the events have: who is in each, where they are, from which part of which picture, and when it was taken.

Everything follows from the seed. Nothing here draws, so that it needs no package.
"""

import random
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import guests

TALL, WIDE, SQUARE = 4 / 5, 3 / 2, 1.0


@dataclass(frozen=True)
class Crop:
    """The people of a picture in a frame, which may be larger than the picture where they end within it."""

    picture: str
    box: tuple  # left, top, right, bottom
    mirrored: bool = False

    def aspect(self):
        left, top, right, bottom = self.box
        return (right - left) / (bottom - top)

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

    def cut_edges(self):
        """Where the end of the picture would be seen as a straight edge of somebody."""
        left, top, right, bottom = self.box
        width, height = guests.SIZES[self.picture]
        points = outline(self.picture)
        within = [(x, y) for x, y in points if top < y < bottom]
        seen = {"bottom"} if bottom > height else set()
        if left < 0 and any(x <= 2 for x, _ in within):
            seen.add("left")
        if right > width and any(x >= width - 3 for x, _ in within):
            seen.add("right")
        return seen


def outline(picture):
    return [(line[at], line[at + 1]) for line in guests.OUTLINES[picture]["outer"] for at in range(0, len(line), 2)]


@dataclass(frozen=True)
class Shot:
    """People in front of a place; later crops are nearer. The first one's frame is the shot's."""

    place: str
    crops: tuple
    seed: int
    tone: str = "natural"
    confetti: bool = False
    numbers: bool = False

    def people(self):
        return set().union(*(crop.people() for crop in self.crops))


@dataclass(frozen=True)
class Photo:
    name: str
    album: str
    kind: str  # "photo", "strips", "table" or "line"
    shots: tuple
    seed: int
    taken: datetime = field(default=None, compare=False)

    def people(self):
        return set().union(*(shot.people() for shot in self.shots))


@dataclass(frozen=True)
class Event:
    """An event as it is described to `afterglow demo`."""

    folder: str
    name: str
    description: str
    days_before: int  # the day on which the pictures are made
    albums: tuple
    question: str
    removed: str  # who asks for being found no more
    photos: tuple = ()

    def people(self):
        return sorted(set().union(*(photo.people() for photo in self.photos)))

    def cover(self):
        """The photo of the most people of one picture that is as wide as a cover."""
        single = [photo for photo in self.photos if len(photo.shots) == 1 and len(photo.shots[0].crops) == 1]
        wide = [photo for photo in single if photo.shots[0].crops[0].aspect() > 1.3]
        return max(wide, key=lambda photo: (photo.album == self.albums[0].name, len(photo.people()))).name


@dataclass(frozen=True)
class Album:
    name: str
    begin: timedelta
    end: timedelta
    places: tuple
    confetti: float = 0.0  # the share of photos with it


def around(picture, x, y, width, height):
    """The box of this size around a point, moved and shrunk into the picture."""
    full_width, full_height = guests.SIZES[picture]
    factor = min(1, full_width / width, full_height / height)
    width, height = width * factor, height * factor
    left = min(max(0, x - width / 2), full_width - width)
    top = min(max(0, y - height / 2), full_height - height)
    return tuple(round(value) for value in (left, top, left + width, top + height))


def view(draw, names, aspect, breadth, headroom=0.75):
    """The people of a picture; `breadth` is how many faces fit beside those that are meant.

    Of some attempts it is the first that cuts the fewest faces of neighbours through.
    """
    faces = [guests.appearances(name)[-1] for name in names]
    if len(faces) == 1:
        # The one at the lectern is cut off at both sides.
        faces = [draw.choice([face for face in guests.appearances(names[0]) if aspect < 1 or face.picture != "obama2.jpg"])]
    picture = faces[0].picture
    mirrored = picture in guests.MIRRORED and draw.random() < 0.45
    attempts = []
    for attempt in range(48):
        room = headroom + draw.uniform(-0.1, 0.2)
        wanted = max(0.9, breadth - 0.03 * attempt)
        aside = draw.uniform(-0.12, 0.12) * (1 + attempt / 8)
        attempts.append(Crop(picture, frame(picture, faces, aspect, wanted, room, aside), mirrored))
    return min(attempts, key=lambda crop: (len(crop.cut_edges()), crop.cut_faces()))


def frame(picture, faces, aspect, breadth, headroom, aside):
    full_width, full_height = guests.SIZES[picture]
    size = sum(face.width for face in faces) / len(faces)
    left, right = min(face.x for face in faces), max(face.x for face in faces)
    top = min(face.y - face.height / 2 for face in faces) - headroom * size
    lowest = max(face.y + face.height / 2 for face in faces) + 0.9 * size
    width = right - left + (1 + breadth) * size
    height = max(width / aspect, lowest - top)
    height = min(height, full_height - top)
    width = height * aspect
    middle = (left + right) / 2 + aside * size
    if picture == "obama2.jpg":
        # The lectern goes from one side to the other.
        width, middle = full_width, full_width / 2
        height = width / aspect
        top = min(top, full_height - height)
    box = [middle - width / 2, top, middle + width / 2, top + height]
    if picture == "biden.jpg" and box[2] > full_width:
        box[0], box[2] = full_width - width, full_width
    return tuple(round(value) for value in box)


def beside(crop, face, place, eyes, size):
    """Somebody of another picture in the frame of a crop: the middle of the face and its width are shares of the frame."""
    aspect = crop.aspect()
    width = face.width / size
    x, y = face.x - place * width, face.y - eyes * width / aspect
    return Crop(face.picture, tuple(round(value) for value in (x, y, x + width, y + width / aspect)))


class Deck:
    """Deals names so that everybody comes up about as often."""

    def __init__(self, draw, names):
        self.draw = draw
        self.all = sorted(names)
        self.names = []

    def deal(self, count):
        dealt = []
        while len(dealt) < count:
            name = next((name for name in self.names if name not in dealt), None)
            if name is None:
                fresh = list(self.all)
                self.draw.shuffle(fresh)
                self.names += fresh
                continue
            self.names.remove(name)
            dealt.append(name)
        return dealt


def hours(hour, minute=0):
    return timedelta(hours=hour, minutes=minute)


WEDDING = Event(
    "wedding",
    "Anna & Jonas \u2013 The Wedding",
    "From the ceremony in the garden to the last dance. Find yourself with a selfie.",
    7,
    (
        Album("Ceremony", hours(14), hours(15, 20), ("ceremony", "garden"), 0.25),
        Album("Portraits", hours(15, 30), hours(17), ("flowers", "garden", "studio")),
        Album("Dinner", hours(18), hours(20, 15), ("hall",)),
        Album("Dance", hours(20, 40), hours(23, 30), ("dance", "dance", "sunset"), 0.6),
    ),
    "May we print this one for our thank-you cards? It is the best of all of us.",
    "Hedy",
)

RUN = Event(
    "run",
    "Riverside City Run 10 K",
    "Start, course and finish of the 10 K. A selfie finds your photos, a start number is not needed.",
    14,
    (
        Album("Start", hours(9, 30), hours(10), ("start",)),
        Album("On the course", hours(10, 5), hours(10, 55), ("park", "city")),
        Album("Finish", hours(10, 40), hours(11, 30), ("finish",), 0.7),
        Album("Medals", hours(11, 30), hours(12, 15), ("sponsors", "studio"), 0.3),
    ),
    "Is there one of us on the bridge as well? We would love to have it.",
    "Dina",
)

RUNNERS = (
    "Bea",
    "Cleo",
    "Dina",
    "Eileen",
    "Esma",
    "Fay",
    "Gia",
    "Hedy",
    "Iris",
    "June",
    "Kira",
    "Lila",
    "Mona",
    "Nora",
    "Orla",
    "Pia",
    "Rosa",
)
GUESTS = tuple(name for name in guests.PEOPLE if name != "Eileen")


# Those whose neighbours are all around them.
AMONG_OTHERS = {"Esma", "Iris", "June"}
# Over the road, with letters above the people's heads.
GATES = {"start", "finish"}


def number(name):
    """The start number of a runner."""
    return 104 + 37 * RUNNERS.index(name) % 800


class Camera:
    """Takes the photos of one event."""

    def __init__(self, draw, event, names):
        self.draw, self.event, self.deck = draw, event, Deck(draw, set(names) - AMONG_OTHERS)
        self.taken = {album.name: [] for album in event.albums}

    def shot(self, album, crops, place=None):
        draw = self.draw
        return Shot(
            place or draw.choice(album.places),
            tuple(crops),
            draw.randrange(1 << 30),
            draw.choice(("natural", "natural", "warm")),
            draw.random() < album.confetti,
            self.event is RUN,
        )

    def photo(self, album, crops, place=None):
        self.keep(album, "photo", (self.shot(album, crops, place),))

    def keep(self, album, kind, shots):
        self.taken[album.name].append((kind, shots))

    def group(self, album, picture):
        names = guests.GROUPS[picture]
        wide = picture == "sample5.jpg" or self.draw.random() < 0.7
        self.photo(
            album, [view(self.draw, names, WIDE if wide else 4 / 3, self.draw.uniform(1.6, 2.6), self.headroom(album, 1.0))]
        )

    def some(self, album, names, aspect=None):
        aspect = aspect or self.draw.choice((WIDE, 4 / 3, TALL if len(names) == 2 else WIDE))
        breadth = self.draw.uniform(1.3, 1.9) + 2 * self.under_a_gate(album)
        self.photo(album, [view(self.draw, names, aspect, breadth, self.headroom(album))])

    def one(self, album, name, aspect=None):
        aspect = aspect or self.draw.choice((TALL, TALL, WIDE, SQUARE))
        breadth = self.draw.uniform(1.5, 2.2) if aspect < 1.2 else self.draw.uniform(2.8, 3.6)
        breadth += 1.6 * self.under_a_gate(album)
        self.photo(album, [view(self.draw, (name,), aspect, breadth, self.headroom(album))])

    def under_a_gate(self, album):
        return bool(GATES.intersection(album.places))

    def headroom(self, album, least=0.75):
        return 1.5 if self.under_a_gate(album) else least

    def prints(self, album, kind, count, aspect, place):
        shots = []
        for name in self.deck.deal(count):
            for _ in range(3 if kind == "strips" else 1):
                crop = view(self.draw, (name,), aspect, self.draw.uniform(1.1, 1.4), 0.6)
                shots.append(replace(self.shot(album, [crop], place), tone="natural", confetti=False))
        self.keep(album, kind, tuple(shots))

    def event_with_photos(self, day, first):
        photos = []
        for album in self.event.albums:
            made = self.taken[album.name]
            self.draw.shuffle(made)
            moments = sorted(self.draw.uniform(0, 1) for _ in made)
            for (kind, shots), moment in zip(made, moments):
                taken = datetime.combine(day, datetime.min.time()) + album.begin + moment * (album.end - album.begin)
                name = "AFT_%04d.jpg" % (first + len(photos))
                photos.append(
                    Photo(name, album.name, kind, shots, self.draw.randrange(1 << 30), taken.replace(microsecond=0))
                )
        return replace(self.event, photos=tuple(photos))


def wedding(draw, day):
    camera = Camera(draw, WEDDING, GUESTS)
    ceremony, portraits, dinner, dance = WEDDING.albums
    pairs = list(guests.PAIRS)
    draw.shuffle(pairs)
    for picture in guests.GROUPS:
        camera.group(ceremony if picture in ("sample5.jpg", "sample6.jpg") else dance, picture)
    camera.group(portraits, "sample6.jpg")
    camera.group(dance, "sample5.jpg")
    camera.group(dinner, "sample3.jpg")
    # The two men beside each other, and between the women.
    joe = guests.PEOPLE["Joe"][0]
    barack = guests.PEOPLE["Barack"]
    for album, place in ((ceremony, "garden"), (portraits, "studio")):
        crop = Crop("obama3.jpg", (230, 180, 1730, 1180))
        camera.photo(album, [crop, beside(crop, joe, 0.76, 0.27, 0.18)], place)
    crop = Crop("sample6.jpg", (-560, 20, 1690, 1520))
    camera.photo(ceremony, [beside(crop, barack[2], 0.2, 0.28, 0.105), crop], "ceremony")
    for number, names in enumerate(pairs[:11]):
        camera.some((ceremony, portraits, dinner, dance)[number % 4], names)
    for number, name in enumerate(camera.deck.deal(len(camera.deck.all))):
        camera.one((portraits, ceremony, dinner, portraits, dance)[number % 5], name)
    camera.photo(dinner, [Crop("obama2.jpg", (0, 60, 626, 842))], "hall")
    camera.prints(dinner, "table", 4, 1.0, "flowers")
    camera.prints(dinner, "table", 5, 1.0, "garden")
    camera.prints(dance, "strips", 2, 1.12, "studio")
    camera.prints(dance, "strips", 2, 1.12, "studio")
    camera.prints(portraits, "line", 8, 0.86, "garden")
    return camera.event_with_photos(day, 2041)


def run(draw, day):
    camera = Camera(draw, RUN, RUNNERS)
    start, course, finish, medals = RUN.albums
    pairs = list(guests.PAIRS)
    draw.shuffle(pairs)
    for album, picture in zip(
        (start, finish, medals, finish, start), ("sample4.jpg", "sample6.jpg", "sample5.jpg", "sample3.jpg", "sample6.jpg")
    ):
        camera.group(album, picture)
    for number, names in enumerate(pairs[:9]):
        camera.some((start, finish, medals, course)[number % 4], names)
    for number, name in enumerate(camera.deck.deal(len(camera.deck.all))):
        camera.one((course, finish, medals)[number % 3], name)
    camera.one(finish, "Eileen", SQUARE)
    camera.one(medals, "Eileen", WIDE)
    camera.prints(medals, "line", 8, 0.86, "finish")
    return camera.event_with_photos(day, 5117)


def events(seed, evening):
    """The events with their photos, in the order in which these were taken."""
    draw = random.Random(seed)
    return [
        make(draw, evening - timedelta(days=event.days_before - WEDDING.days_before))
        for make, event in ((wedding, WEDDING), (run, RUN))
    ]


def selfies(seed):
    """A picture of everybody to search with, framed as a phone does."""
    draw = random.Random(seed)
    chosen = {}
    for name, faces in sorted(guests.PEOPLE.items()):
        face = faces[0]
        width = face.width * draw.uniform(1.9, 2.2)
        box = around(face.picture, face.x, face.y + face.height * 0.1, width, width * 4 / 3)
        chosen[name] = Crop(face.picture, box, face.picture in guests.MIRRORED)
    return chosen
