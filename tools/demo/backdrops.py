"""Draws what is behind the people of a photo: bright places out of focus, as a lens for portraits shows them."""

import math

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

CONFETTI = ((255, 94, 120), (255, 190, 60), (80, 190, 255), (120, 210, 130), (190, 130, 255), (255, 255, 255))


def slope(size, *colours):
    """From the first colour at the top to the last at the bottom."""
    width, height = size
    places = np.linspace(0, len(colours) - 1, height)
    columns = [np.interp(places, range(len(colours)), [colour[part] for colour in colours]) for part in range(3)]
    return Image.fromarray(np.broadcast_to(np.stack(columns, 1)[:, None], (height, width, 3)).astype(np.uint8))


def blurred(image, share):
    """Out of focus by a share of its width. What is transparent has no colour that comes into it."""
    if image.mode == "RGBA":
        image = image.convert("RGBa")
    image = image.filter(ImageFilter.GaussianBlur(image.width * share))
    return image.convert("RGBA") if image.mode == "RGBa" else image


def dots(draw, image, area, colours, sizes, count):
    """Round spots in a part of the picture, which are leaves, flowers or people once they are blurred."""
    pen = ImageDraw.Draw(image)
    width, height = image.size
    left, top, right, bottom = area
    for _ in range(count):
        x, y = draw.uniform(left, right) * width, draw.uniform(top, bottom) * height
        radius = draw.uniform(*sizes) * width
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=draw.choice(colours))


def lights(draw, image, area, colours, sizes, count, strength=0.55):
    """Lights out of focus: discs that brighten what is behind them."""
    layer = Image.new("RGB", image.size)
    for _ in range(count):
        disc = Image.new("RGB", image.size)
        colour = draw.choice(colours)
        shade = draw.uniform(0.35, 1) * strength
        dots(draw, disc, area, (tuple(round(part * shade) for part in colour),), sizes, 1)
        layer = ImageChops.screen(layer, disc)
    return ImageChops.screen(image, blurred(layer, 0.0015))


def string_lights(draw, image, top, sag, count=16):
    layer = Image.new("RGB", image.size)
    pen = ImageDraw.Draw(layer)
    width, height = image.size
    radius = width * 0.011
    for number in range(count):
        share = (number + 0.5) / count
        x, y = share * width, (top + sag * math.sin(share * math.pi)) * height
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(255, 226, 160))
    glow = blurred(layer, 0.012)
    return ImageChops.screen(ImageChops.screen(image, glow), blurred(layer, 0.0025))


