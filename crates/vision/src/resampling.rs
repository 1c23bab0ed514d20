//! Shrinking, enlarging and turning pictures for the networks, without aliasing.

use domain::pixels::Pixels;

use crate::alignment::Similarity;

/// How a network wants its samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples {
    /// For each of the network's planes the channel of the picture: 0 red, 1 green, 2 blue.
    pub(crate) channels: [usize; 3],
    /// Subtracted from 0 to 255.
    pub(crate) mean: [f32; 3],
    /// Multiplied afterwards.
    pub(crate) scale: f32,
}

impl Samples {
    fn of(&self, plane: usize, value: f32) -> f32 {
        (value - self.mean[plane]) * self.scale
    }
}

/// Three planes of `height` rows of `width` samples, as a network takes them.
#[derive(Debug)]
pub(crate) struct Planes {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) data: Vec<f32>,
}

impl Planes {
    /// Black planes.
    fn black(width: usize, height: usize, samples: &Samples) -> Self {
        let area = width * height;
        let mut data = Vec::with_capacity(3 * area);
        for plane in 0..3 {
            data.resize((plane + 1) * area, samples.of(plane, 0.0));
        }
        Self { width, height, data }
    }
}

/// A picture resized onto a black canvas.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) planes: Planes,
    /// Pixels of the canvas for one pixel of the picture.
    pub(crate) factor: f64,
    /// Where the picture's top left corner lies on the canvas.
    pub(crate) origin: [f64; 2],
}

/// Resizes a picture with a black margin of `margin` times its sides on each side, so that the long side of both
/// together is `long_side`, and fills up with black on the right and below to multiples of `multiple`.
///
/// With `enlarge` false a picture that is smaller already keeps its size.
pub(crate) fn fit(
    picture: &Pixels,
    long_side: f64,
    margin: f64,
    enlarge: bool,
    multiple: usize,
    samples: &Samples,
) -> Fitted {
    let around = 1.0 + 2.0 * margin;
    let mut factor = long_side / (f64::from(picture.long_side()) * around);
    if !enlarge {
        factor = factor.min(1.0);
    }
    let scaled = |length: u32, times: f64| to_index((f64::from(length) * factor * times).round()).max(1);
    let (width, height) = (scaled(picture.width(), 1.0), scaled(picture.height(), 1.0));
    let (left, top) = (scaled(picture.width(), margin), scaled(picture.height(), margin));
    let (left, top) = if margin > 0.0 { (left, top) } else { (0, 0) };
    let canvas = |inner: usize, before: usize| (inner + 2 * before).next_multiple_of(multiple);
    let mut planes = Planes::black(canvas(width, left), canvas(height, top), samples);
    resize_into(picture, width, height, &mut planes, left, top, samples);
    #[allow(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^52")]
    let origin = [left as f64, top as f64];
    Fitted { planes, factor, origin }
}

/// The samples of a source line that make one sample of the target line.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

/// Mean over the covered stretch when shrinking, straight line between neighbours when enlarging.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "sides are below 2^24, weights at most 1"
)]
fn taps(source: usize, target: usize) -> Vec<Taps> {
    let ratio = source as f64 / target as f64;
    (0..target)
        .map(|index| {
            if ratio > 1.0 {
                let (start, end) = (index as f64 * ratio, (index + 1) as f64 * ratio);
                let first = to_index(start.floor()).min(source - 1);
                let last = to_index(end.ceil()).clamp(first + 1, source);
                let covered = |at: usize| (end.min(at as f64 + 1.0) - start.max(at as f64)).max(0.0);
                let total: f64 = (first..last).map(covered).sum();
                Taps { first, weights: (first..last).map(|at| (covered(at) / total) as f32).collect() }
            } else {
                let centre = ((index as f64 + 0.5) * ratio - 0.5).clamp(0.0, (source - 1) as f64);
                let first = to_index(centre.floor());
                let second = (centre - centre.floor()) as f32;
                let weights = if first + 1 < source { vec![1.0 - second, second] } else { vec![1.0] };
                Taps { first, weights }
            }
        })
        .collect()
}

