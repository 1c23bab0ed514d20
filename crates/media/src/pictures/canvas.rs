//! The target of decoders: rows are downscaled on arrival, so that a large picture is never in memory whole.

use domain::photos::pixels::{Color, Pixels};

use super::colour::Colour;
use super::errors::Unreadable;
use super::orientation::Orientation;

/// What a decoder is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecodePurpose {
    /// Only that the picture decodes, and about which color it has.
    Validate,
    /// Its pixels, with a long side of at least this where it has that much.
    Pixels { at_least: u32 },
}

/// What a decoder gives.
pub(super) struct Decoded {
    /// Width as stored, in pixels, before any shrinking.
    pub(super) width: u32,
    /// Height as stored.
    pub(super) height: u32,
    /// How it must be turned.
    pub(super) orientation: Orientation,
    /// What is in it.
    pub(super) content: Content,
}

/// What is in a picture, as far as that was asked for.
pub(super) enum Content {
    /// It was validated without being decoded.
    NotDecoded,
    /// It was validated: the average of a sample of its pixels.
    Average(Color),
    /// As stored, not yet turned.
    Pixels(Pixels),
}

/// Largest square that is averaged, in pixels a side: its sum of samples still fits 32 bits.
const LARGEST_SIDE: u32 = 4096;
/// The average color is that of about so many pixels a side, whatever the picture's size.
const SAMPLES_A_SIDE: usize = 64;

/// Takes pixels in any order, and averages squares of them or all.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    colour: Colour,
    /// One row, or the pixels of it that count, in sRGB.
    row: Vec<u8>,
    /// The pixels of a row that count for the average, as stored.
    sample: Vec<u8>,
    surface: Surface,
}

enum Surface {
    /// Nothing is stored: every `down`th row and `across`th pixel count for the average.
    Average { across: usize, down: usize, sums: [u64; 3], count: u64 },
    /// Every pixel is stored.
    Whole(Vec<u8>),
    /// Squares of `side` by `side` pixels are averaged; `width` of them are side by side.
    Sums { side: usize, width: usize, sums: Vec<u32> },
}

impl Canvas {
    /// For a picture of `width` by `height` pixels, shrunk by the largest whole number that `purpose` allows.
    pub(super) fn new(purpose: DecodePurpose, width: u32, height: u32, colour: Colour) -> Self {
        let side = match purpose {
            DecodePurpose::Validate => 1,
            DecodePurpose::Pixels { at_least } => {
                (width.max(height) / at_least).clamp(1, LARGEST_SIDE) as usize
            }
        };
        let (width, height) = (width as usize, height as usize);
        let surface = match purpose {
            DecodePurpose::Validate => Surface::Average {
                across: width.div_ceil(SAMPLES_A_SIDE).max(1),
                down: height.div_ceil(SAMPLES_A_SIDE).max(1),
                sums: [0; 3],
                count: 0,
            },
            DecodePurpose::Pixels { .. } if side == 1 => Surface::Whole(vec![255; width * height * 3]),
            DecodePurpose::Pixels { .. } => {
                let across = width.div_ceil(side);
                Surface::Sums { side, width: across, sums: vec![0; across * height.div_ceil(side) * 3] }
            }
        };
        Self { width, height, colour, row: Vec::new(), sample: Vec::new(), surface }
    }

    /// For a picture that arrives at the right size.
    pub(super) fn exact(purpose: DecodePurpose, width: u32, height: u32, colour: Colour) -> Self {
        let purpose = match purpose {
            DecodePurpose::Validate => DecodePurpose::Validate,
            DecodePurpose::Pixels { .. } => DecodePurpose::Pixels { at_least: u32::MAX },
        };
        Self::new(purpose, width, height, colour)
    }

