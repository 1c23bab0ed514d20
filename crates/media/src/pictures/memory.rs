//! What decoding a picture will take, by its headers.

use domain::photos::ImageFormat;

use super::canvas::DecodePurpose;
use super::errors::Unreadable;
use super::limits::{Limits, Measured};
use super::{avif, bmp, gif, heif, jpeg, png, tiff, webp};

/// What a kept pixel takes: its three samples, twice while it is turned upright.
const KEPT: u64 = 6;
/// What a pixel takes beside that while its sums of samples are kept.
const SUMMED: u64 = 12;

/// About how many bytes [`super::decode`], or [`super::inspect`] without `at_least`, takes beside the picture's own. Nothing
/// is decoded; bytes that are not a whole picture take next to nothing.
pub(super) fn needed(bytes: &[u8], format: ImageFormat, purpose: DecodePurpose) -> u64 {
    let measured = measure(bytes, format, purpose);
    let Ok(Measured { width, height, working, averaged }) = measured else { return 0 };
    let canvas = match purpose {
        DecodePurpose::Validate => 0,
        DecodePurpose::Pixels { at_least } => {
            let side = if averaged { (width.max(height) / at_least).max(1) } else { 1 };
            let pixels = u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side));
            pixels.saturating_mul(if side > 1 { KEPT + SUMMED } else { KEPT })
        }
    };
    working.saturating_add(canvas)
}

/// Refuses what exceeds these limits. Bytes that cannot be measured are left to the decoder, which says what is wrong.
pub(super) fn check(
    bytes: &[u8],
    format: ImageFormat,
    purpose: DecodePurpose,
    limits: &Limits,
) -> Result<(), Unreadable> {
    // Asked for every pixel, each format arrives as it is stored.
    let Ok(stored) = measure(bytes, format, DecodePurpose::Pixels { at_least: u32::MAX }) else {
        return Ok(());
    };
    // With fewer pixels it would take less memory.
    let pixels = u64::from(stored.width) * u64::from(stored.height);
    if pixels > limits.pixels || needed(bytes, format, purpose) > limits.memory {
        return Err(Unreadable::TooManyPixels);
    }
    let scans = if format == ImageFormat::Jpeg { jpeg::scans(bytes)? } else { 1 };
    if scans > limits.scans { Err(Unreadable::TooComplex) } else { Ok(()) }
}

fn measure(bytes: &[u8], format: ImageFormat, purpose: DecodePurpose) -> Result<Measured, Unreadable> {
    match format {
        ImageFormat::Jpeg => jpeg::measure(bytes, purpose),
        ImageFormat::Png => png::measure(bytes),
        ImageFormat::Gif => gif::measure(bytes),
        ImageFormat::Bmp => bmp::measure(bytes, purpose),
        ImageFormat::Tiff => tiff::measure(bytes),
        ImageFormat::WebP => webp::measure(bytes),
        ImageFormat::Heic => heif::measure(bytes),
        ImageFormat::Avif => avif::measure(bytes),
    }
}