fn resize_into(
    picture: &Pixels,
    width: usize,
    height: usize,
    planes: &mut Planes,
    left: usize,
    top: usize,
    samples: &Samples,
) {
    let source_width = to_usize(picture.width());
    let columns = taps(source_width, width);
    let area = planes.width * planes.height;
    let mut line = vec![0.0f32; source_width * 3];
    for (row, taps) in taps(to_usize(picture.height()), height).iter().enumerate() {
        line.fill(0.0);
        for (offset, weight) in taps.weights.iter().enumerate() {
            let start = (taps.first + offset) * source_width * 3;
            for (sum, sample) in line.iter_mut().zip(&picture.data()[start..start + source_width * 3]) {
                *sum += weight * f32::from(*sample);
            }
        }
        let target = (top + row) * planes.width + left;
        for (column, taps) in columns.iter().enumerate() {
            let mut pixel = [0.0f32; 3];
            for (source, weight) in line[taps.first * 3..].as_chunks::<3>().0.iter().zip(&taps.weights) {
                for (sum, sample) in pixel.iter_mut().zip(source) {
                    *sum += weight * sample;
                }
            }
            for plane in 0..3 {
                planes.data[plane * area + target + column] =
                    samples.of(plane, pixel[samples.channels[plane]]);
            }
        }
    }
}

/// A square cut out of a picture: `side * side` pixels of red, green, blue, each 0 to 255.
#[derive(Clone, Debug)]
pub(crate) struct Chip {
    pub(crate) side: usize,
    pub(crate) pixels: Vec<[f32; 3]>,
}

impl Chip {
    /// Draws the part of `picture` that `transform` maps into the square; black where there is no picture.
    ///
    /// Where the part is much larger than the square, blocks of pixels are averaged first, so fine patterns fade
    /// instead of flickering.
    pub(crate) fn warp(picture: &Pixels, transform: &Similarity, side: usize) -> Self {
        let block = to_index((1.0 / transform.factor()).floor()).clamp(1, to_usize(picture.long_side()));
        let back = transform.inverse();
        let region = Region::around(picture, &back, side, block);
        let mut pixels = Vec::with_capacity(side * side);
        #[allow(clippy::cast_precision_loss, reason = "a chip's side is some hundred pixels")]
        for row in 0..side {
            for column in 0..side {
                pixels.push(region.sample(back.apply([column as f64, row as f64])));
            }
        }
        Self { side, pixels }
    }

    /// The planes a network takes, mirrored left to right on demand.
    pub(crate) fn planes(&self, samples: &Samples, mirrored: bool) -> Planes {
        let mut data = Vec::with_capacity(3 * self.pixels.len());
        for plane in 0..3 {
            let channel = samples.channels[plane];
            for row in self.pixels.chunks_exact(self.side) {
                let value = |pixel: &[f32; 3]| samples.of(plane, pixel[channel]);
                if mirrored {
                    data.extend(row.iter().rev().map(value));
                } else {
                    data.extend(row.iter().map(value));
                }
            }
        }
        Planes { width: self.side, height: self.side, data }
    }
}

/// A part of a picture, shrunk by averaging blocks.
struct Region {
    /// The first pixel of the picture that belongs to it.
    left: usize,
    top: usize,
    block: usize,
    width: usize,
    height: usize,
    pixels: Vec<[f32; 3]>,
}

impl Region {
    /// What a chip of `side` pixels needs of the picture when `back` maps the chip to it.
    #[allow(clippy::cast_precision_loss, reason = "a chip's side is some hundred pixels")]
    fn around(picture: &Pixels, back: &Similarity, side: usize, block: usize) -> Self {
        let far = (side - 1) as f64;
        let corners = [[0.0, 0.0], [far, 0.0], [0.0, far], [far, far]].map(|corner| back.apply(corner));
        let span = |axis: usize, length: usize| {
            let values = corners.map(|corner| corner[axis]);
            // One block more on each side, for sampling between pixels.
            let low = values.iter().copied().fold(f64::INFINITY, f64::min) - block as f64;
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) + (2 * block) as f64;
            let first = to_index(low.floor()).min(length) / block * block;
            (first, to_index(high.ceil()).clamp(first, length))
        };
        let (left, right) = span(0, to_usize(picture.width()));
        let (top, bottom) = span(1, to_usize(picture.height()));
        let (width, height) = ((right - left).div_ceil(block), (bottom - top).div_ceil(block));
        let mut pixels = Vec::with_capacity(width * height);
        let all = picture.data().as_chunks::<3>().0;
        for row in 0..height {
            for column in 0..width {
                let (x, y) = (left + column * block, top + row * block);
                let (x_end, y_end) = ((x + block).min(right), (y + block).min(bottom));
                let mut sum = [0u32; 3];
                for line in y..y_end {
                    let start = line * to_usize(picture.width());
                    for pixel in &all[start + x..start + x_end] {
                        for (total, sample) in sum.iter_mut().zip(pixel) {
                            *total += u32::from(*sample);
                        }
                    }
                }
                let count = ((x_end - x) * (y_end - y)) as f32;
                pixels.push(sum.map(|total| total as f32 / count));
            }
        }
        Self { left, top, block, width, height, pixels }
    }

    /// The colour at a point of the picture, between the four nearest pixels.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "fractions and sides of pictures"
    )]
    fn sample(&self, [x, y]: [f64; 2]) -> [f32; 3] {
        let within = |value: f64, first: usize| (value - first as f64 + 0.5) / self.block as f64 - 0.5;
        let (x, y) = (within(x, self.left), within(y, self.top));
        let (column, row) = (x.floor(), y.floor());
        let (right, down) = ((x - column) as f32, (y - row) as f32);
        let mut colour = [0.0; 3];
        for (dx, dy, weight) in [
            (0.0, 0.0, (1.0 - right) * (1.0 - down)),
            (1.0, 0.0, right * (1.0 - down)),
            (0.0, 1.0, (1.0 - right) * down),
            (1.0, 1.0, right * down),
        ] {
            let (at_x, at_y) = (column + dx, row + dy);
            if at_x >= 0.0 && at_y >= 0.0 && at_x < self.width as f64 && at_y < self.height as f64 {
                let pixel = self.pixels[to_index(at_y) * self.width + to_index(at_x)];
                for (sum, sample) in colour.iter_mut().zip(pixel) {
                    *sum += weight * sample;
                }
            }
        }
        colour
    }
}

