//! The samples of TIFF chunks, brought to 8 bits.

use ::tiff::decoder::DecodingResult;

use super::super::colour::{PixelFormat, over_white, over_white_premultiplied};
use super::super::errors::Unreadable;
use super::shown::Alpha;

/// The content of a chunk.
pub(super) struct Layout {
    pub(super) pixel_format: PixelFormat,
    /// Bits a sample; below 8 only with one sample a pixel.
    pub(super) bits: u8,
    /// Samples a pixel, with those behind the colours.
    pub(super) samples: usize,
    /// What the first sample behind the colours is.
    pub(super) alpha: Alpha,
    /// Whether each sample has a chunk of its own.
    pub(super) planar: bool,
    /// Whether the samples are luma and chroma.
    pub(super) ycbcr: bool,
}

impl Layout {
    /// Chunks that make one whole.
    pub(super) fn planes(&self) -> u32 {
        if self.planar { self.samples as u32 } else { 1 }
    }

    /// What a pixel takes in a chunk, over all planes.
    pub(super) fn bytes_a_pixel(&self) -> u64 {
        u64::from(self.bits).div_ceil(8) * self.samples as u64
    }

    /// Converts a row of 8-bit samples to its pixel format: RGB instead of YCbCr, over white, and without what is behind the
    /// colours.
    pub(super) fn finish(&self, row: &mut Vec<u8>) {
        if self.ycbcr {
            row.chunks_exact_mut(3).for_each(rgb_from_ycbcr);
        }
        let colours = self.pixel_format.samples();
        let kept = colours + usize::from(self.alpha != Alpha::None);
        if kept < self.samples {
            keep_first(row, self.samples, kept);
        }
        match self.alpha {
            Alpha::None => {}
            Alpha::Straight => over_white(row, kept),
            Alpha::Premultiplied => over_white_premultiplied(row, kept),
        }
    }
}

/// Keeps the first samples of each pixel.
fn keep_first(row: &mut Vec<u8>, samples: usize, kept: usize) {
    let pixels = row.len() / samples;
    for pixel in 1..pixels {
        row.copy_within(pixel * samples..pixel * samples + kept, pixel * kept);
    }
    row.truncate(pixels * kept);
}

/// Appends row `line` of a chunk, 8 bits a sample. Indices keep their value; everything else is scaled.
pub(super) fn eight_bits(
    planes: &[DecodingResult],
    layout: &Layout,
    line: usize,
    width: usize,
    indices: bool,
    row: &mut Vec<u8>,
) -> Result<(), Unreadable> {
    if layout.bits < 8 {
        let Some(DecodingResult::U8(packed)) = planes.first() else { return Err(Unreadable::Damaged) };
        let stride = (width * usize::from(layout.bits)).div_ceil(8);
        let bytes = packed.get(line * stride..(line + 1) * stride).ok_or(Unreadable::Damaged)?;
        return unpack(bytes, layout.bits, width, indices, row);
    }
    let a_plane = if layout.planar { 1 } else { layout.samples };
    let range = line * width * a_plane..(line + 1) * width * a_plane;
    let start = row.len();
    row.resize(start + width * layout.samples, 0);
    let row = &mut row[start..];
    for (plane, samples) in planes.iter().enumerate() {
        // Planes are woven together again.
        let targets = row.iter_mut().skip(plane).step_by(planes.len());
        let range = range.clone();
        match samples {
            DecodingResult::U8(data) => fill(targets, data.get(range), |value| value),
            DecodingResult::U16(data) => fill(targets, data.get(range), |value| (value >> 8) as u8),
            DecodingResult::U32(data) => fill(targets, data.get(range), |value| (value >> 24) as u8),
            DecodingResult::F32(data) => {
                fill(targets, data.get(range), |value| (value * 255.0).round() as u8)
            }
            DecodingResult::F64(data) => {
                fill(targets, data.get(range), |value| (value * 255.0).round() as u8)
            }
            _ => return Err(Unreadable::UnknownKind),
        }
        .ok_or(Unreadable::Damaged)?;
    }
    Ok(())
}

fn fill<'a, T: Copy>(
    targets: impl Iterator<Item = &'a mut u8>,
    samples: Option<&[T]>,
    scale: impl Fn(T) -> u8,
) -> Option<()> {
    targets.zip(samples?).for_each(|(target, &sample)| *target = scale(sample));
    Some(())
}

fn unpack(bytes: &[u8], bits: u8, width: usize, indices: bool, row: &mut Vec<u8>) -> Result<(), Unreadable> {
    if !matches!(bits, 1 | 2 | 4) {
        return Err(Unreadable::UnknownKind);
    }
    let largest = u8::MAX >> (8 - bits);
    let factor = if indices { 1 } else { 255 / largest };
    let shifts = (0..8 / bits).rev().map(|place| place * bits);
    let samples =
        bytes.iter().flat_map(|&byte| shifts.clone().map(move |shift| (byte >> shift & largest) * factor));
    row.extend(samples.take(width));
    Ok(())
}

/// ITU-R BT.601, full range, as TIFF 6.0 has it by default.
fn rgb_from_ycbcr(pixel: &mut [u8]) {
    let [y, cb, cr] = [f32::from(pixel[0]), f32::from(pixel[1]) - 128.0, f32::from(pixel[2]) - 128.0];
    pixel[0] = (y + 1.402 * cr).round() as u8;
    pixel[1] = (y - 0.344_136 * cb - 0.714_136 * cr).round() as u8;
    pixel[2] = (y + 1.772 * cb).round() as u8;
}
