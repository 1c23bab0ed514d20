"""What makes faces hard to find and to tell apart, as transformations of the photos of a simulated event.

A case changes how a face is pasted into a photo, or the finished photo; it has a random source of its own, so that the
same people are in the same places of the same photos with it and without. Needs Pillow and numpy.
"""

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance

# Where a picture of Labeled Faces in the Wild, which is centred on the face, has eyes, bridge of the nose, mouth and
# chin, in 250ths of its side; the detector's landmarks differ from them by 4 of these in the mean.
EYES, EYE_ROW, BRIDGE_ROW, MOUTH_ROW, CHIN_ROW = (104, 146), 115, 126, 157, 188
SIDE = 250
FINE = 4  # things are drawn larger by this and made smaller, so that their edges are smooth


class Case:
    """Changes nothing."""

    def width(self, face, _random):
        """The width of a face in the photo, in pixels."""
        return face

    def angle(self, degrees, _random):
        """How far a head is turned in the picture's plane."""
        return degrees

    def person(self, picture, _random):
        """The square picture of a person, before it is scaled."""
        return picture

    def backdrop(self, picture, _random):
        """What is behind the people."""
        return picture

    def photo(self, picture, _random):
        """The finished photo."""
        return picture

    def saving(self, picture, options, _random):
        """The picture as it is stored, and the options of the JPEG."""
        return picture, options


class Small(Case):
    """Faces 24 to 40 pixels wide."""

    def width(self, face, random):
        return random.uniform(24, 40)


