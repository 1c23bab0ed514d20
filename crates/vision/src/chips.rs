//! Squares cut out of a picture for the networks, turned and scaled, without aliasing.

use domain::photos::pixels::Pixels;
use pulp::{Arch, NullaryFnOnce};

use crate::alignment::Similarity;
use crate::resampling::{Input, Samples, to_index, to_usize};

/// Between the darkest and the brightest of a face, in the colour where it is most, of 255: less is left by light from behind
/// and by too little light. 95 of 100 ordinary faces of simulated photos have 105 and more, as many in back light up to 80, and
/// in light of one colour 83 and more.
const FLAT: f32 = 80.0;

/// Where the darkest and the brightest of each colour go in such a face.
const LEVELS: [f32; 2] = [25.0, 225.0];

/// Of a colour with less between them there is noise alone, which is not to be blown up.
const LEAST_SPREAD: f32 = 12.0;

/// Part of a face's pixels that may be darker than its darkest, and brighter than its brightest: glints are not the face.
const OUTLIERS: usize = 100;

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
        Self { side, pixels: Arch::new().dispatch(Warp { picture, transform, side }) }
    }

    /// The aligned face as it would be in better light: where the light left little between the darkest and the brightest of
    /// each colour, these are spread out. Every other face stays as it is.
    pub(crate) fn levelled(mut self) -> Self {
        // The middle: the corners show hair and what is behind, and those may be as bright as they like.
        let inner = self.side / 6..self.side - self.side / 6;
        let rows = self.pixels.chunks_exact(self.side.max(1)).take(inner.end).skip(inner.start);
        let face: Vec<[f32; 3]> = rows.flat_map(|row| &row[inner.clone()]).copied().collect();
        let spreads = [0, 1, 2].map(|channel| spread(face.iter().map(|pixel| pixel[channel])));
        if spreads.iter().any(|[dark, bright]| bright - dark >= FLAT) {
            return self;
        }
        for (channel, [dark, bright]) in spreads.into_iter().enumerate() {
            let factor = (LEVELS[1] - LEVELS[0]) / (bright - dark).max(LEAST_SPREAD);
            for pixel in &mut self.pixels {
                pixel[channel] = ((pixel[channel] - dark) * factor + LEVELS[0]).clamp(0.0, 255.0);
            }
        }
        self
    }

    /// The planes a network takes, mirrored left to right on demand.
    pub(crate) fn planes(&self, samples: &Samples, mirrored: bool) -> Input {
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
        Input::planes(self.side, self.side, data)
    }
}

/// The darkest and the brightest of some values, those aside that are few; 0 and 0 of none.
fn spread(values: impl Iterator<Item = f32>) -> [f32; 2] {
    let mut values: Vec<f32> = values.collect();
    values.sort_unstable_by(f32::total_cmp);
    let at = values.len() / OUTLIERS;
    match (values.get(at), values.iter().rev().nth(at)) {
        (Some(dark), Some(bright)) => [*dark, *bright],
        _ => [0.0; 2],
    }
}

/// The pixels of a chip; everything it calls is inlined, so that it is compiled for the processor's vector instructions.
struct Warp<'a> {
    picture: &'a Pixels,
    transform: &'a Similarity,
    side: usize,
}

impl NullaryFnOnce for Warp<'_> {
    type Output = Vec<[f32; 3]>;

    #[inline(always)]
    fn call(self) -> Vec<[f32; 3]> {
        let Self { picture, transform, side } = self;
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
        pixels
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
    /// With a fourth number that is 0, since vectors have four.
    pixels: Vec<[f32; 4]>,
}