/// A place in a line of pixels; what is negative or not a number becomes 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
fn to_index(value: f64) -> usize {
    value as usize
}

fn to_usize(side: u32) -> usize {
    usize::try_from(side).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAW: Samples = Samples { channels: [0, 1, 2], mean: [0.0; 3], scale: 1.0 };

    fn gradient(width: u32, height: u32) -> Pixels {
        let pixel = |x: u32, y: u32| [u8::try_from(x % 256).unwrap(), u8::try_from(y % 256).unwrap(), 7];
        let data = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
        Pixels::new(width, height, data).unwrap()
    }

    #[test]
    fn shrinking_keeps_the_mean_and_fills_up_with_black() {
        let fitted = fit(&gradient(200, 100), 100.0, 0.0, false, 32, &RAW);
        assert_eq!((fitted.planes.width, fitted.planes.height), (128, 64));
        assert!((fitted.factor - 0.5).abs() < 1e-12);
        assert!((fitted.planes.data[10] - 20.5).abs() < 1e-3, "the mean of columns 20 and 21");
        assert_eq!(fitted.planes.data[101], 0.0, "beyond the picture");
        assert_eq!(fitted.planes.data[2 * 128 * 64], 7.0, "the third plane is blue");
    }

    #[test]
    fn small_pictures_are_enlarged_on_demand_only() {
        assert!((fit(&gradient(20, 10), 100.0, 0.0, false, 32, &RAW).factor - 1.0).abs() < 1e-12);
        let fitted = fit(&gradient(20, 10), 100.0, 0.0, true, 32, &RAW);
        assert!((fitted.factor - 5.0).abs() < 1e-12);
        assert!((fitted.planes.data[52] - 10.0).abs() < 1e-3, "column 52 shows the middle of column 10");
    }

    #[test]
    fn a_margin_surrounds_the_picture() {
        let fitted = fit(&gradient(90, 60), 150.0, 1.0 / 3.0, false, 2, &RAW);
        assert_eq!(fitted.origin, [30.0, 20.0]);
        assert_eq!((fitted.planes.width, fitted.planes.height), (150, 100));
        let third = &fitted.planes.data[2 * 150 * 100..];
        assert_eq!((third[20 * 150 + 29], third[20 * 150 + 30]), (0.0, 7.0));
    }

    #[test]
    fn a_chip_shows_the_mapped_part() {
        let chip = Chip::warp(&gradient(200, 200), &Similarity::zoom([50.0, 80.0], 1.0), 16);
        assert_eq!(chip.pixels[0], [50.0, 80.0, 7.0]);
        assert_eq!(chip.pixels[16 * 3 + 5], [55.0, 83.0, 7.0]);
        let planes = chip.planes(&RAW, true);
        assert_eq!(planes.data[0], 65.0, "mirrored");
    }

    #[test]
    fn a_shrunk_chip_averages_and_stays_in_place() {
        let chip = Chip::warp(&gradient(250, 250), &Similarity::zoom([100.0, 100.0], 0.25), 20);
        assert!((chip.pixels[5][0] - 120.0).abs() < 0.6, "{:?}", chip.pixels[5]);
        assert!((chip.pixels[5][1] - 100.0).abs() < 0.6);
    }

    #[test]
    fn parts_outside_the_picture_are_black() {
        for transform in [Similarity::zoom([-1e9, 5.0], 1.0), Similarity::zoom([1e9, 1e9], 1e-3)] {
            assert!(
                Chip::warp(&gradient(30, 30), &transform, 8).pixels.iter().all(|pixel| *pixel == [0.0; 3])
            );
        }
    }
}
