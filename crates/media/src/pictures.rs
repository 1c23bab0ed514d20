//! Pictures: formats, pixels, and renditions.
//!
//! Everything here blocks. Bytes are untrusted: no input panics, and no input takes more working memory than
//! [`MAX_WORKING_BYTES`] beside the bytes themselves. What a picture of 200 megapixels takes:
//!
//! | format | working memory |
//! |---|---|
//! | JPEG, baseline | a few rows |
//! | JPEG, progressive or of several scans | 2 bytes a sample: 600 MB (4:2:0) to 1.6 GB (CMYK) |
//! | PNG, GIF | a few rows |
//! | TIFF | one strip or tile, which may be the whole picture: 600 MB at 8 bits a channel, 1.2 GB at 16 |
//! | BMP | 600 MB, 800 MB with alpha |
//! | WebP | 1.2 GB lossy, 1.4 GB lossless |
//! | HEIC | 1.6 GB |
//! | AVIF | 700 MB at 8 bits, 1 GB at more, 4:2:0; more with more colour, and with transparency; of a grid, one tile |
//!
//! [`decode`] adds its result, whose long side is below twice what was asked for. Judge one or two at a time.

mod appearance;
mod avif;
mod bmp;
mod canvas;
mod colour;
mod endings;
mod errors;
mod faces;
mod foreign;
mod gif;
mod heif;
pub(crate) mod jpeg;
mod limits;
mod memory;
mod orientation;
mod png;
mod renditions;
mod resampling;
mod tiff;
mod webp;

use std::panic::{AssertUnwindSafe, catch_unwind};

use domain::photos::pixels::{Color, Pixels};
use domain::photos::{ImageFormat, Size};

use canvas::{Content, DecodePurpose, Decoded};

pub use appearance::appearance;
pub use endings::{End, end, looks_whole};
pub use errors::{Foreign, Unreadable};
pub use faces::{SIDE as FACE_SIDE, face};
pub use limits::{Limits, MAX_WORKING_BYTES};
pub(crate) use orientation::Orientation;
pub use renditions::{
    NotEncodable, Rendition, Renditions, encode_again, encode_jpeg, medium, preview, renditions, resize,
    thumbnail,
};

/// At this long side, or more, a preview is decoded in full.
pub const PREVIEW_LONG_SIDE: u32 = match Size::Preview.long_side() {
    Some(pixels) => pixels,
    None => u32::MAX,
};

/// What bytes turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inspected {
    /// Their format.
    pub format: ImageFormat,
    /// Width in pixels once the picture stands upright.
    pub width: u32,
    /// Height in pixels once the picture stands upright.
    pub height: u32,
    /// About its average color; none for an uncompressed BMP, which is not decoded.
    pub average_color: Option<Color>,
}

/// Validates a file by its bytes: its format, its size upright, and that the picture is complete and decodes.
///
/// The size is read from the header and refused above [`domain::photos::MAX_PIXELS`] before anything is decoded. JPEG is decoded at an
/// eighth of its size with all its entropy-coded data, the others in full; nothing of the picture is retained.
/// What follows the end of a picture is ignored: cameras append previews to a JPEG.
pub fn inspect(bytes: &[u8]) -> Result<Inspected, Unreadable> {
    let format = known(bytes)?;
    let decoded = read(bytes, format, DecodePurpose::Validate)?;
    let (width, height) = decoded.orientation.upright(decoded.width, decoded.height);
    let average_color = match decoded.content {
        Content::NotDecoded => None,
        Content::Average(color) => Some(color),
        Content::Pixels(pixels) => Some(pixels.average_color()),
    };
    Ok(Inspected { format, width, height, average_color })
}

/// The picture upright, in sRGB, over white where it is transparent.
///
/// Its long side is at least `at_least` pixels, or what the picture has when that is less, and below twice `at_least`
/// unless the picture cannot be decoded that small (JPEG shrinks to an eighth at most).
pub fn decode(bytes: &[u8], at_least: u32) -> Result<Pixels, Unreadable> {
    let format = known(bytes)?;
    upright(read(bytes, format, DecodePurpose::Pixels { at_least: at_least.max(1) })?)
}

