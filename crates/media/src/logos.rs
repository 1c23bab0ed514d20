//! Logos of studios: small, on what they are made for, and without what their files say about themselves.

mod transparency;

use domain::photos::ImageFormat;
use domain::photos::pixels::Pixels;
use domain::studio::studios::Ground;

use crate::decoders::{self, Picture};
use crate::pictures::{NotEncodable, Unreadable, encode_jpeg, resize};
pub use transparency::Transparent;

/// The longest side of a logo as it is kept, in pixels: a print has it 40 mm wide.
pub const LONG_SIDE: u32 = 800;
/// libjpeg's scale; logos have edges and few colours.
const QUALITY: u8 = 92;
/// A sample below this is seen on white.
const SEEN: u8 = 200;
/// A sample above this is seen on the brightest surface of a dark theme, as well as the other on white.
const SEEN_ON_DARK: u8 = 70;
/// A PNG file above this is made of a smaller picture: guests on the road load it with the page.
const PNG_BYTES: usize = 400_000;
/// One pixel in so many that is seen is enough.
const SHARE: usize = 500;

/// A logo as guests get it: JPEG on white, or PNG with its transparency for dark grounds.
pub struct Logo {
    /// The file.
    pub bytes: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Why there is no logo.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// The file is neither PNG nor JPEG.
    #[error("neither PNG nor JPEG")]
    Format,
    /// It cannot be read as a picture.
    #[error(transparent)]
    Unreadable(Unreadable),
    /// Nothing of it can be seen on what it is for.
    #[error("nothing of it can be seen")]
    Invisible,
    /// It could not be written.
    #[error(transparent)]
    NotEncodable(#[from] NotEncodable),
    /// It could not be read for another reason than its own.
    #[error(transparent)]
    Decoder(#[from] decoders::Error),
}

/// Validates a file as every upload is, and makes the logo of it: upright, in sRGB, and over white where it is transparent if
/// that is what it is for.
pub fn make(file: &mut Picture, ground: Ground) -> Result<Logo, Unfit> {
    let format = match file.examine()? {
        Ok(examined) => examined.inspected.format,
        Err(Unreadable::NotAnImage | Unreadable::Foreign(_)) => return Err(Unfit::Format),
        Err(unreadable) => return Err(Unfit::Unreadable(unreadable)),
    };
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
        return Err(Unfit::Format);
    }
    match ground {
        Ground::Light => on_white(file),
        Ground::Dark => transparent(file),
    }
}

fn on_white(file: &mut Picture) -> Result<Logo, Unfit> {
    let pixels = resize(&file.decode(LONG_SIDE, None)?.map_err(Unfit::Unreadable)?, LONG_SIDE);
    if !has_seen(&pixels, |sample| sample < SEEN) {
        return Err(Unfit::Invisible);
    }
    let (width, height) = (pixels.width(), pixels.height());
    Ok(Logo { bytes: encode_jpeg(&pixels, QUALITY)?, width, height })
}

fn transparent(file: &mut Picture) -> Result<Logo, Unfit> {
    let picture = Transparent::read(file, LONG_SIDE)?.map_err(Unfit::Unreadable)?;
    let mut side = LONG_SIDE;
    loop {
        let small = picture.resized(side);
        if !has_seen(small.on_black(), |sample| sample > SEEN_ON_DARK) {
            return Err(Unfit::Invisible);
        }
        let bytes = small.to_png()?;
        if bytes.len() <= PNG_BYTES || side <= LONG_SIDE / 4 {
            return Ok(Logo { bytes, width: small.width(), height: small.height() });
        }
        side /= 2;
    }
}

fn has_seen(pixels: &Pixels, is_seen: impl Fn(u8) -> bool) -> bool {
    let all = pixels.data().len() / 3;
    let seen =
        pixels.data().chunks_exact(3).filter(|pixel| pixel.iter().any(|sample| is_seen(*sample))).count();
    seen >= (all / SHARE).max(1)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat as Encoding, Rgba, RgbaImage};

    use super::*;
    use crate::decoders::{Decoders, Priority};
    use crate::pictures::{decode, inspect};
    use crate::temp_files::Contents;

    fn opened(file: &[u8]) -> Picture {
        Decoders::in_process().open(Contents::InMemory(file.to_vec().into()), Priority::Foreground)
    }

    fn made(file: &[u8]) -> Result<Logo, Unfit> {
        make(&mut opened(file), Ground::Light)
    }

    fn made_for_dark(file: &[u8]) -> Result<Logo, Unfit> {
        make(&mut opened(file), Ground::Dark)
    }