    /// Puts the pixels of `samples` at `x`, `x + step`, … of row `y`; what is outside is left out.
    pub(super) fn put(&mut self, x: usize, y: usize, step: usize, samples: &[u8]) {
        if y >= self.height || x >= self.width {
            return;
        }
        let size = self.colour.pixel_format().samples();
        let pixels = (samples.len() / size).min((self.width - x).div_ceil(step));
        match &self.surface {
            Surface::Average { down, .. } if !y.is_multiple_of(*down) => return,
            Surface::Average { across, .. } => {
                let across = across.div_ceil(step);
                self.sample.clear();
                let sampled = samples[..pixels * size].chunks_exact(size).step_by(across);
                self.sample.extend(sampled.flatten());
                self.row.resize(self.sample.len() / size * 3, 0);
                self.colour.convert(&self.sample, &mut self.row);
            }
            Surface::Whole(_) | Surface::Sums { .. } => {
                self.row.resize(pixels * 3, 0);
                self.colour.convert(&samples[..pixels * size], &mut self.row);
            }
        }
        match &mut self.surface {
            Surface::Average { sums, count, .. } => {
                for pixel in self.row.chunks_exact(3) {
                    *count += 1;
                    for (sum, &sample) in sums.iter_mut().zip(pixel) {
                        *sum += u64::from(sample);
                    }
                }
            }
            Surface::Whole(data) if step == 1 => {
                let start = (y * self.width + x) * 3;
                data[start..start + self.row.len()].copy_from_slice(&self.row);
            }
            Surface::Whole(data) => {
                let row = &mut data[y * self.width * 3..(y + 1) * self.width * 3];
                for (target, pixel) in row[x * 3..].chunks_mut(step * 3).zip(self.row.chunks_exact(3)) {
                    target[..3].copy_from_slice(pixel);
                }
            }
            Surface::Sums { side, width, sums } => {
                let row = &mut sums[y / *side * *width * 3..][..*width * 3];
                for (index, pixel) in self.row.chunks_exact(3).enumerate() {
                    let square = (x + index * step) / *side * 3;
                    for (sum, &sample) in row[square..square + 3].iter_mut().zip(pixel) {
                        *sum += u32::from(sample);
                    }
                }
            }
        }
    }

    /// The picture as stored, or its average color when only validation was asked for.
    pub(super) fn finish(self) -> Result<Content, Unreadable> {
        let (width, height, data) = match self.surface {
            Surface::Average { count: 0, .. } => return Ok(Content::NotDecoded),
            Surface::Average { sums, count, .. } => {
                // An average of bytes is a byte.
                let [red, green, blue] = sums.map(|sum| (sum / count) as u8);
                return Ok(Content::Average(Color { red, green, blue }));
            }
            Surface::Whole(data) => (self.width, self.height, data),
            Surface::Sums { side, width, sums } => {
                let height = self.height.div_ceil(side);
                let data = sums
                    .iter()
                    .enumerate()
                    .map(|(index, &sum)| {
                        let (column, row) = (index / 3 % width, index / 3 / width);
                        let across = side.min(self.width - column * side);
                        let down = side.min(self.height - row * side);
                        let pixels = (across * down) as u32;
                        ((sum + pixels / 2) / pixels) as u8
                    })
                    .collect();
                (width, height, data)
            }
        };
        // The sides came in as u32 and only shrank.
        Pixels::new(width as u32, height as u32, data).map(Content::Pixels).ok_or(Unreadable::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::super::colour::PixelFormat;
    use super::*;

    #[test]
    fn shrinks_by_averaging_and_counts_the_edges_right() {
        let mut canvas =
            Canvas::new(DecodePurpose::Pixels { at_least: 2 }, 5, 3, Colour::srgb(PixelFormat::Grey));
        canvas.put(0, 0, 1, &[0, 100, 10, 10, 7]);
        canvas.put(0, 1, 1, &[0, 100, 10, 10, 9]);
        canvas.put(0, 2, 2, &[1, 2, 3]);
        canvas.put(1, 2, 2, &[3, 4]);
        canvas.put(9, 9, 1, &[255]);
        let Ok(Content::Pixels(pixels)) = canvas.finish() else { panic!("no pixels") };
        assert_eq!((pixels.width(), pixels.height()), (3, 2));
        let greys: Vec<u8> = pixels.data().chunks(3).map(|pixel| pixel[0]).collect();
        assert_eq!(greys, [50, 10, 8, 2, 3, 3]);
    }

    #[test]
    fn keeps_every_pixel_when_there_are_few() {
        let mut canvas =
            Canvas::new(DecodePurpose::Pixels { at_least: 4 }, 4, 1, Colour::srgb(PixelFormat::Grey));
        canvas.put(0, 0, 2, &[1, 3]);
        canvas.put(1, 0, 2, &[2, 4, 6]);
        let Ok(Content::Pixels(pixels)) = canvas.finish() else { panic!("no pixels") };
        assert_eq!(pixels.data(), [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
    }
}