impl Region {
    /// What a chip of `side` pixels needs of the picture when `back` maps the chip to it.
    #[allow(clippy::cast_precision_loss, reason = "a chip's side is some hundred pixels")]
    #[inline(always)]
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
                let [red, green, blue] = sum.map(|total| total as f32 / count);
                pixels.push([red, green, blue, 0.0]);
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
    #[inline(always)]
    fn sample(&self, [x, y]: [f64; 2]) -> [f32; 3] {
        let within = |value: f64, first: usize| (value - first as f64 + 0.5) / self.block as f64 - 0.5;
        let (x, y) = (within(x, self.left), within(y, self.top));
        let (column, row) = (x.floor(), y.floor());
        let (right, down) = ((x - column) as f32, (y - row) as f32);
        let weights =
            [(1.0 - right) * (1.0 - down), right * (1.0 - down), (1.0 - right) * down, right * down];
        let mut colour = [0.0f32; 4];
        let mut add = |pixel: &[f32; 4], weight: f32| {
            for (sum, sample) in colour.iter_mut().zip(pixel) {
                *sum += weight * sample;
            }
        };
        let (last_column, last_row) = (self.width as f64 - 1.0, self.height as f64 - 1.0);
        if column >= 0.0 && row >= 0.0 && column < last_column && row < last_row {
            let first = to_index(row) * self.width + to_index(column);
            let (above, below) = (&self.pixels[first..][..2], &self.pixels[first + self.width..][..2]);
            for (pixel, weight) in above.iter().chain(below).zip(weights) {
                add(pixel, weight);
            }
        } else {
            let near = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
            for ((dx, dy), weight) in near.into_iter().zip(weights) {
                let (at_x, at_y) = (column + dx, row + dy);
                if at_x >= 0.0 && at_y >= 0.0 && at_x <= last_column && at_y <= last_row {
                    add(&self.pixels[to_index(at_y) * self.width + to_index(at_x)], weight);
                }
            }
        }
        let [red, green, blue, _] = colour;
        [red, green, blue]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resampling::tests::{RAW, gradient};

    #[test]
    fn a_chip_shows_the_mapped_part() {
        let chip = Chip::warp(&gradient(200, 200), &Similarity::zoom([50.0, 80.0], 1.0), 16);
        assert_eq!(chip.pixels[0], [50.0, 80.0, 7.0]);
        assert_eq!(chip.pixels[16 * 3 + 5], [55.0, 83.0, 7.0]);
        let planes = chip.planes(&RAW, true);
        assert_eq!(planes.plane_data()[0], 65.0, "mirrored");
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

    #[test]
    fn a_face_in_flat_light_is_spread_out_and_no_other_is_changed() {
        let face = |least: f32, part: f32| {
            let pixel =
                |at: usize| [0.0, 1.0, 2.0].map(|channel| least + channel + part * (at % 16 * 16) as f32);
            Chip { side: 48, pixels: (0..48 * 48).map(pixel).collect() }
        };
        let flat = face(110.0, 0.2).levelled();
        assert!(
            (flat.pixels[0][0] - 25.0).abs() < 0.1 && (flat.pixels[15][2] - 225.0).abs() < 0.1,
            "{flat:?}"
        );
        assert_eq!(face(0.0, 0.9).levelled().pixels, face(0.0, 0.9).pixels);
        // Red alone has enough: a face in red light is described as it is.
        let red =
            Chip { side: 48, pixels: (0..48 * 48).map(|at| [(at % 16 * 16) as f32, 20.0, 20.0]).collect() };
        assert_eq!(red.clone().levelled().pixels, red.pixels);
        let grey = Chip { side: 12, pixels: vec![[90.0, 91.0, 92.0]; 144] }.levelled();
        assert_eq!(grey.pixels, vec![[25.0; 3]; 144]);
        let pixels = (0..144u16).map(|at| [f32::from(at % 2); 3]).collect();
        let noise = Chip { side: 12, pixels }.levelled();
        assert!(noise.pixels.iter().flatten().all(|value| *value < 42.0), "noise is not blown up: {noise:?}");
        assert!(Chip { side: 0, pixels: Vec::new() }.levelled().pixels.is_empty());
    }
}
