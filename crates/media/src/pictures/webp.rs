//! WebP, by the `image-webp` crate, which decodes whole pictures. Of an animation the first frame is the picture.

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};

use super::canvas::{Canvas, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat, over_white};
use super::errors::Unreadable;
use super::limits::{MAX_WORKING_BYTES, Measured, check_memory, check_size};
use super::orientation::Orientation;

/// What decoding takes: the frame, beside its result.
pub(super) fn measure(bytes: &[u8]) -> Result<Measured, Unreadable> {
    let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    let working = u64::from(width) * u64::from(height) * bytes_a_pixel(&decoder);
    Ok(Measured { width, height, working, averaged: true })
}

/// Beside its result the decoder retains the frame: RGBA when lossless, and once more when it is animated.
fn bytes_a_pixel(decoder: &WebPDecoder<Cursor<&[u8]>>) -> u64 {
    let retained = if decoder.is_animated() { 8 } else { 4 };
    retained + if decoder.has_alpha() { 4 } else { 3 }
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    // The container's length (RIFF) counts from after itself.
    let length = bytes.get(4..8).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes);
    let end = length.map_or(u64::MAX, |length| u64::from(length) + 8);
    let bytes = usize::try_from(end).ok().and_then(|end| bytes.get(..end)).ok_or(Unreadable::Truncated)?;

    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let alpha = decoder.has_alpha();
    let samples = if alpha { 4 } else { 3 };
    let pixels = u64::from(width) * u64::from(height);
    check_memory(pixels * bytes_a_pixel(&decoder))?;
    decoder.set_memory_limit(MAX_WORKING_BYTES as usize);
    let icc = decoder.icc_profile().ok().flatten();
    let orientation = decoder
        .exif_metadata()
        .ok()
        .flatten()
        .map_or(Orientation::UPRIGHT, |exif| Orientation::from_exif(&exif));

    let mut data = vec![0; (pixels * samples) as usize];
    decoder.read_image(&mut data).map_err(unreadable)?;
    let mut canvas = Canvas::new(purpose, width, height, Colour::new(PixelFormat::Rgb, icc.as_deref()));
    let mut row = Vec::new();
    for (y, stored) in data.chunks_exact(width as usize * samples as usize).enumerate() {
        row.clear();
        row.extend_from_slice(stored);
        if alpha {
            over_white(&mut row, 4);
        }
        canvas.put(0, y, 1, &row);
    }
    Ok(Decoded { width, height, orientation, content: canvas.finish()? })
}

fn unreadable(error: DecodingError) -> Unreadable {
    match error {
        DecodingError::MemoryLimitExceeded | DecodingError::ImageTooLarge => Unreadable::TooComplex,
        _ => Unreadable::Damaged,
    }
}
