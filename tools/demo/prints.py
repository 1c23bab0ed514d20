"""Draws the photos: cut-out people in front of a place, and prints of such photos on a table, on a line and in strips."""

import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

import backdrops
import guests
import scenes

PAPER = (253, 251, 246)
# A photo's longer side; more pixels than about twice the picture's would only be larger.
LONGEST, ENLARGED = 1500, 2.1


def cut_out(picture, image):
    """The people of a picture; what is behind them is transparent."""
    mask = Image.new("L", image.size)
    pen = ImageDraw.Draw(mask)
    for kind, value in (("outer", 255), ("holes", 0)):
        for line in guests.OUTLINES[picture][kind]:
            pen.polygon(line, fill=value)
    # The outline's own pixels have the old background's light: a soft edge a bit further in hides it.
    edge = image.width * 0.0012
    mask = mask.filter(ImageFilter.GaussianBlur(edge)).point(lambda value: max(0, min(255, (value - 110) * 2)))
    people = image.convert("RGBA")
    people.putalpha(mask)
    return people


def placed(people, crop, size):
    """The frame of a crop at this size."""
    left, top, right, bottom = crop.box
    factor = size[0] / (right - left)
    full = Image.new("RGBA", size)
    # Only what is in the frame is enlarged.
    inner = (max(0, left), max(0, top), min(people.width, right), min(people.height, bottom))
    part = people.crop(inner)
    width, height = round(part.width * factor), round(part.height * factor)
    if width < 1 or height < 1:
        return full
    part = part.convert("RGBa").resize((width, height), Image.LANCZOS).convert("RGBA")
    full.paste(part, (round((inner[0] - left) * factor), round((inner[1] - top) * factor)))
    return full.transpose(Image.FLIP_LEFT_RIGHT) if crop.mirrored else full


def toned(image, tone):
    if tone == "natural":
        return image
    light = np.asarray(image, np.float32) * np.array([1.03, 1.0, 0.94], np.float32)
    return Image.fromarray(np.clip(light, 0, 255).astype(np.uint8))


# The light that a place throws on people: how much brighter it makes them, and its colour.
LIGHT = {"hall": (1.06, (1.03, 1.0, 0.93)), "dance": (1.08, (1.03, 0.97, 1.05)), "sunset": (1.05, (1.05, 1.0, 0.92))}
# Pictures that were taken in little light, or in that of a lamp.
OWN_LIGHT = {
    "sample3.jpg": (1.06, (0.97, 1.0, 1.05)),
    "sample4.jpg": (1.03, (0.98, 1.0, 1.02)),
    "sample5.jpg": (1.36, (0.95, 1.0, 1.14)),
    "sample6.jpg": (1.05, (1.0, 1.0, 1.0)),
    "biden.jpg": (1.12, (1.0, 1.0, 1.0)),
    "obama3.jpg": (1.25, (1.03, 1.0, 0.98)),
}


def lit(people, *lights):
    """Brightened as a picture is in development: black and white stay."""
    alpha = people.getchannel("A")
    light = np.asarray(people.convert("RGB"), np.float32) / 255
    for gain, colour in lights:
        light = light ** (1 / gain) * np.array(colour, np.float32)
    image = Image.fromarray((np.clip(light, 0, 1) * 255).astype(np.uint8)).convert("RGBA")
    image.putalpha(alpha)
    return image


def develop(pictures, shot, size):
    draw = random.Random(shot.seed)
    image = backdrops.PLACES[shot.place](draw, size).convert("RGBA")
    for crop in shot.crops:
        people = lit(
            placed(pictures[crop.picture], crop, size),
            OWN_LIGHT.get(crop.picture, (1.0, (1, 1, 1))),
            LIGHT.get(shot.place, (1.03, (1, 1, 1))),
        )
        image.alpha_composite(people)
        if shot.numbers:
            wear_numbers(image, people, crop)
    image = image.convert("RGB")
    if shot.confetti:
        backdrops.confetti(draw, image)
    return toned(image, shot.tone)


# Where a start number is on those whose front is seen: the middle below the face, in widths of the face, and how it is turned.
WORN = {
    "Nora": (0.22, 1.8, 4),
    "Orla": (0.0, 1.9, -3),
    "Pia": (-0.12, 1.95, 2),
    "Rosa": (-0.1, 1.85, -6),
    "Bea": (-0.15, 2.0, 0),
    "Gia": (0.05, 1.9, 5),
    "Kira": (0.1, 1.75, -3),
    "Lila": (0.2, 1.75, 4),
    "Mona": (0.15, 1.75, 8),
    "Eileen": (0.0, 2.5, -2),
}


def wear_numbers(image, people, crop):
    left, top, right, bottom = crop.box
    factor = image.width / (right - left)
    for name, (across, down, angle) in WORN.items():
        face = guests.PEOPLE[name][0]
        if not crop.shows(face):
            continue
        width = face.width * 1.15 * factor
        x = (face.x + across * face.width - left) * factor
        y = (face.y + down * face.width - top) * factor
        if crop.mirrored:
            x, angle = image.width - x, -angle
        if not width / 2 < x < image.width - width / 2 or y > image.height - width * 0.45:
            continue
        paper = backdrops.start_number(scenes.number(name), (226, 62, 74), width)
        lay(image, paper, (x, y), angle, 0.2)


def photo(pictures, shot):
    left, top, right, bottom = shot.crops[0].box
    width, height = right - left, bottom - top
    factor = max(min(LONGEST / max(width, height), ENLARGED), 960 / max(width, height))
    return develop(pictures, shot, (round(width * factor), round(height * factor)))


# Grounds of prints


