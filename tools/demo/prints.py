"""Draws the photos: developed crops, and prints of them on a table, on a line and in strips."""

import math
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

PAPER = (249, 246, 239)


def develop(pictures, crop, size):
    """The crop at this size, in its tone."""
    left, top, right, bottom = crop.box
    image = pictures[crop.picture].crop(crop.box)
    if crop.tilt:
        # Turned, the picture is cut to what has no empty corners.
        angle = math.radians(abs(crop.tilt))
        inset = math.tan(angle) / 2
        image = image.rotate(crop.tilt, Image.BICUBIC)
        width, height = right - left, bottom - top
        image = image.crop((height * inset, width * inset, width - height * inset, height - width * inset))
    image = cover(image, size)
    if crop.mirrored:
        image = image.transpose(Image.FLIP_LEFT_RIGHT)
    return toned(image, crop.tone)


def cover(image, size):
    """Fills this size; what does not fit is cut off at both sides."""
    factor = max(size[0] / image.width, size[1] / image.height)
    width, height = min(size[0] / factor, image.width), min(size[1] / factor, image.height)
    left, top = (image.width - width) / 2, (image.height - height) / 2
    return image.resize(size, Image.LANCZOS, (left, top, left + width, top + height))


def toned(image, tone):
    if tone == "natural":
        return image
    light = np.asarray(image, np.float32) / 255
    grey = light @ np.array([0.299, 0.587, 0.114], np.float32)
    if tone == "mono":
        curve = grey**0.95 * 1.04
        light = curve[..., None] * np.array([1.0, 0.985, 0.955], np.float32)
    elif tone == "warm":
        light = light * np.array([1.06, 1.0, 0.9], np.float32)
    elif tone == "cool":
        light = light * np.array([0.95, 1.0, 1.06], np.float32)
    else:
        light = 0.06 + 0.88 * (0.75 * light + 0.25 * grey[..., None]) * np.array([1.04, 1.0, 0.94], np.float32)
    return Image.fromarray((np.clip(light, 0, 1) * 255).astype(np.uint8))


def photo(pictures, crop):
    left, top, right, bottom = crop.box
    width, height = right - left, bottom - top
    # More pixels than the picture has would only be larger.
    factor = min(1800 / max(width, height), 1.7)
    return develop(pictures, crop, (round(width * factor), round(height * factor)))


# Grounds


def grain(shape, strength, randomness):
    return randomness.normal(0, strength, shape + (1,)).astype(np.float32)


def night(size, randomness):
    """A dark room with lights out of focus."""
    width, height = size
    colours = ((18, 20, 44), (58, 30, 62)) if randomness.random() < 0.5 else ((12, 34, 44), (46, 30, 70))
    slope = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    ground = np.array(colours[0], np.float32) * (1 - slope) + np.array(colours[1], np.float32) * slope
    image = Image.fromarray(np.broadcast_to(ground, (height, width, 3)).astype(np.uint8))
    lights = Image.new("RGB", size)
    draw = ImageDraw.Draw(lights)
    for _ in range(46):
        x, y = randomness.integers(width), int(randomness.beta(1.2, 2.2) * height)
        radius = int(randomness.integers(8, 46))
        colour = [(255, 196, 120), (255, 222, 170), (240, 140, 110), (150, 170, 240)][randomness.integers(4)]
        shade = 0.15 + 0.4 * randomness.random()
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tuple(round(c * shade) for c in colour))
    lights = np.asarray(lights.filter(ImageFilter.GaussianBlur(5)), np.float32)
    return finished(np.asarray(image, np.float32) + lights, randomness)


def wood(size, randomness):
    """Planks of a table, along the picture."""
    width, height = size
    planks, light = 5, np.zeros((height, width, 3), np.float32)
    base = np.array([(122, 82, 54), (96, 66, 50), (150, 112, 78)][randomness.integers(3)], np.float32)
    for number in range(planks):
        top, bottom = number * height // planks, (number + 1) * height // planks
        noise = Image.fromarray(randomness.integers(0, 255, (bottom - top, 12), dtype=np.uint8))
        fibres = np.asarray(noise.resize((width, bottom - top), Image.BICUBIC), np.float32)[..., None] / 255 - 0.5
        light[top:bottom] = base * (0.94 + 0.12 * randomness.random()) + fibres * 26
        light[bottom - 3 : bottom] *= 0.45
    return finished(light, randomness)


