//! BMP, by the `image` crate, which decodes whole pictures.

mod header;
mod relaid;

use image::codecs::bmp::BmpDecoder;
use image::{ColorType, ImageDecoder, ImageError};

use super::canvas::{Canvas, Content, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat, over_white};
use super::errors::Unreadable;
use super::limits::{Measured, check_memory, check_size};
use super::orientation::Orientation;
use header::{CORE_HEADER, FILE_HEADER, Header, LONGER_HEADERS, number};
use relaid::Relaid;

/// Longest side that the decoder takes.
const LONGEST_SIDE: u32 = 0xFFFF;

/// Whether bytes that start with `BM`, as a text may as well, go on like a bitmap.
pub(super) fn recognise(bytes: &[u8]) -> bool {
    // OS/2 may leave any number of fields at the end of its header out.
    number(bytes, FILE_HEADER)
        .is_some_and(|size| matches!(size, CORE_HEADER | 16..=64) || LONGER_HEADERS.contains(&size))
}

/// What decoding takes: the whole picture, unless it need not be decoded to be judged.
pub(super) fn measure(bytes: &[u8], purpose: DecodePurpose) -> Result<Measured, Unreadable> {
    let header = Header::parse(bytes).ok_or(Unreadable::Truncated)?;
    check_size(header.width, header.height)?;
    let decodes = !matches!(purpose, DecodePurpose::Validate) || header.end().is_none();
    let working = if decodes { u64::from(header.width) * u64::from(header.height) * 4 } else { 0 };
    Ok(Measured { width: header.width, height: header.height, working, averaged: true })
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    let header = Header::parse(bytes).ok_or(Unreadable::Truncated)?;
    check_size(header.width, header.height)?;
    if header.end().is_some_and(|end| end > bytes.len() as u64) {
        return Err(Unreadable::Truncated);
    }
    if header.is_unknown() || header.width.max(header.height) > LONGEST_SIDE {
        return Err(Unreadable::UnknownKind);
    }
    let decoder = BmpDecoder::new(Relaid::new(bytes, &header)).map_err(unreadable)?;
    if decoder.dimensions() != (header.width, header.height) {
        return Err(Unreadable::Damaged);
    }
    if matches!(purpose, DecodePurpose::Validate) && header.end().is_some() {
        // Complete uncompressed rows cannot fail to decode, and decoding would need memory for all of them.
        return Ok(Decoded {
            width: header.width,
            height: header.height,
            orientation: Orientation::UPRIGHT,
            content: Content::NotDecoded,
        });
    }
    let (pixel_format, alpha) = match decoder.color_type() {
        ColorType::L8 => (PixelFormat::Grey, false),
        ColorType::Rgb8 => (PixelFormat::Rgb, false),
        ColorType::Rgba8 => (PixelFormat::Rgb, true),
        _ => return Err(Unreadable::Damaged),
    };
    let samples = pixel_format.samples() + usize::from(alpha);
    check_memory(decoder.total_bytes())?;
    let mut data = vec![0; usize::try_from(decoder.total_bytes()).map_err(|_| Unreadable::TooComplex)?];
    decoder.read_image(&mut data).map_err(unreadable)?;
    let mut canvas = Canvas::new(purpose, header.width, header.height, Colour::srgb(pixel_format));
    let mut row = Vec::new();
    for (y, stored) in data.chunks_exact(header.width as usize * samples).enumerate() {
        row.clear();
        row.extend_from_slice(stored);
        if alpha {
            over_white(&mut row, samples);
        }
        canvas.put(0, y, 1, &row);
    }
    Ok(Decoded {
        width: header.width,
        height: header.height,
        orientation: Orientation::UPRIGHT,
        content: canvas.finish()?,
    })
}

fn unreadable(error: ImageError) -> Unreadable {
    match error {
        ImageError::Limits(_) => Unreadable::TooComplex,
        ImageError::Unsupported(_) => Unreadable::UnknownKind,
        // Run-length encoded rows have no known length; the others are complete.
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Unreadable::Truncated
        }
        _ => Unreadable::Damaged,
    }
}
