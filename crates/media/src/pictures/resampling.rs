//! Shrinking pictures.
//!
//! Row by row: what makes one row of the result is added up, then across. So a picture is read once, beside it lie a few
//! rows only, and the loops are ones that the compiler turns into vector instructions also without optimisation of the
//! crates around.

use std::array::from_fn;
use std::f64::consts::PI;
use std::sync::LazyLock;

use domain::photos::pixels::Pixels;
use pulp::{Arch, NullaryFnOnce};

/// What the samples of neighbouring pixels are added up as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// sRGB's own numbers, weighted by a sinc in a Hamming window: sharp, and exact enough where no pixel is made of more
    /// than a few.
    Srgb,
    /// Light, the mean of what a pixel covers: sRGB's numbers would darken fine bright detail.
    Light,
}

/// `pixels` with sides of `width` and `height`, which are at most its own and at least 1.
pub(super) fn shrink(pixels: &Pixels, width: u32, height: u32, space: Space) -> Option<Pixels> {
    Pixels::new(width, height, Arch::new().dispatch(Shrink { pixels, width, height, space }))
}

/// The samples of the result; everything it calls is inlined, so that it is compiled for the processor's vector instructions.
struct Shrink<'a> {
    pixels: &'a Pixels,
    width: u32,
    height: u32,
    space: Space,
}

impl NullaryFnOnce for Shrink<'_> {
    type Output = Vec<u8>;

    #[inline(always)]
    fn call(self) -> Vec<u8> {
        let Self { pixels, width, height, space } = self;
        let (source_width, width_of_result) = (pixels.width() as usize, width as usize);
        let stride = source_width * 3;
        let columns = Taps::of(source_width, width_of_result, space);
        let rows = Taps::of(pixels.height() as usize, height as usize, space);
        let mut result = vec![0u8; width_of_result * height as usize * 3];
        // One number more, since colours are read four at a time.
        let mut sums = vec![0.0f32; stride + 1];
        let mut colours = vec![[0.0f32; 4]; width_of_result];
        let srgb = &TABLES.srgb;
        for (at, target) in result.chunks_exact_mut(width_of_result * 3).enumerate() {
            let (first, weights) = rows.at(at);
            let source = pixels.data()[first * stride..].chunks_exact(stride);
            for (number, (row, weight)) in source.zip(weights).enumerate() {
                match (space, number) {
                    (_, 1..) if *weight == 0.0 => {}
                    (Space::Srgb, 0) => weigh(row, *weight, &mut sums, |sum, value| *sum = value),
                    (Space::Srgb, _) => weigh(row, *weight, &mut sums, |sum, value| *sum += value),
                    (Space::Light, 0) => weigh_light(row, *weight, &mut sums, |sum, value| *sum = value),
                    (Space::Light, _) => weigh_light(row, *weight, &mut sums, |sum, value| *sum += value),
                }
            }
            columns.across(&sums, &mut colours);
            let pixels = target.as_chunks_mut::<3>().0.iter_mut().zip(&colours);
            match space {
                Space::Srgb => pixels
                    .for_each(|(pixel, colour)| *pixel = samples(colour, |value| value.to_le_bytes()[0])),
                Space::Light => {
                    pixels.for_each(|(pixel, colour)| *pixel = samples(colour, |value| srgb[value as usize]))
                }
            }
        }
        result
    }
}

/// The samples that `of` makes of a colour's numbers, rounded.
#[inline(always)]
fn samples(colour: &[f32; 4], of: impl Fn(u32) -> u8) -> [u8; 3] {
    let [red, green, blue, _] = colour.map(|value| of((value + ROUNDING).to_bits() & u32::from(BRIGHTEST)));
    [red, green, blue]
}

#[inline(always)]
fn weigh(row: &[u8], weight: f32, sums: &mut [f32], put: impl Fn(&mut f32, f32)) {
    for (sum, sample) in sums.iter_mut().zip(row) {
        put(sum, f32::from(*sample) * weight);
    }
}

