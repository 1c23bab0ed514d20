//! Smaller pictures: resized in linear light, written as JPEG without any metadata.

use domain::photos::Size;
use domain::photos::pixels::Pixels;
use mozjpeg::{ColorSpace, Compress};

use super::resampling::{Space, shrink};

/// A smaller version of a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendition {
    /// A JPEG file in sRGB without metadata.
    pub jpeg: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The smaller versions of a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renditions {
    /// Long side 2048, or the photo's own when that is shorter.
    pub preview: Rendition,
    /// Long side 1024, or the photo's own when that is shorter.
    pub medium: Rendition,
    /// Long side 480, or the photo's own when that is shorter.
    pub thumbnail: Rendition,
}

/// libjpeg's scale, 1 to 100. Above 85 files grow faster than what a guest's screen shows.
const PREVIEW_QUALITY: u8 = 84;
/// What a phone shows in full and a desk in a grid.
const MEDIUM_QUALITY: u8 = 82;
/// Thumbnails are seen by the dozen on mobile networks.
const THUMBNAIL_QUALITY: u8 = 80;

/// A picture that a file of its kind cannot represent: a side above 65,500 pixels, or no memory left.
#[derive(Debug, thiserror::Error)]
#[error("a picture of {width} by {height} pixels cannot be written")]
pub struct NotEncodable {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The pixels of a photo's preview.
pub fn preview(pixels: &Pixels) -> Pixels {
    resize(pixels, long_side(Size::Preview))
}

/// Makes a photo's renditions, each from the pixels of the one before, the first from those of the [`preview`].
pub fn renditions(preview: &Pixels) -> Result<Renditions, NotEncodable> {
    let medium = resize(preview, long_side(Size::Medium));
    let thumbnail = resize(&medium, long_side(Size::Thumbnail));
    Ok(Renditions {
        preview: rendition(preview, PREVIEW_QUALITY, Huffman::Standard)?,
        medium: rendition(&medium, MEDIUM_QUALITY, Huffman::Fitted)?,
        thumbnail: rendition(&thumbnail, THUMBNAIL_QUALITY, Huffman::Fitted)?,
    })
}

/// Makes the rendition of medium size from the pixels of a preview.
pub fn medium(preview: &Pixels) -> Result<Rendition, NotEncodable> {
    rendition(&resize(preview, long_side(Size::Medium)), MEDIUM_QUALITY, Huffman::Fitted)
}

/// Makes the rendition of the smallest size from pixels of any.
///
/// # Errors
/// When it cannot be encoded.
pub fn thumbnail(pixels: &Pixels) -> Result<Rendition, NotEncodable> {
    rendition(&resize(pixels, long_side(Size::Thumbnail)), THUMBNAIL_QUALITY, Huffman::Fitted)
}

fn long_side(size: Size) -> u32 {
    size.long_side().unwrap_or(u32::MAX)
}

fn rendition(pixels: &Pixels, quality: u8, huffman: Huffman) -> Result<Rendition, NotEncodable> {
    Ok(Rendition { jpeg: encode(pixels, quality, huffman)?, width: pixels.width(), height: pixels.height() })
}

/// From this reduction on, averaging is done in linear light. Below it no output pixel is made of more than a few, and the
/// difference cannot be seen.
const LINEAR_FROM: f64 = 1.5;

/// Shrinks a picture to a long side of `long_side` pixels; a smaller one is left as it is.
///
/// A strong reduction averages linear light, as averaging sRGB's own numbers would darken fine bright detail.
pub fn resize(pixels: &Pixels, long_side: u32) -> Pixels {
    if pixels.long_side() <= long_side.max(1) {
        return pixels.clone();
    }
    let reduction = f64::from(pixels.long_side()) / f64::from(long_side.max(1));
    let scaled = |side: u32| ((f64::from(side) / reduction).round() as u32).max(1);
    let space = if reduction < LINEAR_FROM { Space::Srgb } else { Space::Light };
    // The data have the size that is asked for, so this cannot fail.
    shrink(pixels, scaled(pixels.width()), scaled(pixels.height()), space).unwrap_or_else(|| pixels.clone())
}

/// The tables by which a JPEG's numbers become bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Huffman {
    /// Those of the standard.
    Standard,
    /// Those that fit the picture, for which it is gone through twice: 5 to 7 % fewer bytes, and 2.5 times as long.
    Fitted,
}

/// Writes a JPEG of `quality` 1 to 100 on libjpeg's scale, 4:2:0, without metadata: its samples are sRGB, the default.
pub fn encode_jpeg(pixels: &Pixels, quality: u8) -> Result<Vec<u8>, NotEncodable> {
    encode(pixels, quality, Huffman::Fitted)
}

/// Writes a rendition once more, without metadata and as quickly as JPEG is written: each of them while somebody waits.
///
/// # Errors
/// When it cannot be encoded.
pub fn encode_again(pixels: &Pixels) -> Result<Vec<u8>, NotEncodable> {
    encode(pixels, PREVIEW_QUALITY, Huffman::Standard)
}

/// Baseline, without any of mozjpeg's searches: progressive alone takes six times as long for 7 % fewer bytes.
fn encode(pixels: &Pixels, quality: u8, huffman: Huffman) -> Result<Vec<u8>, NotEncodable> {
    let encode = || -> std::io::Result<Vec<u8>> {
        let mut compress = Compress::new(ColorSpace::JCS_RGB);
        compress.set_fastest_defaults();
        compress.set_size(pixels.width() as usize, pixels.height() as usize);
        compress.set_quality(f32::from(quality.clamp(1, 100)));
        compress.set_chroma_sampling_pixel_sizes((2, 2), (2, 2));
        compress.set_optimize_coding(huffman == Huffman::Fitted);
        let mut started = compress.start_compress(Vec::new())?;
        started.write_scanlines(pixels.data())?;
        started.finish()
    };
    // libjpeg reports errors by unwinding.
    std::panic::catch_unwind(encode)
        .ok()
        .and_then(Result::ok)
        .ok_or(NotEncodable { width: pixels.width(), height: pixels.height() })
}