    /// A red bar on nothing.
    fn picture(encoding: Encoding, color: [u8; 4]) -> Vec<u8> {
        let picture = RgbaImage::from_fn(1600, 400, |x, _| Rgba(if x < 800 { color } else { [0, 0, 0, 0] }));
        let mut bytes = Cursor::new(Vec::new());
        image::DynamicImage::ImageRgba8(picture).write_to(&mut bytes, encoding).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_logo_is_small_and_on_white() {
        // [BRAND014]
        let file = picture(Encoding::Png, [200, 0, 0, 255]);
        let logo = made(&file).unwrap();
        assert_eq!((logo.width, logo.height), (800, 200));
        let inspected = inspect(&logo.bytes).unwrap();
        assert_eq!((inspected.format, inspected.width), (ImageFormat::Jpeg, 800));
        let kept = decode(&logo.bytes, LONG_SIDE).unwrap();
        let at = |x: usize| kept.data()[(100 * 800 + x) * 3..][..3].to_vec();
        assert!(at(100).iter().zip([200_u8, 0, 0]).all(|(is, was)| is.abs_diff(was) < 6), "{:?}", at(100));
        assert!(at(700).iter().all(|sample| *sample > 250), "{:?}", at(700));
    }

    #[test]
    fn what_cannot_be_a_logo_says_why() {
        // [BRAND030]
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec();
        let png = picture(Encoding::Png, [200, 0, 0, 255]);
        for (file, expected) in [
            (svg, Unfit::Format),
            (picture(Encoding::Gif, [200, 0, 0, 255]), Unfit::Format),
            (png[..png.len() / 2].to_vec(), Unfit::Unreadable(Unreadable::Truncated)),
            (picture(Encoding::Png, [255, 255, 255, 255]), Unfit::Invisible),
            (picture(Encoding::Png, [0, 0, 0, 9]), Unfit::Invisible),
        ] {
            let unfit = made(&file).err().unwrap();
            assert_eq!(format!("{unfit:?}"), format!("{expected:?}"));
        }
    }

    #[test]
    fn a_logo_for_dark_grounds_keeps_its_transparency() {
        // [BRAND040]
        let logo = made_for_dark(&picture(Encoding::Png, [255, 200, 255, 128])).unwrap();
        assert_eq!((logo.width, logo.height), (800, 200));
        assert_eq!(inspect(&logo.bytes).unwrap().format, ImageFormat::Png);
        let kept = image::load_from_memory(&logo.bytes).unwrap().to_rgba8();
        let (bar, nothing) = (kept.get_pixel(100, 100).0, kept.get_pixel(700, 100).0);
        assert!(bar.iter().zip([255, 200, 255, 128]).all(|(is, was)| is.abs_diff(was) < 3), "{bar:?}");
        assert_eq!(nothing[3], 0);
        // What is opaque stays so.
        let photo = made_for_dark(&picture(Encoding::Bmp, [9, 9, 9, 255])).err().unwrap();
        assert_eq!(format!("{photo:?}"), "Format");
        let whole = RgbaImage::from_pixel(40, 40, Rgba([250, 250, 250, 255]));
        let mut jpeg = Cursor::new(Vec::new());
        image::DynamicImage::ImageRgb8(image::DynamicImage::ImageRgba8(whole).to_rgb8())
            .write_to(&mut jpeg, Encoding::Jpeg)
            .unwrap();
        let kept = image::load_from_memory(&made_for_dark(&jpeg.into_inner()).unwrap().bytes).unwrap();
        assert!(kept.to_rgba8().pixels().all(|pixel| pixel.0[3] == 255 && pixel.0[0] > 240));
    }

    #[test]
    fn what_cannot_be_seen_on_dark_is_refused_there_and_white_is_not() {
        // [BRAND041]
        for (color, is_fit) in [
            ([255, 255, 255, 255], true),
            ([0, 0, 255, 255], true),
            ([0, 0, 0, 255], false),
            ([40, 44, 52, 255], false),
            ([255, 255, 255, 9], false),
        ] {
            let made = made_for_dark(&picture(Encoding::Png, color));
            assert_eq!(made.is_ok(), is_fit, "{color:?}");
            assert!(made.err().is_none_or(|unfit| matches!(unfit, Unfit::Invisible)));
        }
    }

    #[test]
    fn a_large_file_is_made_of_a_smaller_picture() {
        let noise = |x: u32, y: u32, by: u32| {
            (x.wrapping_mul(by) ^ y.wrapping_mul(40_503)).wrapping_mul(2_654_435_761) >> 24
        };
        let picture = RgbaImage::from_fn(900, 900, |x, y| {
            Rgba([7, 11, 13, 17].map(|by| u8::try_from(noise(x, y, by)).unwrap()))
        });
        let mut bytes = Cursor::new(Vec::new());
        image::DynamicImage::ImageRgba8(picture).write_to(&mut bytes, Encoding::Png).unwrap();
        let logo = made_for_dark(&bytes.into_inner()).unwrap();
        assert!(logo.width < 800 && logo.bytes.len() < PNG_BYTES, "{} {}", logo.width, logo.bytes.len());
    }
}