def bunting(draw, image, top, sag, colours, count=13):
    """Pennants on a string."""
    layer = Image.new("RGBA", image.size)
    pen = ImageDraw.Draw(layer)
    width, height = image.size

    def at(share):
        return share * width, (top + sag * math.sin(share * math.pi)) * height

    pen.line([at(step / 40) for step in range(41)], fill=(255, 255, 255, 255), width=max(2, width // 400))
    for number in range(count):
        (left, left_y), (right, right_y) = at((number + 0.12) / count), at((number + 0.88) / count)
        tip = ((left + right) / 2, (left_y + right_y) / 2 + width * 0.055)
        pen.polygon(((left, left_y), (right, right_y), tip), fill=colours[number % len(colours)] + (255,))
    layer = blurred(layer, 0.0022)
    image.paste(layer, (0, 0), layer)
    return image


def letters(image, text, middle, height, colour, spread=None):
    """A line of text with its middle at this place; places and sizes are shares of the picture."""
    font = ImageFont.load_default(max(8, round(height * image.height)))
    x, y = middle[0] * image.width, middle[1] * image.height
    pen = ImageDraw.Draw(image)
    if spread is not None and pen.textlength(text, font) > spread * image.width:
        font = ImageFont.load_default(
            max(8, round(height * image.height * spread * image.width / pen.textlength(text, font)))
        )
    pen.text((x, y), text, fill=colour, font=font, anchor="mm", stroke_width=max(1, font.size // 28), stroke_fill=colour)


def meadow(draw, size, sky=((120, 188, 246), (206, 232, 252), (242, 247, 240)), horizon=0.52):
    """Sky, trees and lawn in the sun."""
    image = slope(size, *sky)
    dots(draw, image, (0, 0.05, 1, horizon - 0.15), ((255, 255, 255), (246, 250, 255)), (0.03, 0.08), 14)
    image = blurred(image, 0.03)
    dots(
        draw,
        image,
        (-0.05, horizon - 0.16, 1.05, horizon),
        ((96, 150, 84), (122, 172, 92), (146, 190, 104)),
        (0.04, 0.09),
        60,
    )
    dots(draw, image, (0, horizon - 0.16, 1, horizon - 0.02), ((186, 214, 120), (160, 200, 110)), (0.01, 0.03), 50)
    image = blurred(image, 0.012)
    lawn = slope(size, (168, 208, 104), (134, 188, 88), (108, 166, 78))
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).rectangle((0, horizon * size[1], size[0], size[1]), fill=255)
    image.paste(lawn, (0, 0), blurred(mask, 0.012))
    dots(draw, image, (0, horizon + 0.05, 1, 1), ((182, 218, 116), (122, 178, 84), (150, 200, 96)), (0.008, 0.02), 120)
    return blurred(image, 0.01)


def garden(draw, size):
    image = bunting(
        draw, meadow(draw, size), 0.05, 0.1, ((255, 170, 180), (255, 236, 196), (170, 214, 240), (190, 226, 180))
    )
    return lights(draw, image, (0, 0.1, 1, 0.6), ((255, 244, 200),), (0.012, 0.03), 16, 0.4)


ROSES = ((250, 188, 198), (255, 224, 226), (255, 255, 250), (244, 158, 172), (255, 214, 190))
LEAVES = ((104, 150, 96), (136, 178, 116), (168, 200, 140))


def ceremony(draw, size):
    """An arch of flowers on the lawn."""
    width, height = size
    image = meadow(draw, size, horizon=0.58)
    middle, radius = draw.uniform(0.42, 0.58), 0.36
    arch = Image.new("RGBA", size)
    pen = ImageDraw.Draw(arch)
    for colours, count, sizes in ((LEAVES, 260, (0.012, 0.026)), (ROSES, 210, (0.01, 0.024))):
        for _ in range(count):
            angle = draw.uniform(0, math.pi)
            x = (middle - radius * math.cos(angle)) * width + draw.gauss(0, 0.014) * width
            y = 0.46 * height - radius * math.sin(angle) * 1.12 * min(width, height) + draw.gauss(0, 0.014) * width
            if draw.random() < 0.4:
                x = (middle + draw.choice((-1, 1)) * radius) * width + draw.gauss(0, 0.016) * width
                y = draw.uniform(0.42, 0.95) * height
            spot = draw.uniform(*sizes) * width
            pen.ellipse((x - spot, y - spot, x + spot, y + spot), fill=draw.choice(colours) + (255,))
    arch = blurred(arch, 0.003)
    image.paste(arch, (0, 0), arch)
    return image


def flowers(draw, size):
    """A wall of flowers."""
    image = slope(size, (188, 208, 168), (160, 188, 144))
    dots(draw, image, (0, 0, 1, 1), LEAVES, (0.02, 0.045), 240)
    dots(draw, image, (0, 0, 1, 1), ROSES, (0.02, 0.05), 260)
    image = blurred(image, 0.004)
    dots(draw, image, (0, 0, 1, 1), ((255, 240, 238), (246, 176, 188), (255, 226, 206)), (0.008, 0.018), 130)
    return blurred(image, 0.0045)


def hall(draw, size):
    """A hall with warm light, curtains and set tables."""
    image = slope(size, (255, 242, 214), (252, 222, 174), (236, 192, 140))
    pen = ImageDraw.Draw(image)
    width, height = size
    for number in range(9):
        x = (number + draw.uniform(0.2, 0.8)) / 9 * width
        pen.rectangle((x, 0, x + width * 0.035, height * 0.62), fill=(255, 250, 234))
    image = blurred(image, 0.018)
    pen = ImageDraw.Draw(image)
    for number in range(5):
        x, y = (number + draw.uniform(0.1, 0.9)) / 5 * width, draw.uniform(0.6, 0.76) * height
        pen.ellipse((x - 0.15 * width, y, x + 0.15 * width, y + 0.2 * height), fill=(255, 250, 242))
        dots(
            draw,
            image,
            (x / width - 0.05, y / height - 0.08, x / width + 0.05, y / height + 0.02),
            ROSES + LEAVES,
            (0.01, 0.025),
            18,
        )
    image = blurred(image, 0.009)
    image = lights(
        draw, image, (0, 0.02, 1, 0.62), ((255, 206, 120), (255, 226, 168), (255, 190, 110)), (0.012, 0.034), 34, 0.5
    )
    return string_lights(draw, image, 0.06, 0.09)


def dance(draw, size):
    """The dance floor: beams of light in many colours."""
    tones = draw.choice(
        (
            ((255, 150, 190), (180, 120, 240), (90, 110, 230)),
            ((120, 200, 255), (150, 130, 250), (240, 130, 200)),
            ((255, 190, 120), (250, 120, 160), (150, 100, 230)),
        )
    )
    image = blurred(slope(size, *tones), 0.01)
    width, height = size
    for _ in range(7):
        beam = Image.new("RGB", size)
        x, lean = draw.uniform(0, 1) * width, draw.uniform(-0.4, 0.4) * width
        ImageDraw.Draw(beam).polygon(
            ((x, -10), (x + lean - 0.14 * width, height), (x + lean + 0.14 * width, height)),
            fill=draw.choice(((90, 60, 110), (60, 80, 120), (110, 80, 60), (110, 60, 90))),
        )
        image = ImageChops.screen(image, blurred(beam, 0.012))
    colours = ((255, 220, 160), (255, 170, 210), (170, 210, 255), (255, 255, 230))
    return lights(draw, image, (0, 0, 1, 0.75), colours, (0.01, 0.032), 46, 0.5)


def sunset(draw, size):
    image = meadow(draw, size, ((122, 158, 224), (252, 196, 168), (255, 226, 170)), 0.6)
    sun = Image.new("RGB", size)
    dots(draw, sun, (0.2, 0.42, 0.8, 0.5), ((255, 206, 130),), (0.2, 0.24), 1)
    image = ImageChops.screen(image, blurred(sun, 0.09))
    return string_lights(draw, image, 0.05, 0.12)


PASTELS = ((252, 214, 208), (206, 230, 244), (250, 232, 190), (212, 236, 212), (228, 216, 246))


def studio(draw, size):
    """A plain wall of a light colour, with balloons."""
    colour = draw.choice(PASTELS)
    image = slope(size, tuple(min(255, part + 10) for part in colour), colour, tuple(round(part * 0.93) for part in colour))
    width, height = size
    layer = Image.new("RGBA", size)
    pen = ImageDraw.Draw(layer)
    for side in (0.06, 0.94):
        for _ in range(9):
            x, y = (side + draw.gauss(0, 0.06)) * width, draw.uniform(0.02, 0.95) * height
            radius = draw.uniform(0.035, 0.075) * width
            shade = draw.choice(PASTELS + ((255, 255, 255), (250, 178, 178)))
            pen.ellipse(
                (x - radius, y - radius * 1.15, x + radius, y + radius * 1.15),
                fill=tuple(round(part * 0.97) for part in shade) + (255,),
            )
            pen.ellipse(
                (x - radius * 0.55, y - radius * 0.75, x - radius * 0.1, y - radius * 0.2),
                fill=tuple(min(255, part + 16) for part in shade) + (255,),
            )
    layer = blurred(layer, 0.003)
    image.paste(layer, (0, 0), layer)
    return image


# The run


def crowd(draw, image, top, bottom):
    """People along the course, out of focus."""
    colours = (
        (238, 92, 92),
        (70, 140, 220),
        (250, 200, 70),
        (90, 180, 120),
        (250, 250, 250),
        (160, 110, 200),
        (250, 150, 80),
    )
    dots(draw, image, (0, top, 1, bottom), colours, (0.014, 0.026), 70)
    dots(
        draw, image, (0, top - 0.05, 1, bottom - 0.06), ((236, 194, 164), (198, 148, 112), (134, 92, 66)), (0.007, 0.011), 50
    )


def course(draw, size, horizon=0.5):
    """A road through a park."""
    width, height = size
    image = meadow(draw, size, horizon=horizon)
    road = Image.new("L", size)
    middle = draw.uniform(0.4, 0.6) * width
    ImageDraw.Draw(road).polygon(
        (
            (middle - 0.1 * width, horizon * height),
            (middle + 0.1 * width, horizon * height),
            (1.2 * width, height),
            (-0.2 * width, height),
        ),
        fill=255,
    )
    image.paste(slope(size, (196, 200, 206), (176, 180, 188)), (0, 0), blurred(road, 0.006))
    return image


def park(draw, size):
    image = course(draw, size)
    crowd(draw, image, 0.5, 0.56)
    return lights(draw, blurred(image, 0.008), (0, 0, 1, 0.5), ((255, 250, 210),), (0.012, 0.03), 14, 0.35)


def gate(draw, size, text, colour):
    """An inflatable arch over the road, with people and banners at both sides."""
    width, height = size
    image = course(draw, size, 0.56)
    crowd(draw, image, 0.54, 0.62)
    image = blurred(image, 0.006)
    pen = ImageDraw.Draw(image)
    for side in (0, 1):
        for number in range(3):
            left = (side * 0.66 + number * 0.12) * width
            banner = draw.choice(((255, 255, 255), (255, 214, 90), (110, 196, 240), (250, 130, 110)))
            pen.rectangle((left, 0.62 * height, left + 0.115 * width, 0.7 * height), fill=banner)
    image = blurred(image, 0.004)
    layer = Image.new("RGBA", size)
    pen = ImageDraw.Draw(layer)
    thick = 0.13 * height
    box = (0.04 * width, 0.05 * height, 0.96 * width, 1.25 * height)
    pen.rounded_rectangle(box, thick * 1.6, fill=colour + (255,))
    inside = (box[0] + thick * 0.8, box[1] + thick, box[2] - thick * 0.8, box[3])
    pen.rounded_rectangle(inside, thick * 0.9, fill=(0, 0, 0, 0))
    light = tuple(min(255, part + 45) for part in colour)
    pen.rounded_rectangle(
        (box[0] + thick * 1.6, box[1] + thick * 0.1, box[2] - thick * 1.6, box[1] + thick * 0.2),
        thick * 0.06,
        fill=light + (255,),
    )
    letters(layer, text, (0.5, 0.05 + 0.068), 0.085, (255, 255, 255, 255), 0.7)
    layer = blurred(layer, 0.0016)
    image.paste(layer, (0, 0), layer)
    return image


def start(draw, size):
    return gate(draw, size, "S T A R T", (34, 150, 108))


def finish(draw, size):
    return gate(draw, size, "F I N I S H", (226, 62, 74))


def city(draw, size):
    """A street with light house fronts."""
    width, height = size
    image = slope(size, (138, 198, 248), (224, 240, 252), (224, 240, 252))
    pen = ImageDraw.Draw(image)
    x = -0.05
    while x < 1.05:
        house, top = draw.uniform(0.12, 0.2), draw.uniform(0.08, 0.28)
        colour = draw.choice(
            ((248, 222, 190), (238, 200, 176), (246, 236, 214), (222, 214, 206), (240, 208, 160), (204, 218, 226))
        )
        pen.rectangle((x * width, top * height, (x + house) * width, 0.62 * height), fill=colour)
        for row in range(4):
            for column in range(3):
                left, above = x + house * (0.14 + 0.28 * column), top + 0.05 + 0.09 * row
                if above < 0.52:
                    pen.rectangle(
                        (left * width, above * height, (left + house * 0.16) * width, (above + 0.05) * height),
                        fill=(150, 176, 196),
                    )
        x += house
    pen.rectangle((0, 0.62 * height, width, height), fill=(188, 192, 200))
    image = blurred(image, 0.006)
    dots(draw, image, (0, 0.5, 1, 0.6), ((112, 164, 92), (140, 186, 104)), (0.02, 0.045), 16)
    crowd(draw, image, 0.58, 0.64)
    return bunting(draw, blurred(image, 0.006), 0.04, 0.08, ((226, 62, 74), (255, 255, 255), (255, 200, 70), (60, 150, 220)))


def sponsors(draw, size):
    """The wall in front of which finishers are photographed."""
    width, height = size
    image = slope(size, (252, 253, 255), (238, 243, 248))
    step = width / 4
    for row in range(math.ceil(height / (step * 0.55)) + 1):
        for column in range(6):
            x, y = (column + (row % 2) * 0.5 - 0.5) * step, (row + 0.4) * step * 0.55
            text, colour = (("CITY RUN", (226, 62, 74)), ("10 K", (34, 150, 108)), ("RIVERSIDE", (60, 130, 210)))[
                (column + row) % 3
            ]
            letters(image, text, (x / width, y / height), step * 0.15 / height, colour)
    return blurred(image, 0.0012)


PLACES = {
    place.__name__: place
    for place in (garden, ceremony, flowers, hall, dance, sunset, studio, start, finish, park, city, sponsors)
}


# In front of the people


def confetti(draw, image):
    """Paper in the air; what is near is large and out of focus."""
    for count, sizes, blur in ((34, (0.004, 0.007), 0.0008), (16, (0.007, 0.012), 0.002), (6, (0.016, 0.026), 0.006)):
        layer = Image.new("RGBA", image.size)
        for _ in range(count):
            side = draw.uniform(*sizes) * image.width
            x, y = draw.uniform(0, 1) * image.width, draw.betavariate(1, 1.5) * image.height
            angle, thin = draw.uniform(0, math.pi), draw.uniform(0.35, 1)
            along, across = (
                (math.cos(angle) * side, math.sin(angle) * side),
                (-math.sin(angle) * side * thin, math.cos(angle) * side * thin),
            )
            corners = [
                (x + a * along[0] + b * across[0], y + a * along[1] + b * across[1])
                for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
            ]
            ImageDraw.Draw(layer).polygon(corners, fill=draw.choice(CONFETTI) + (235,))
        layer = blurred(layer, blur)
        image.paste(layer, (0, 0), layer)
    return image


def start_number(number, colour, width):
    """A runner's number on paper."""
    image = Image.new("RGBA", (round(width), round(width * 0.78)), (255, 255, 255, 255))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, image.width, image.height * 0.24), fill=colour + (255,))
    letters(image, "CITY RUN 10 K", (0.5, 0.12), 0.13, (255, 255, 255, 255), 0.86)
    letters(image, str(number), (0.5, 0.6), 0.56, (32, 36, 44, 255), 0.86)
    for x in (0.06, 0.94):
        for y in (0.32, 0.92):
            spot = image.width * 0.018
            pen.ellipse(
                (x * image.width - spot, y * image.height - spot, x * image.width + spot, y * image.height + spot),
                fill=(170, 176, 184, 255),
            )
    return image