#[inline(always)]
fn weigh_light(row: &[u8], weight: f32, sums: &mut [f32], put: impl Fn(&mut f32, f32)) {
    let weighted = TABLES.light.map(|light| light * weight);
    for (sum, sample) in sums.iter_mut().zip(row) {
        put(sum, weighted[usize::from(*sample)]);
    }
}

/// The samples of a source line that make each sample of the target line: as many for each, of which some may weigh nothing.
struct Taps {
    count: usize,
    firsts: Vec<usize>,
    weights: Vec<f32>,
}

impl Taps {
    #[allow(clippy::cast_possible_truncation, reason = "weights are at most 1")]
    fn of(source: usize, target: usize, space: Space) -> Self {
        let each: Vec<(usize, Vec<f64>)> = (0..target)
            .map(|at| match space {
                Space::Srgb => windowed(at, source, target),
                Space::Light => covered(at, source, target),
            })
            .collect();
        let count = each.iter().map(|(_, weights)| weights.len()).max().unwrap_or(1);
        let mut taps = Self { count, firsts: Vec::with_capacity(target), weights: vec![0.0; target * count] };
        for ((first, weights), all) in each.iter().zip(taps.weights.chunks_exact_mut(count)) {
            let (total, start) = (weights.iter().sum::<f64>(), (*first).min(source - count));
            taps.firsts.push(start);
            for (weight, own) in all[first - start..].iter_mut().zip(weights) {
                *weight = (own / total) as f32;
            }
        }
        taps
    }

    #[inline(always)]
    fn at(&self, target: usize) -> (usize, &[f32]) {
        (self.firsts[target], &self.weights[target * self.count..][..self.count])
    }

    /// The colours of a row, each with a fourth number that means nothing, of the samples of a row.
    #[inline(always)]
    fn across(&self, samples: &[f32], colours: &mut [[f32; 4]]) {
        match self.count {
            1 => self.across_by::<1>(samples, colours),
            2 => self.across_by::<2>(samples, colours),
            3 => self.across_by::<3>(samples, colours),
            4 => self.across_by::<4>(samples, colours),
            5 => self.across_by::<5>(samples, colours),
            count => {
                for (colour, (first, weights)) in
                    colours.iter_mut().zip(self.firsts.iter().zip(self.weights.chunks_exact(count)))
                {
                    *colour = [0.0; 4];
                    for (sample, weight) in samples[first * 3..].as_chunks::<3>().0.iter().zip(weights) {
                        for (sum, sample) in colour.iter_mut().zip(sample) {
                            *sum += sample * weight;
                        }
                    }
                }
            }
        }
    }

    /// The same for a number of taps that the compiler knows.
    #[inline(always)]
    fn across_by<const COUNT: usize>(&self, samples: &[f32], colours: &mut [[f32; 4]]) {
        let weights = self.weights.as_chunks::<COUNT>().0;
        for (colour, (first, weights)) in colours.iter_mut().zip(self.firsts.iter().zip(weights)) {
            let near = &samples[first * 3..][..COUNT * 3 + 1];
            // Summed up in a local variable, which becomes one vector register.
            let mut sum = [0.0; 4];
            for tap in 0..COUNT {
                for lane in 0..4 {
                    sum[lane] += near[tap * 3 + lane] * weights[tap];
                }
            }
            *colour = sum;
        }
    }
}

/// A sinc in a Hamming window, as wide as two samples of the target: of the samples whose middle lies less than one sample
/// of the target from its own.
fn windowed(at: usize, source: usize, target: usize) -> (usize, Vec<f64>) {
    let reach = source as f64 / target as f64;
    let centre = (at as f64 + 0.5) * reach;
    let first = ((2 * at * source + target).saturating_sub(source) / (2 * target)).min(source - 1);
    let last = (((2 * at + 3) * source + target) / (2 * target)).clamp(first + 1, source);
    let weight = |sample: usize| {
        let angle = (sample as f64 + 0.5 - centre) / reach * PI;
        let sinc = if angle.abs() < 1e-9 { 1.0 } else { angle.sin() / angle };
        if angle.abs() < PI { sinc * (0.54 + 0.46 * angle.cos()) } else { 0.0 }
    };
    (first, (first..last).map(weight).collect())
}

