//! What decoding a picture will take, by its headers.

use domain::photos::ImageFormat;

use super::canvas::DecodePurpose;
use super::limits::Measured;
use super::{bmp, gif, heif, jpeg, png, tiff, webp};

/// What a kept pixel takes: its three samples, twice while it is turned upright.
const KEPT: u64 = 6;
/// What a pixel takes beside that while its sums of samples are kept.
const SUMMED: u64 = 12;

/// About how many bytes [`super::decode`], or [`super::inspect`] without `at_least`, takes beside the picture's own. Nothing
/// is decoded; bytes that are not a whole picture take next to nothing.
pub(super) fn needed(bytes: &[u8], format: ImageFormat, purpose: DecodePurpose) -> u64 {
    let measured = match format {
        ImageFormat::Jpeg => jpeg::measure(bytes, purpose),
        ImageFormat::Png => png::measure(bytes),
        ImageFormat::Gif => gif::measure(bytes),
        ImageFormat::Bmp => bmp::measure(bytes, purpose),
        ImageFormat::Tiff => tiff::measure(bytes),
        ImageFormat::WebP => webp::measure(bytes),
        ImageFormat::Heic => heif::measure(bytes),
    };
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
