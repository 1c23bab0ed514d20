//! PNG, by the `png` crate, row by row.

use std::io::Cursor;

use ::png::{ColorType, Decoder, DecodingError, Limits, Transformations};

use super::canvas::{Canvas, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat, over_black, over_white};
use super::errors::Unreadable;
use super::limits::{Measured, check_size};
use super::orientation::Orientation;

/// Memory for one row, the palette and the ICC profile, in bytes.
const LIMIT: usize = 64 * 1_048_576;

/// Adam7: where each pass starts (x, y) and the distance of its pixels (PNG specification, 8.2).
const PASSES: [([usize; 2], [usize; 2]); 7] = [
    ([0, 0], [8, 8]),
    ([4, 0], [8, 8]),
    ([0, 4], [4, 8]),
    ([2, 0], [4, 4]),
    ([0, 2], [2, 4]),
    ([1, 0], [2, 2]),
    ([0, 1], [1, 2]),
];

/// What decoding takes: a few rows.
pub(super) fn measure(bytes: &[u8]) -> Result<Measured, Unreadable> {
    let Chunks { width, height, .. } = Chunks::walk(bytes)?;
    Ok(Measured { width, height, working: 0, averaged: true })
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    read_over(bytes, purpose, over_white)
}

/// It over black where it is transparent.
pub(super) fn read_on_black(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    read_over(bytes, purpose, over_black)
}

fn read_over(
    bytes: &[u8],
    purpose: DecodePurpose,
    lay: fn(&mut Vec<u8>, usize),
) -> Result<Decoded, Unreadable> {
    let chunks = Chunks::walk(bytes)?;
    check_size(chunks.width, chunks.height)?;
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: LIMIT });
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let (width, height) = (chunks.width as usize, chunks.height as usize);
    let (pixel_format, alpha) = match reader.output_color_type().0 {
        ColorType::Grayscale => (PixelFormat::Grey, false),
        ColorType::GrayscaleAlpha => (PixelFormat::Grey, true),
        ColorType::Rgb => (PixelFormat::Rgb, false),
        ColorType::Rgba => (PixelFormat::Rgb, true),
        // EXPAND leaves none.
        ColorType::Indexed => return Err(Unreadable::Damaged),
    };
    let info = reader.info();
    // An sRGB chunk outranks a profile.
    let icc = info.icc_profile.as_deref().filter(|_| info.srgb.is_none());
    let mut canvas = Canvas::new(purpose, chunks.width, chunks.height, Colour::new(pixel_format, icc));
    let passes: &[_] = if info.interlaced { &PASSES } else { &[([0, 0], [1, 1])] };
    let mut row = Vec::new();
    for &([left, top], [across, down]) in passes {
        if left >= width {
            continue;
        }
        for y in (top..height).step_by(down) {
            let data = reader.next_interlaced_row().map_err(unreadable)?.ok_or(Unreadable::Damaged)?;
            row.clear();
            row.extend_from_slice(data.data());
            if alpha {
                lay(&mut row, pixel_format.samples() + 1);
            }
            canvas.put(left, y, across, &row);
        }
    }
    let orientation = chunks.exif.map_or(Orientation::UPRIGHT, Orientation::from_exif);
    Ok(Decoded { width: chunks.width, height: chunks.height, orientation, content: canvas.finish()? })
}

fn unreadable(error: DecodingError) -> Unreadable {
    match error {
        DecodingError::LimitsExceeded => Unreadable::TooComplex,
        // All chunks are complete, so what is missing is missing inside of them.
        DecodingError::IoError(_) | DecodingError::Format(_) | DecodingError::Parameter(_) => {
            Unreadable::Damaged
        }
    }
}

/// What the chunks say.
struct Chunks<'a> {
    width: u32,
    height: u32,
    /// The EXIF chunk, which may follow the pixels, where the decoder does not go.
    exif: Option<&'a [u8]>,
}

impl<'a> Chunks<'a> {
    /// Walks to the IEND chunk. Reading on in the decoder would inflate whatever a bomb has hidden after the pixels.
    fn walk(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let header = Chunk::first(bytes.get(8..).ok_or(Unreadable::Truncated)?)?;
        let (b"IHDR", [w3, w2, w1, w0, h3, h2, h1, h0, ..]) = (header.kind, header.data) else {
            return Err(Unreadable::Damaged);
        };
        let (width, height) =
            (u32::from_be_bytes([*w3, *w2, *w1, *w0]), u32::from_be_bytes([*h3, *h2, *h1, *h0]));
        let (mut exif, mut rest) = (None, header.after);
        loop {
            let chunk = Chunk::first(rest)?;
            match chunk.kind {
                b"IEND" => return Ok(Self { width, height, exif }),
                b"eXIf" => exif = Some(chunk.data),
                _ => {}
            }
            rest = chunk.after;
        }
    }
}

/// A chunk and what follows its checksum.
struct Chunk<'a> {
    kind: &'a [u8; 4],
    data: &'a [u8],
    after: &'a [u8],
}

impl<'a> Chunk<'a> {
    fn first(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or(Unreadable::Truncated)?;
        let (kind, rest) = rest.split_first_chunk::<4>().ok_or(Unreadable::Truncated)?;
        let length = u32::from_be_bytes(*length) as usize;
        if rest.len() < length + 4 {
            return Err(Unreadable::Truncated);
        }
        Ok(Self { kind, data: &rest[..length], after: &rest[length + 4..] })
    }
}
