//! The files of photos: their formats, sizes and keys in the media store.

use sha2::{Digest, Sha256};

use crate::PhotoId;
use crate::operations::runtime::randomness::{ALPHABET, Randomness};

/// The image formats that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageFormat {
    /// JPEG (ISO/IEC 10918).
    Jpeg,
    /// PNG.
    Png,
    /// GIF; its first frame is the picture.
    Gif,
    /// Windows bitmap.
    Bmp,
    /// TIFF; its first page is the picture.
    Tiff,
    /// WebP.
    WebP,
    /// HEIF with HEVC inside (ISO/IEC 23008-12), as phones write it.
    Heic,
    /// HEIF with a still picture of AV1 inside (AV1 Image File Format).
    Avif,
}

impl ImageFormat {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Jpeg, Self::Png, Self::Gif, Self::Bmp, Self::Tiff, Self::WebP, Self::Heic, Self::Avif];

    /// The media type of a file of this format (IANA registry); its name in the database as well.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Bmp => "image/bmp",
            Self::Tiff => "image/tiff",
            Self::WebP => "image/webp",
            Self::Heic => "image/heic",
            Self::Avif => "image/avif",
        }
    }

    /// The file name extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Bmp => "bmp",
            Self::Tiff => "tiff",
            Self::WebP => "webp",
            Self::Heic => "heic",
            Self::Avif => "avif",
        }
    }

    /// Parses the name in the database.
    pub fn from_media_type(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.media_type() == text)
    }
}

/// One of a photo's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// The bytes as they were uploaded.
    Original,
    /// Long side 2048, JPEG.
    Preview,
    /// Long side 1024, JPEG.
    Medium,
    /// Long side 480, JPEG.
    Thumbnail,
}

impl Size {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Original, Self::Preview, Self::Medium, Self::Thumbnail];

    /// Those that are made of the original.
    pub const RENDITIONS: [Self; 3] = [Self::Preview, Self::Medium, Self::Thumbnail];

    /// Its name in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Preview => "preview",
            Self::Medium => "medium",
            Self::Thumbnail => "thumbnail",
        }
    }

    /// Parses the name in the contract.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.as_str() == text)
    }

    /// The long side of this rendition in pixels; none for the original.
    pub const fn long_side(self) -> Option<u32> {
        match self {
            Self::Original => None,
            Self::Preview => Some(2048),
            Self::Medium => Some(1024),
            Self::Thumbnail => Some(480),
        }
    }
}

/// How many letters of an original's name are random, and of a rendition's derived from it.
const SECRET_LENGTH: usize = 32;
/// What follows them, before the photo's id.
const ID_SEPARATOR: char = '-';
/// What follows the photo's id in the name of a file that has taken another's place, before the number of the replacement.
const REVISION_SEPARATOR: char = '_';

/// The key of a file in the media store, such as `originals/7hq…x-0193….jpg`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaKey(String);

impl MediaKey {
    /// The key of a new original: 32 random characters (158 bits), the photo's id, and the format's extension.
    pub fn original(randomness: &Randomness, photo: PhotoId, format: ImageFormat) -> Self {
        Self(format!(
            "originals/{}{ID_SEPARATOR}{photo}.{}",
            randomness.alphanumeric(SECRET_LENGTH),
            format.extension()
        ))
    }

    /// The key of the original that takes the place of this one: random as well, with the number of the replacement.
    #[must_use]
    pub fn replaced(&self, randomness: &Randomness, photo: PhotoId, format: ImageFormat) -> Self {
        Self(format!(
            "originals/{}{ID_SEPARATOR}{photo}{REVISION_SEPARATOR}{}.{}",
            randomness.alphanumeric(SECRET_LENGTH),
            self.revision().saturating_add(1),
            format.extension()
        ))
    }

    /// The photo that the name has; none for files of a version whose names had none.
    pub fn photo(&self) -> Option<PhotoId> {
        let (_, named) = self.stem().split_once(ID_SEPARATOR)?;
        named.split(REVISION_SEPARATOR).next()?.parse().ok()
    }

    /// How often the photo's original had been replaced when this one was put: with it every version of a photo has links of
    /// its own.
    pub fn revision(&self) -> u32 {
        let number = self.stem().split_once(REVISION_SEPARATOR).and_then(|(_, number)| number.parse().ok());
        number.unwrap_or_default()
    }