/// The same over black where a PNG file is transparent.
pub fn decode_on_black(bytes: &[u8], at_least: u32) -> Result<Pixels, Unreadable> {
    if known(bytes)? != ImageFormat::Png {
        return decode(bytes, at_least);
    }
    let purpose = DecodePurpose::Pixels { at_least: at_least.max(1) };
    let read = || png::read_on_black(bytes, purpose);
    upright(catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(Unreadable::Damaged))?)
}

fn upright(decoded: Decoded) -> Result<Pixels, Unreadable> {
    match decoded.content {
        Content::Pixels(pixels) => Ok(decoded.orientation.apply(pixels)),
        Content::NotDecoded | Content::Average(_) => Err(Unreadable::Damaged),
    }
}

/// The picture as [`decode`] has it, within the caller's own limits. They are checked by the headers, before anything is
/// decoded.
pub fn decode_within(bytes: &[u8], at_least: u32, limits: &Limits) -> Result<Pixels, Unreadable> {
    let format = known(bytes)?;
    let purpose = DecodePurpose::Pixels { at_least: at_least.max(1) };
    catch_unwind(AssertUnwindSafe(|| memory::check(bytes, format, purpose, limits)))
        .unwrap_or(Err(Unreadable::Damaged))?;
    decode(bytes, at_least)
}

/// About how many bytes [`decode`] takes beside those of the file, by its headers: nothing is decoded.
pub fn decode_memory(bytes: &[u8], at_least: u32) -> u64 {
    memory_for(bytes, DecodePurpose::Pixels { at_least: at_least.max(1) })
}

/// About how many bytes [`inspect`] takes beside those of the file, by its headers: nothing is decoded.
pub fn inspect_memory(bytes: &[u8]) -> u64 {
    memory_for(bytes, DecodePurpose::Validate)
}

fn memory_for(bytes: &[u8], purpose: DecodePurpose) -> u64 {
    let Some(format) = recognise(bytes) else { return 0 };
    // What a parser cannot stand is refused when it is decoded.
    catch_unwind(AssertUnwindSafe(|| memory::needed(bytes, format, purpose))).unwrap_or(0)
}

/// The format, or what else it is.
fn known(bytes: &[u8]) -> Result<ImageFormat, Unreadable> {
    recognise(bytes).ok_or_else(|| foreign::unrecognised(bytes))
}

/// The format by its magic bytes.
fn recognise(bytes: &[u8]) -> Option<ImageFormat> {
    match bytes {
        [0xFF, 0xD8, 0xFF, ..] => Some(ImageFormat::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(ImageFormat::Png),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(ImageFormat::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(ImageFormat::WebP),
        // 43 is BigTIFF.
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(ImageFormat::Tiff),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] if heif::recognise(bytes) => Some(ImageFormat::Heic),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => avif::recognise(bytes).then_some(ImageFormat::Avif),
        [b'B', b'M', ..] => bmp::recognise(bytes).then_some(ImageFormat::Bmp),
        _ => None,
    }
}

fn read(bytes: &[u8], format: ImageFormat, purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    let decoder = match format {
        ImageFormat::Jpeg => jpeg::read,
        ImageFormat::Png => png::read,
        ImageFormat::Gif => gif::read,
        ImageFormat::Bmp => bmp::read,
        ImageFormat::Tiff => tiff::read,
        ImageFormat::WebP => webp::read,
        ImageFormat::Heic => heif::read,
        ImageFormat::Avif => avif::read,
    };
    // libjpeg reports errors by unwinding, and a codec's own bug must cost one photo, not the server.
    catch_unwind(AssertUnwindSafe(|| decoder(bytes, purpose))).unwrap_or(Err(Unreadable::Damaged))
}