def wood(draw, size):
    """Light planks of a table, along the picture."""
    randomness = np.random.default_rng(draw.randrange(1 << 30))
    width, height = size
    planks, light = 6, np.zeros((height, width, 3), np.float32)
    base = np.array(draw.choice(((222, 190, 152), (232, 208, 178), (208, 180, 150))), np.float32)
    for number in range(planks):
        top, bottom = number * height // planks, (number + 1) * height // planks
        noise = Image.fromarray(randomness.integers(0, 255, (bottom - top, 12), dtype=np.uint8))
        fibres = np.asarray(noise.resize((width, bottom - top), Image.BICUBIC), np.float32)[..., None] / 255 - 0.5
        light[top:bottom] = base * (0.97 + 0.06 * randomness.random()) + fibres * 16
        light[bottom - 3 : bottom] *= 0.78
    return Image.fromarray(np.clip(light, 0, 255).astype(np.uint8))


def linen(draw, size):
    """A table-cloth with flowers along its upper edge."""
    randomness = np.random.default_rng(draw.randrange(1 << 30))
    width, height = size
    base = np.array(draw.choice(((248, 244, 236), (240, 244, 246), (250, 240, 236))), np.float32)
    weave = randomness.normal(0, 3, (height, 1, 1)) + randomness.normal(0, 3, (1, width, 1))
    image = Image.fromarray(np.clip(base + weave, 0, 255).astype(np.uint8))
    for corner in ((-0.02, -0.03, 0.14, 0.12), (0.88, 0.9, 1.02, 1.03)):
        backdrops.dots(draw, image, corner, backdrops.LEAVES, (0.012, 0.024), 26)
        backdrops.dots(draw, image, corner, backdrops.ROSES, (0.012, 0.026), 24)
    return backdrops.blurred(image, 0.001)


# Prints


def framed(image, border, foot):
    """The picture on photographic paper; the foot is wider on instant film."""
    paper = Image.new("RGBA", (image.width + 2 * border, image.height + border + foot), PAPER + (255,))
    paper.paste(image, (border, border))
    return paper


def strip(images, border=16):
    width, height = images[0].size
    paper = Image.new("RGBA", (width + 2 * border, len(images) * (height + border) + 3 * border), PAPER + (255,))
    for number, image in enumerate(images):
        paper.paste(image, (border, border + number * (height + border)))
    return paper


def lay(ground, paper, centre, angle, shade=0.38):
    """Lays a print down, turned, with its shadow."""
    # Drawn larger and made smaller, a turned edge is smooth.
    turned = paper.convert("RGBa").rotate(angle, Image.BICUBIC, expand=True).convert("RGBA")
    left, top = round(centre[0] - turned.width / 2), round(centre[1] - turned.height / 2)
    margin = max(6, paper.width // 12)
    alpha = Image.new("L", (turned.width + 2 * margin, turned.height + 2 * margin))
    alpha.paste(turned.getchannel("A").point(lambda value: value * shade), (margin, margin))
    shadow = alpha.filter(ImageFilter.GaussianBlur(margin / 3))
    ground.paste((40, 32, 28), (left - margin + margin // 8, top - margin + margin // 4), shadow)
    ground.paste(turned, (left, top), turned)


def strips(pictures, shots, draw):
    ground = draw.choice((linen, wood))(draw, (1200, 1500))
    for column, x in enumerate((330, 870)):
        images = [develop(pictures, shot, (412, 368)) for shot in shots[column * 3 : column * 3 + 3]]
        lay(ground, strip(images), (x, 750 + draw.uniform(-40, 40)), draw.uniform(-4, 4))
    return ground


# The middles of prints on a table of 1600 to 1200, by their number.
SPOTS = {
    4: ((400, 330), (1090, 310), (520, 880), (1220, 860)),
    5: ((320, 330), (800, 300), (1300, 350), (520, 880), (1100, 890)),
}


def table(pictures, shots, draw):
    ground = draw.choice((wood, linen))(draw, (1600, 1200))
    side = 410 if len(shots) < 5 else 390
    for shot, (x, y) in zip(shots, SPOTS[len(shots)]):
        paper = framed(develop(pictures, shot, (side, side)), 24, 84)
        lay(ground, paper, (x + draw.uniform(-25, 25), y + draw.uniform(-20, 20)), draw.uniform(-8, 8))
    return ground


def line(pictures, shots, draw):
    """Two strings with four prints each, in the open."""
    ground = backdrops.blurred(backdrops.meadow(draw, (1800, 1200)), 0.004)
    pen = ImageDraw.Draw(ground)
    for row, top in enumerate((70, 640)):
        sag = draw.uniform(30, 55)

        def height(x):
            return top + sag * (1 - ((x - 900) / 900) ** 2)

        pen.line([(x, height(x)) for x in range(0, 1801, 20)], fill=(250, 246, 236), width=5)
        for column in range(4):
            x = 250 + column * 433 + draw.uniform(-20, 20)
            paper = framed(develop(pictures, shots[row * 4 + column], (320, 372)), 18, 18)
            y = height(x)
            lay(ground, paper, (x, y + paper.height / 2 + 8), draw.uniform(-3, 3))
            pen.rounded_rectangle((x - 8, y - 12, x + 8, y + 36), 4, fill=(216, 172, 118), outline=(170, 126, 80))
    return ground


KINDS = {"strips": strips, "table": table, "line": line}


def drawn(pictures, taken):
    """The whole photo."""
    if taken.kind == "photo":
        return photo(pictures, taken.shots[0])
    return KINDS[taken.kind](pictures, taken.shots, random.Random(taken.seed))


def selfie(pictures, crop):
    """As a phone takes it, with what is really behind."""
    image = pictures[crop.picture].convert("RGB").crop(crop.box).resize((720, 960), Image.LANCZOS)
    return image.transpose(Image.FLIP_LEFT_RIGHT) if crop.mirrored else image