class Noise(Case):
    """Noise as at ISO 6400: of single pixels, growing with the light, and coloured blotches as denoising leaves them."""

    def photo(self, picture, random):
        pixels, generator = np.asarray(picture, np.float32), numbers(random)
        rows, columns = pixels.shape[:2]
        light = pixels.mean(2, keepdims=True)
        grain = generator.standard_normal((rows, columns, 1), np.float32) * np.sqrt(0.9 * light + 40)
        coarse = generator.normal(128, 40, (rows // 4 + 1, columns // 4 + 1, 3)).clip(0, 255).astype(np.uint8)
        blotches = Image.fromarray(coarse).resize((columns, rows), Image.BICUBIC)
        return image(pixels + grain + (np.asarray(blotches, np.float32) - 128) * 0.3)


class MotionBlur(Case):
    """The camera moved by 8 to 24 pixels while the shutter was open, in any direction."""

    def photo(self, picture, random):
        length, direction = random.uniform(8, 24), random.uniform(0, np.pi)
        steps = round(length)
        pixels = np.asarray(picture)
        total = np.zeros(pixels.shape, np.uint16)
        for step in range(steps):
            along = (step / (steps - 1) - 0.5) * length
            across, down = round(along * np.cos(direction)), round(along * np.sin(direction))
            total += np.roll(pixels, (down, across), (0, 1))
        return image(total / steps)


class BackLight(Case):
    """Light behind the people: their faces two stops darker, the background bright, and a veil over both."""

    def person(self, picture, random):
        return ImageEnhance.Brightness(picture).enhance(random.uniform(0.2, 0.35))

    def backdrop(self, picture, random):
        return image(np.asarray(picture, np.float32) * 0.5 + random.uniform(110, 140))

    def photo(self, picture, random):
        pixels = np.asarray(picture, np.float32)
        rows, columns = pixels.shape[:2]
        x, y = random.uniform(0, columns), random.uniform(0, rows / 2)
        across, down = np.arange(columns, dtype=np.float32) - x, np.arange(rows, dtype=np.float32)[:, None] - y
        distance = np.sqrt(across**2 + down**2) / max(rows, columns)
        veil = random.uniform(30, 60) * np.exp(-2 * distance)[:, :, None]
        return image(pixels + veil * (1 - pixels / 255))


class ColouredLight(Case):
    """Stage light: one colour on the left, another on the right, little of the others left."""

    COLOURS = ((1.0, 0.2, 0.25), (0.25, 0.35, 1.0), (0.95, 0.25, 0.9), (0.25, 0.9, 0.4), (1.0, 0.6, 0.15))

    def photo(self, picture, random):
        pixels = np.asarray(picture, np.float32)
        left, right = (np.array(colour, np.float32) for colour in random.sample(self.COLOURS, 2))
        share = np.linspace(0, 1, pixels.shape[1], dtype=np.float32)[None, :, None]
        return image(pixels * (left * (1 - share) + right * share))


class Sunglasses(Case):
    """Dark glasses before the eyes."""

    def person(self, picture, random):
        dark = random.randint(5, 40)
        colour, wide, high = (dark, dark, dark + random.randint(0, 15), 255), random.randint(34, 38), random.randint(25, 30)
        over, draw = overlay()
        for eye in EYES:
            left, top = eye - wide / 2, EYE_ROW - high / 2.5
            draw.rounded_rectangle(fine(left, top, left + wide, top + high), 10 * FINE, fill=colour)
        bar = EYE_ROW - 6
        draw.line(fine(EYES[0] - 38, bar - 2, EYES[0], bar, EYES[1], bar, EYES[1] + 38, bar - 2), fill=colour, width=4 * FINE)
        return laid_over(picture, over)


class Mask(Case):
    """A mask over nose, mouth and chin."""

    COLOURS = ((228, 234, 238), (150, 190, 215), (40, 42, 46))

    def person(self, picture, random):
        colour = random.choice(self.COLOURS)
        middle = sum(EYES) / 2
        half = [(0, BRIDGE_ROW), (20, BRIDGE_ROW + 4), (45, BRIDGE_ROW + 12), (40, CHIN_ROW - 22), (17, CHIN_ROW + 2)]
        outline = [(middle + across, row) for across, row in half] + [(middle - across, row) for across, row in half[::-1]]
        over, draw = overlay()
        draw.polygon(fine(*(part for point in outline for part in point)), fill=colour + (255,))
        shade = tuple(round(0.85 * part) for part in colour) + (255,)
        for row in range(BRIDGE_ROW + 16, CHIN_ROW - 12, 12):
            draw.line(fine(middle - 36, row, middle + 36, row), fill=shade, width=FINE)
        return laid_over(picture, over)


class Jpeg50(Case):
    """A JPEG of quality 50, as messengers send."""

    def saving(self, picture, options, _random):
        return picture, dict(options, quality=50)


class Tilted(Case):
    """Heads turned by 30 to 70 degrees to a side."""

    RANGE = (30, 70)

    def angle(self, _degrees, random):
        return random.uniform(*self.RANGE) * random.choice((-1, 1))


class Lying(Tilted):
    """Heads turned by 70 to 180 degrees: lying, or upside down."""

    RANGE = (70, 180)


class Turned(Case):
    """The pixels lie on a side or upside down, and EXIF says so."""

    ORIENTATIONS = (3, 6, 8)
    # What reading a picture of that orientation does, undone.
    UNDONE = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }

    def saving(self, picture, options, random):
        orientation = random.choice(self.ORIENTATIONS)
        exif = Image.Exif()
        exif[0x0112] = orientation
        return picture.transpose(self.UNDONE[orientation]), dict(options, exif=exif)


class Mirrored(Turned):
    """The pixels are mirrored, some of them turned too, and EXIF says so."""

    ORIENTATIONS = (2, 4, 5, 7)


CASES = {
    "small": Small,
    "noise": Noise,
    "motion-blur": MotionBlur,
    "back-light": BackLight,
    "coloured-light": ColouredLight,
    "sunglasses": Sunglasses,
    "mask": Mask,
    "jpeg-50": Jpeg50,
    "tilted": Tilted,
    "lying": Lying,
    "exif-turned": Turned,
    "exif-mirrored": Mirrored,
}


def overlay():
    """A transparent picture to draw on, larger by FINE."""
    picture = Image.new("RGBA", (SIDE * FINE, SIDE * FINE), (0, 0, 0, 0))
    return picture, ImageDraw.Draw(picture)


def fine(*numbers):
    return [FINE * number for number in numbers]


def laid_over(picture, over):
    return Image.alpha_composite(picture.convert("RGBA"), over.resize(picture.size, Image.LANCZOS)).convert("RGB")


def numbers(random):
    """A generator of arrays that follows from a random source."""
    return np.random.default_rng(random.randrange(1 << 30))


def image(pixels):
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
