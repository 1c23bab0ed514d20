//! The link preview of an event whose cover is a photo.

use domain::photos::focus::Focus;
use domain::photos::pixels::Pixels;

use super::raster::{JPEG_SIZE, encode};
use crate::pictures::{NotEncodable, resize};

/// The part of a photo that is shown, as a JPEG file of [`JPEG_SIZE`], which pages announce, with a studio's logo if there is one. The preview is decoded in full: it is then at least as wide as the link preview, also of a photo that is
/// higher than wide.
pub fn from_photo(
    preview: &Pixels,
    focus: Option<Focus>,
    logo: Option<&Pixels>,
) -> Result<Vec<u8>, NotEncodable> {
    encode(stretched(resize(&shown(preview, focus), JPEG_SIZE.0)), logo)
}

/// At [`JPEG_SIZE`], where a small photo or rounding has another one: between the four nearest pixels.
fn stretched(pixels: Pixels) -> Pixels {
    let (width, height) = JPEG_SIZE;
    if (pixels.width(), pixels.height()) == JPEG_SIZE {
        return pixels;
    }
    let columns: Vec<Between> = (0..width).map(|at| Between::of(at, width, pixels.width())).collect();
    let row = pixels.width() as usize * 3;
    let mut data = Vec::with_capacity(width as usize * height as usize * 3);
    for at in 0..height {
        let line = Between::of(at, height, pixels.height());
        let (above, below) = (&pixels.data()[line.first * row..], &pixels.data()[line.second * row..]);
        for column in &columns {
            for channel in 0..3 {
                let of = |samples: &[u8]| {
                    column.mix(samples[column.first * 3 + channel], samples[column.second * 3 + channel])
                };
                data.push(line.mix(of(above), of(below)));
            }
        }
    }
    Pixels::new(width, height, data).unwrap_or(pixels)
}

/// Two neighbouring pixels, and how many 256ths the second of them counts.
struct Between {
    first: usize,
    second: usize,
    part: u32,
}

impl Between {
    /// Where the middle of a pixel of one side is on another one.
    fn of(at: u32, side: u32, other: u32) -> Self {
        let middle = (u64::from(at) * 2 + 1) * u64::from(other) * 128 / u64::from(side);
        let from_first = middle.saturating_sub(128).min(u64::from(other - 1) * 256);
        let first = u32::try_from(from_first / 256).unwrap_or(u32::MAX);
        let part = u32::try_from(from_first % 256).unwrap_or(0);
        Self { first: first as usize, second: (first + 1).min(other - 1) as usize, part }
    }

    fn mix(&self, first: u8, second: u8) -> u8 {
        let sum = u32::from(first) * (256 - self.part) + u32::from(second) * self.part;
        u8::try_from((sum + 128) / 256).unwrap_or(u8::MAX)
    }
}

/// The largest part with the sides' proportion of [`JPEG_SIZE`] that has the faces in its middle, as far as the picture reaches.
/// Where they are not known they tend to be in the upper part of a photo: of what is cut away, a fifth is above.
fn shown(pixels: &Pixels, focus: Option<Focus>) -> Pixels {
    let (width, height) = (pixels.width(), pixels.height());
    let (wide, high) = JPEG_SIZE;
    let scaled = |side: u32, by: u32, of: u32| {
        u32::try_from(u64::from(side) * u64::from(by) / u64::from(of)).unwrap_or(u32::MAX).max(1)
    };
    let part_height = scaled(width, high, wide).min(height);
    let part_width = if part_height == height { scaled(height, wide, high).min(width) } else { width };
    let start = |side: u32, part: u32, thousandths: i64| {
        let middle = i64::from(side) * thousandths / 1000 - i64::from(part) / 2;
        u32::try_from(middle).unwrap_or(0).min(side - part)
    };
    let (left, top) = match focus.map(Focus::thousandths) {
        Some((x, y)) => (start(width, part_width, x), start(height, part_height, y)),
        None => ((width - part_width) / 2, (height - part_height) / 5),
    };
    pixels.part(left, top, part_width, part_height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::decode;

    /// Each pixel is its own place.
    fn picture(width: u8, height: u8) -> Pixels {
        let data = (0..height).flat_map(|y| (0..width).flat_map(move |x| [x, y, 0])).collect();
        Pixels::new(width.into(), height.into(), data).unwrap()
    }

    #[test]
    fn the_part_has_the_proportions_of_a_link_preview_and_is_in_the_upper_part() {
        for ((width, height), size, corner) in [
            ((120, 80), (120, 63), [0, 3]),
            ((120, 63), (120, 63), [0, 0]),
            ((80, 120), (80, 42), [0, 15]),
            ((250, 63), (120, 63), [65, 0]),
            ((1, 1), (1, 1), [0, 0]),
        ] {
            let part = shown(&picture(width, height), None);
            assert_eq!((part.width(), part.height()), size, "{width} x {height}");
            assert_eq!(part.data()[..2], corner, "{width} x {height}");
        }
    }

    #[test]
    fn the_part_has_the_faces_in_its_middle_as_far_as_the_picture_reaches() {
        for ((width, height), focus, corner) in [
            ((120, 80), (500, 500), [0, 9]),
            ((120, 80), (500, 0), [0, 0]),
            ((120, 80), (500, 1000), [0, 17]),
            ((80, 120), (500, 250), [0, 9]),
            ((250, 63), (300, 500), [15, 0]),
            ((250, 63), (0, 500), [0, 0]),
            ((250, 63), (990, 500), [130, 0]),
        ] {
            let focus = Focus::from_thousandths(focus.0, focus.1);
            let part = shown(&picture(width, height), focus);
            assert_eq!(part.data()[..2], corner, "{width} x {height} at {focus:?}");
        }
    }

    #[test]
    fn a_photo_becomes_a_link_preview_of_the_size_that_is_announced() {
        // [NAV086]
        for (width, height) in [(1600, 1200), (1201, 900), (1200, 630), (300, 400), (1, 1)] {
            let preview = Pixels::new(width, height, vec![99; (width * height * 3) as usize]).unwrap();
            let jpeg = from_photo(&preview, None, None).unwrap();
            let pixels = decode(&jpeg, 2048).unwrap();
            assert_eq!((pixels.width(), pixels.height()), JPEG_SIZE, "{width} x {height}");
            assert!(pixels.data().iter().all(|sample| sample.abs_diff(99) < 3), "{width} x {height}");
        }
    }

    #[test]
    fn a_small_photo_is_enlarged_evenly() {
        let picture = stretched(Pixels::new(2, 1, vec![0, 0, 0, 200, 200, 200]).unwrap());
        let of = |x: usize| picture.data()[x * 3];
        assert_eq!((of(0), of(299), of(1199)), (0, 0, 200));
        assert!(of(600).abs_diff(100) < 2, "{}", of(600));
    }
}
