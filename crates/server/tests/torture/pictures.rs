//! Photos that all show the same person, small ones, and no two of the same bytes.

use std::path::Path;

use image::ImageFormat;
use image::imageops::FilterType;

/// Of the pictures that `make pictures` fetches, those in which the selfie's person is found.
const PHOTOS: [&str; 2] = ["obama.jpg", "obama2.jpg"];
const SELFIE: &str = "obama.jpg";
/// Large enough for faces to be found, small enough for hundreds of rounds.
const LONG_SIDE: u32 = 480;

/// The pictures of all rounds.
pub(crate) struct Pictures {
    photos: Vec<Vec<u8>>,
    pub(crate) selfie: Vec<u8>,
}

impl Pictures {
    pub(crate) fn load(folder: &Path) -> Self {
        let small = |name: &str| {
            let path = folder.join(name);
            let picture = image::open(&path)
                .unwrap_or_else(|error| panic!("{}: {error}. Run `make pictures`.", path.display()));
            let mut jpeg = std::io::Cursor::new(Vec::new());
            let small = picture.resize(LONG_SIDE, LONG_SIDE, FilterType::Triangle).to_rgb8();
            small.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
            jpeg.into_inner()
        };
        Self { photos: PHOTOS.map(small).into(), selfie: small(SELFIE) }
    }

    /// The photo of this name: the same bytes for the same name, and for no other.
    pub(crate) fn photo(&self, name: &str) -> Vec<u8> {
        let sum: usize = name.bytes().map(usize::from).sum();
        let photo = &self.photos[sum % self.photos.len()];
        // After the marker that starts a JPEG, a comment segment (ITU-T T.81, B.2.4.5), whose length counts itself.
        let length = u16::try_from(name.len() + 2).unwrap().to_be_bytes();
        [&photo[..2], &[0xFF, 0xFE], &length, name.as_bytes(), &photo[2..]].concat()
    }
}