/// The part of each sample that lies within one sample of the target.
fn covered(at: usize, source: usize, target: usize) -> (usize, Vec<f64>) {
    let ratio = source as f64 / target as f64;
    let (start, end) = (at as f64 * ratio, (at as f64 + 1.0) * ratio);
    let first = at * source / target;
    let last = ((at + 1) * source).div_ceil(target);
    let part = |sample: usize| (end.min((sample + 1) as f64) - start.max(sample as f64)).max(0.0);
    (first, (first..last).map(part).collect())
}

/// The largest value of light that [`Tables::srgb`] tells apart: its steps are a fifth of sRGB's smallest.
const BRIGHTEST: u16 = 0x3FFF;

/// Added to a float from 0 to [`BRIGHTEST`] it leaves the nearest integer in the lowest bits, faster than a conversion.
const ROUNDING: f32 = 8_388_608.0;

struct Tables {
    /// The light of each sRGB sample, 0 to [`BRIGHTEST`].
    light: [f32; 256],
    /// The sRGB sample of each light.
    srgb: Box<[u8; BRIGHTEST as usize + 1]>,
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "samples are within 0 to 255")]
static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let light = |sample: usize| {
        let sample = sample as f64 / 255.0;
        if sample <= 0.040_45 { sample / 12.92 } else { ((sample + 0.055) / 1.055).powf(2.4) }
    };
    let srgb = |light: usize| {
        let light = light as f64 / f64::from(BRIGHTEST);
        let sample = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
        (sample * 255.0).round() as u8
    };
    Tables {
        light: from_fn(|sample| (light(sample) * f64::from(BRIGHTEST)) as f32),
        srgb: Box::new(from_fn(srgb)),
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grey_stays_what_it_is() {
        for grey in 0..=255u8 {
            let picture = Pixels::new(70, 50, vec![grey; 70 * 50 * 3]).unwrap();
            for (space, width, height) in
                [(Space::Srgb, 69, 34), (Space::Light, 30, 20), (Space::Light, 9, 7), (Space::Srgb, 70, 1)]
            {
                let small = shrink(&picture, width, height, space).unwrap();
                assert!(small.data().iter().all(|sample| *sample == grey), "{grey} in {space:?}");
            }
        }
    }

    #[test]
    fn a_pixel_is_the_mean_of_the_light_that_it_covers() {
        // Four columns become three: of each outer one a quarter belongs to its neighbour.
        let row = [[255, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 255]];
        let picture = Pixels::new(4, 1, row.concat()).unwrap();
        let small = shrink(&picture, 3, 1, Space::Light).unwrap();
        // Three quarters of the light are 225 in sRGB.
        assert_eq!(small.data(), [[225, 0, 0], [0, 0, 0], [0, 0, 225]].concat());
    }

    #[test]
    fn nothing_moves() {
        // A slope of one step a pixel, shrunk, is the same slope with longer steps around the same middle.
        let slope: Vec<u8> = (0..200u8).flat_map(|x| [x; 3]).collect();
        let picture = Pixels::new(200, 3, slope.repeat(3)).unwrap();
        let small = shrink(&picture, 140, 2, Space::Srgb).unwrap();
        for (at, pixel) in small.data().as_chunks::<3>().0[..140].iter().enumerate().skip(2).take(136) {
            let wanted = (at as f64 + 0.5) * 200.0 / 140.0 - 0.5;
            assert!((f64::from(pixel[0]) - wanted).abs() <= 0.75, "{} instead of {wanted}", pixel[0]);
        }
    }
}
