//! Logos of studios: small, on white, and without what their files say about themselves.

use domain::photos::ImageFormat;
use domain::photos::pixels::Pixels;

use crate::decoders::{self, Picture};
use crate::pictures::{NotEncodable, Unreadable, encode_jpeg, resize};

/// The longest side of a logo as it is kept, in pixels: a print has it 40 mm wide.
pub const LONG_SIDE: u32 = 800;
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

/// Why there is no logo.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// The file is neither PNG nor JPEG.
    #[error("neither PNG nor JPEG")]
    Format,
    /// It cannot be read as a picture.
    #[error(transparent)]
    Unreadable(Unreadable),
    /// Nothing of it can be seen on white.
    #[error("nothing of it can be seen")]
    Invisible,
    /// It could not be written.
    #[error(transparent)]
    NotEncodable(#[from] NotEncodable),
    /// It could not be read for another reason than its own.
    #[error(transparent)]
    Decoder(#[from] decoders::Error),
}

/// Validates a file as every upload is, and makes the logo of it: upright, in sRGB, over white where it is transparent.
pub fn make(file: &mut Picture) -> Result<Logo, Unfit> {
    let format = match file.examine()? {
        Ok(examined) => examined.inspected.format,
        Err(Unreadable::NotAnImage | Unreadable::Foreign(_)) => return Err(Unfit::Format),
        Err(unreadable) => return Err(Unfit::Unreadable(unreadable)),
    };
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
        return Err(Unfit::Format);
    }
    let pixels = resize(&file.decode(LONG_SIDE, None)?.map_err(Unfit::Unreadable)?, LONG_SIDE);
    if !is_seen(&pixels) {
        return Err(Unfit::Invisible);
    }
    let (width, height) = (pixels.width(), pixels.height());
    Ok(Logo { bytes: encode_jpeg(&pixels, QUALITY)?, width, height })
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
    use crate::decoders::{Decoders, Priority};
    use crate::pictures::{decode, inspect};
    use crate::temp_files::Contents;

    fn made(file: &[u8]) -> Result<Logo, Unfit> {
        let contents = Contents::InMemory(file.to_vec().into());
        make(&mut Decoders::in_process().open(contents, Priority::Foreground))
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
}
