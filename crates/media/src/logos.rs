//! Logos of studios: small, on white, and without what their files say about themselves.

use domain::photos::ImageFormat;
use domain::photos::pixels::Pixels;

use crate::pictures::{NotEncodable, Unreadable, decode, decode_memory, encode_jpeg, inspect, resize};

/// The longest side of a logo as it is kept, in pixels: a print has it 40 mm wide.
const LONG_SIDE: u32 = 800;
/// libjpeg's scale; logos have edges and few colours.
const QUALITY: u8 = 92;
/// A sample below this is seen on white.
const SEEN: u8 = 200;
/// One pixel in so many that is seen is enough.
const SHARE: usize = 500;

/// A logo as guests get it: JPEG.
pub struct Logo {
    /// The file.
    pub bytes: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Why a file cannot be a logo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Neither PNG nor JPEG.
    Format,
    /// It cannot be read as a picture.
    Unreadable(Unreadable),
    /// Nothing of it can be seen on white.
    Invisible,
}

/// Validates a file as every upload is, and makes the logo of it: upright, in sRGB, over white where it is transparent.
pub fn make(bytes: &[u8]) -> Result<Result<Logo, NotEncodable>, Unfit> {
    let format = match inspect(bytes) {
        Ok(inspected) => inspected.format,
        Err(Unreadable::NotAnImage) => return Err(Unfit::Format),
        Err(unreadable) => return Err(Unfit::Unreadable(unreadable)),
    };
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
        return Err(Unfit::Format);
    }
    let pixels = resize(&decode(bytes, LONG_SIDE).map_err(Unfit::Unreadable)?, LONG_SIDE);
    if !is_seen(&pixels) {
        return Err(Unfit::Invisible);
    }
    let (width, height) = (pixels.width(), pixels.height());
    Ok(encode_jpeg(&pixels, QUALITY).map(|bytes| Logo { bytes, width, height }))
}

/// About how many bytes [`make`] takes beside those of the file.
pub fn memory(bytes: &[u8]) -> u64 {
    decode_memory(bytes, LONG_SIDE)
}

/// The pixels of a logo that was made.
pub fn pixels(logo: &[u8]) -> Result<Pixels, Unreadable> {
    decode(logo, LONG_SIDE)
}

fn is_seen(pixels: &Pixels) -> bool {
    let all = pixels.data().len() / 3;
    let seen =
        pixels.data().chunks_exact(3).filter(|pixel| pixel.iter().any(|sample| *sample < SEEN)).count();
    seen >= (all / SHARE).max(1)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat as Encoding, Rgba, RgbaImage};

    use super::*;

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
        let logo = make(&file).unwrap().unwrap();
        assert_eq!((logo.width, logo.height), (800, 200));
        let inspected = inspect(&logo.bytes).unwrap();
        assert_eq!((inspected.format, inspected.width), (ImageFormat::Jpeg, 800));
        let made = pixels(&logo.bytes).unwrap();
        let at = |x: usize| made.data()[(100 * 800 + x) * 3..][..3].to_vec();
        assert!(at(100).iter().zip([200_u8, 0, 0]).all(|(is, was)| is.abs_diff(was) < 6), "{:?}", at(100));
        assert!(at(700).iter().all(|sample| *sample > 250), "{:?}", at(700));
        assert!(memory(&file) > 0);
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
            assert_eq!(make(&file).err(), Some(expected));
        }
    }
}