def linen(size, randomness):
    """A table-cloth."""
    width, height = size
    base = np.array([(226, 218, 204), (206, 214, 214), (222, 206, 200)][randomness.integers(3)], np.float32)
    weave = randomness.normal(0, 5, (height, 1, 1)) + randomness.normal(0, 5, (1, width, 1))
    return finished(base + weave.astype(np.float32), randomness)


def finished(light, randomness):
    """Grain, and less light towards the corners."""
    height, width = light.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    light = light * (1 - 0.2 * (x * x + y * y))[..., None] + grain((height, width), 3, randomness)
    return Image.fromarray(np.clip(light, 0, 255).astype(np.uint8))


# Prints


def framed(image, border, foot):
    """The picture on photographic paper; the foot is wider on instant film."""
    paper = Image.new("RGBA", (image.width + 2 * border, image.height + border + foot), PAPER + (255,))
    paper.paste(image, (border, border))
    ImageDraw.Draw(paper).rectangle(
        (border - 1, border - 1, border + image.width, border + image.height), outline=(222, 217, 206, 255)
    )
    return paper


def strip(images, border=16):
    width, height = images[0].size
    paper = Image.new("RGBA", (width + 2 * border, len(images) * (height + border) + 3 * border), PAPER + (255,))
    for number, image in enumerate(images):
        paper.paste(image, (border, border + number * (height + border)))
    return paper


def lay(ground, paper, centre, angle):
    """Lays a print down, turned, with its shadow."""
    turned = paper.rotate(angle, Image.BICUBIC, expand=True)
    left, top = round(centre[0] - turned.width / 2), round(centre[1] - turned.height / 2)
    margin = 40
    alpha = Image.new("L", (turned.width + 2 * margin, turned.height + 2 * margin))
    alpha.paste(turned.getchannel("A").point(lambda value: value * 0.55), (margin, margin))
    shadow = alpha.filter(ImageFilter.GaussianBlur(11))
    ground.paste((14, 10, 8), (left - margin + 5, top - margin + 10), shadow)
    ground.paste(turned, (left, top), turned)


def strips(pictures, crops, draw, randomness):
    ground = night((1200, 1500), randomness) if draw.random() < 0.5 else linen((1200, 1500), randomness)
    for column, x in enumerate((330, 870)):
        images = [develop(pictures, crop, (412, 368)) for crop in crops[column * 3 : column * 3 + 3]]
        lay(ground, strip(images), (x, 750 + draw.uniform(-40, 40)), draw.uniform(-4, 4))
    return ground


# The middles of prints on a table of 1600 to 1200, by their number.
PLACES = {
    3: ((330, 470), (820, 740), (1290, 430)),
    4: ((380, 330), (1090, 300), (500, 880), (1220, 860)),
    5: ((300, 330), (800, 300), (1310, 360), (520, 880), (1100, 890)),
}


def table(pictures, crops, draw, randomness):
    ground = draw.choice((wood, wood, linen))((1600, 1200), randomness)
    side = 400 if len(crops) < 5 else 380
    places = PLACES[len(crops)]
    for crop, (x, y) in zip(crops, places):
        paper = framed(develop(pictures, crop, (side, side)), 24, 84)
        lay(ground, paper, (x + draw.uniform(-25, 25), y + draw.uniform(-20, 20)), draw.uniform(-8, 8))
    return ground


def line(pictures, crops, draw, randomness):
    """Two strings with four prints each."""
    ground = night((1800, 1200), randomness)
    pen = ImageDraw.Draw(ground)
    for row, top in enumerate((70, 640)):
        sag = draw.uniform(30, 55)

        def height(x):
            return top + sag * (1 - ((x - 900) / 900) ** 2)

        pen.line([(x, height(x)) for x in range(0, 1801, 20)], fill=(214, 200, 178), width=4)
        for column in range(4):
            x = 250 + column * 433 + draw.uniform(-20, 20)
            paper = framed(develop(pictures, crops[row * 4 + column], (310, 360)), 18, 18)
            y = height(x)
            lay(ground, paper, (x, y + paper.height / 2 + 8), draw.uniform(-3, 3))
            pen.rounded_rectangle((x - 8, y - 12, x + 8, y + 36), 4, fill=(186, 140, 92), outline=(120, 84, 50))
    return ground


SCENES = {"strips": strips, "table": table, "line": line}


def drawn(pictures, scene):
    """The whole photo."""
    if scene.kind == "photo":
        return photo(pictures, scene.crops[0])
    return SCENES[scene.kind](pictures, scene.crops, random.Random(scene.seed), np.random.default_rng(scene.seed))