    /// From the database, the store's listing or a link. Nothing is checked.
    pub fn from_trusted(text: String) -> Self {
        Self(text)
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the file: random, with the extension of its format.
    pub fn filename(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The file's name without its extension.
    fn stem(&self) -> &str {
        let name = self.filename();
        name.split('.').next().unwrap_or(name)
    }

    /// The key of a rendition, from that of its original. A hash of the original's name takes the place of what is random in
    /// it, so that no rendition's name gives another file's away. In names without a photo's id, those of an earlier version, it
    /// is the same.
    pub fn sized(&self, size: Size) -> Self {
        let folder = match size {
            Size::Original => return self.clone(),
            Size::Preview => "previews",
            Size::Medium => "mediums",
            Size::Thumbnail => "thumbnails",
        };
        let stem = self.stem();
        match stem.split_once(ID_SEPARATOR) {
            None => Self(format!("{folder}/{stem}.jpg")),
            Some((_, photo)) => {
                let digest = Sha256::digest(format!("{folder}/{stem}"));
                let letters = digest.iter().take(SECRET_LENGTH);
                let derived: String =
                    letters.map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).collect();
                Self(format!("{folder}/{derived}{ID_SEPARATOR}{photo}.jpg"))
            }
        }
    }

    /// The size of the file, derived from its folder.
    pub fn size(&self) -> Option<Size> {
        match self.0.split_once('/')?.0 {
            "originals" => Some(Size::Original),
            "previews" => Some(Size::Preview),
            "mediums" => Some(Size::Medium),
            "thumbnails" => Some(Size::Thumbnail),
            _ => None,
        }
    }

    /// The keys that the original of a file without a photo's id in its name may have: its own, or, for a rendition, whose name
    /// does not tell the original's extension, one for each extension.
    pub fn originals(&self) -> Vec<Self> {
        if self.size() == Some(Size::Original) {
            return vec![self.clone()];
        }
        let stem = self.stem();
        ImageFormat::ALL.map(|format| Self(format!("originals/{stem}.{}", format.extension()))).into()
    }

    /// The media type of its extension.
    pub fn media_type(&self) -> Option<&'static str> {
        let extension = self.0.rsplit('.').next()?;
        ImageFormat::ALL
            .into_iter()
            .find(|format| format.extension() == extension)
            .map(ImageFormat::media_type)
    }
}

impl std::fmt::Display for MediaKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::ids::Id as _;

    #[test]
    fn keys_are_random_and_no_name_of_a_file_gives_another_away() {
        // [GAL032] [GAL126]
        let randomness = Randomness::seeded(1);
        let id = PhotoId::from_parts(Timestamp::from_millis(1), [7; 10]);
        let key = MediaKey::original(&randomness, id, ImageFormat::Png);
        let name = key.as_str().strip_prefix("originals/").unwrap();
        let secret = name.strip_suffix(&format!("-{id}.png")).unwrap().to_owned();
        assert_eq!(secret.len(), SECRET_LENGTH);
        assert_ne!(key, MediaKey::original(&randomness, id, ImageFormat::Png));
        let keys = Size::ALL.map(|size| key.sized(size));
        assert_eq!(keys[0], key);
        let mut secrets = std::collections::HashSet::new();
        for (key, size) in keys.iter().zip(Size::ALL) {
            assert_eq!((key.size(), key.photo()), (Some(size), Some(id)));
            assert!(secrets.insert(key.stem().split_once('-').unwrap().0.to_owned()), "{key}");
        }
        assert!(secrets.iter().all(|secret| secret.len() == SECRET_LENGTH));
        assert_eq!(key.media_type(), Some("image/png"));
        assert_eq!(key.sized(Size::Preview).media_type(), Some("image/jpeg"));
    }

    #[test]
    fn files_of_the_version_before_keep_their_names() {
        let key = MediaKey::from_trusted(String::from("originals/7hqa3.png"));
        assert_eq!(key.photo(), None);
        assert_eq!(key.sized(Size::Thumbnail).as_str(), "thumbnails/7hqa3.jpg");
        assert!(key.sized(Size::Thumbnail).originals().contains(&key));
    }

    #[test]
    fn the_key_of_a_replacement_is_another_of_the_same_photo() {
        let randomness = Randomness::seeded(1);
        let id = PhotoId::from_parts(Timestamp::from_millis(1), [7; 10]);
        let first = MediaKey::original(&randomness, id, ImageFormat::Jpeg);
        let second = first.replaced(&randomness, id, ImageFormat::Png);
        let third = second.replaced(&randomness, id, ImageFormat::Jpeg);
        assert_eq!([&first, &second, &third].map(MediaKey::revision), [0, 1, 2]);
        assert!(second.as_str().ends_with(&format!("-{id}_1.png")), "{second}");
        for size in Size::ALL {
            let keys = [&first, &second, &third].map(|key| key.sized(size));
            assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
            assert!(keys.iter().all(|key| key.photo() == Some(id) && key.size() == Some(size)));
            assert_eq!(keys.each_ref().map(MediaKey::revision), [0, 1, 2]);
        }
        // A file of a version whose names had no id gets one.
        let old = MediaKey::from_trusted(String::from("originals/7hqa3.png"));
        let new = old.replaced(&randomness, id, ImageFormat::Png);
        assert_eq!((old.revision(), new.revision(), new.photo()), (0, 1, Some(id)));
    }
}
