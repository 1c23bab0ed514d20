//! Smaller pictures: resized in linear light, written as JPEG without any metadata.

use std::sync::LazyLock;

use domain::photos::Size;
use domain::pixels::Pixels;
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{
    FilterType, PixelComponentMapper, PixelType, ResizeAlg, ResizeOptions, Resizer, create_srgb_mapper,
};
use mozjpeg::{ColorSpace, Compress};

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
const PREVIEW_QUALITY: u8 = 85;
/// What a phone shows in full and a desk in a grid.
const MEDIUM_QUALITY: u8 = 82;
/// Thumbnails are seen by the dozen on mobile networks.
const THUMBNAIL_QUALITY: u8 = 80;

/// A picture that JPEG cannot represent: a side above 65,500 pixels, or no memory left.
#[derive(Debug, thiserror::Error)]
#[error("a picture of {width} by {height} pixels cannot be written as JPEG")]
pub struct NotEncodable {
    width: u32,
    height: u32,
}

/// Makes a photo's renditions, each from the pixels of the one before.
pub fn renditions(pixels: &Pixels) -> Result<Renditions, NotEncodable> {
    let preview = resize(pixels, long_side(Size::Preview));
    let medium = resize(&preview, long_side(Size::Medium));
    let thumbnail = resize(&medium, long_side(Size::Thumbnail));
    Ok(Renditions {
        preview: rendition(&preview, PREVIEW_QUALITY)?,
        medium: rendition(&medium, MEDIUM_QUALITY)?,
        thumbnail: rendition(&thumbnail, THUMBNAIL_QUALITY)?,
    })
}

/// Makes the rendition of medium size from the pixels of a preview.
pub(super) fn medium_of(preview: &Pixels) -> Result<Rendition, NotEncodable> {
    rendition(&resize(preview, long_side(Size::Medium)), MEDIUM_QUALITY)
}

fn long_side(size: Size) -> u32 {
    size.long_side().unwrap_or(u32::MAX)
}

fn rendition(pixels: &Pixels, quality: u8) -> Result<Rendition, NotEncodable> {
    Ok(Rendition { jpeg: encode_jpeg(pixels, quality)?, width: pixels.width(), height: pixels.height() })
}

/// From this reduction on, averaging is done in linear light. Below it no output pixel is made of more than a few, the
/// difference cannot be seen, and 16-bit samples take four times as long.
const LINEAR_FROM: f64 = 1.5;

/// Shrinks a picture to a long side of `long_side` pixels; a smaller one is left as it is.
///
/// A strong reduction averages linear light, as averaging sRGB's own numbers would darken fine bright detail; it takes 6
/// bytes a pixel of `pixels` beside it.
pub fn resize(pixels: &Pixels, long_side: u32) -> Pixels {
    if pixels.long_side() <= long_side.max(1) {
        return pixels.clone();
    }
    let reduction = f64::from(pixels.long_side()) / f64::from(long_side.max(1));
    let scaled = |side: u32| ((f64::from(side) / reduction).round() as u32).max(1);
    let (width, height) = (scaled(pixels.width()), scaled(pixels.height()));
    let small = if reduction < LINEAR_FROM {
        shrink(pixels, width, height)
    } else {
        shrink_light(pixels, width, height)
    };
    // The buffers have the sizes that are asked for, so this cannot fail.
    small.unwrap_or_else(|| pixels.clone())
}

static SRGB: LazyLock<PixelComponentMapper> = LazyLock::new(create_srgb_mapper);

fn shrink(pixels: &Pixels, width: u32, height: u32) -> Option<Pixels> {
    let stored = ImageRef::new(pixels.width(), pixels.height(), pixels.data(), PixelType::U8x3).ok()?;
    let mut small = Image::new(width, height, PixelType::U8x3);
    Resizer::new().resize(&stored, &mut small, &options()).ok()?;
    Pixels::new(width, height, small.into_vec())
}

fn shrink_light(pixels: &Pixels, width: u32, height: u32) -> Option<Pixels> {
    let stored = ImageRef::new(pixels.width(), pixels.height(), pixels.data(), PixelType::U8x3).ok()?;
    let mut light = Image::new(pixels.width(), pixels.height(), PixelType::U16x3);
    SRGB.forward_map(&stored, &mut light).ok()?;
    let mut small_light = Image::new(width, height, PixelType::U16x3);
    Resizer::new().resize(&light, &mut small_light, &options()).ok()?;
    let mut small = Image::new(width, height, PixelType::U8x3);
    SRGB.backward_map(&small_light, &mut small).ok()?;
    Pixels::new(width, height, small.into_vec())
}

fn options() -> ResizeOptions {
    ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom)).use_alpha(false)
}

/// Writes a JPEG of `quality` 1 to 100 on libjpeg's scale, 4:2:0, without metadata: its samples are sRGB, the default.
///
/// Baseline: progressive takes twice as long for 7 % fewer bytes.
pub fn encode_jpeg(pixels: &Pixels, quality: u8) -> Result<Vec<u8>, NotEncodable> {
    let encode = || -> std::io::Result<Vec<u8>> {
        let mut compress = Compress::new(ColorSpace::JCS_RGB);
        compress.set_fastest_defaults();
        compress.set_size(pixels.width() as usize, pixels.height() as usize);
        compress.set_quality(f32::from(quality.clamp(1, 100)));
        compress.set_chroma_sampling_pixel_sizes((2, 2), (2, 2));
        compress.set_optimize_coding(true);
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
