//! Photos, their files and their state.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::captures::Capture;
use crate::clock::DAY;
use crate::photo_failures::PhotoFailure;
use crate::pixels::Color;
use crate::randomness::{ALPHABET, Randomness};
use crate::{AlbumId, EventId, PhotoId, Refusal, Timestamp, UserId};

/// Largest upload, in bytes: 100 MB of 1,048,576 bytes each.
pub const MAX_BYTES: u64 = 100 * 1_048_576;
/// Largest picture, in pixels.
pub const MAX_PIXELS: u64 = 200_000_000;
/// Longest file name that is stored, in Unicode code points; longer ones are shortened in the middle.
pub const FILENAME_LENGTH: usize = 255;

/// Most hashes that may be asked for in one call.
pub const MAX_HASHES: usize = 200;

/// How long a deleted photo can be restored.
pub const TRASH_PERIOD: Duration = DAY.saturating_mul(7);

/// An uploaded photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// Its id.
    pub id: PhotoId,
    /// The photographer.
    pub owner: UserId,
    /// The event it belongs to; none for the photographer's library.
    pub event: Option<EventId>,
    /// The key of its original in the media store. Random, so it names no person, and told to nobody.
    pub key: MediaKey,
    /// BLAKE3 of the original's bytes.
    pub content_hash: ContentHash,
    /// CRC-32 of the original's bytes, which ZIP files need; none for a photo that was uploaded before it was stored.
    pub crc32: Option<u32>,
    /// The name of the photographer's file.
    pub original_filename: String,
    /// The format of the original.
    pub format: ImageFormat,
    /// The size of the original.
    pub size_bytes: i64,
    /// Width in pixels after applying its orientation.
    pub width: i64,
    /// Height in pixels after applying its orientation.
    pub height: i64,
    /// How far its processing is.
    pub status: PhotoStatus,
    /// Why it could not be processed; none unless it failed.
    pub failure: Option<PhotoFailure>,
    /// How many faces were found.
    pub faces: i64,
    /// The average color of its picture; none for some that were uploaded before it was computed.
    pub average_color: Option<Color>,
    /// The size of its preview; none until it is made, and for some that were indexed before it was stored.
    pub preview_bytes: Option<i64>,
    /// CRC-32 of its preview's bytes, which ZIP files need; none until it is made, and for one of a version that did not store it.
    pub preview_crc32: Option<u32>,
    /// The size of its rendition of medium size; none while that is not made.
    pub medium_bytes: Option<i64>,
    /// How many guests said that it shows somebody else than them.
    pub not_me_reports: i64,
    /// The album of its event that it is in.
    pub album: Option<AlbumId>,
    /// How often guests have saved it, alone or in a ZIP.
    pub downloads: i64,
    /// How many hearts guests have put on it.
    pub hearts: i64,
    /// Whether no guest finds it, because somebody who is in it has asked for that.
    pub hidden: bool,
    /// What its file tells of its capture; nothing while a photo of a version before is not read again.
    pub capture: Capture,
    /// When it was uploaded.
    pub created_at: Timestamp,
}

impl Photo {
    /// The name under which its original is saved.
    pub fn filename(&self) -> String {
        format!("{}.{}", self.id, self.format.extension())
    }

    /// The name under which it is saved in web size.
    pub fn web_filename(&self) -> String {
        format!("{}-web.jpg", self.id)
    }

    /// The sizes of which a file is stored.
    pub fn sizes(&self) -> Vec<Size> {
        let is_stored = |size: &Size| match size {
            Size::Original => true,
            Size::Preview | Size::Thumbnail => self.status == PhotoStatus::Ready,
            Size::Medium => self.status == PhotoStatus::Ready && self.medium_bytes.is_some(),
        };
        Size::ALL.into_iter().filter(is_stored).collect()
    }
}

/// BLAKE3 of a file's bytes.
pub type ContentHash = [u8; 32];

/// Parses the hashes of a call, each 64 hexadecimal digits.
///
/// # Errors
/// [`Refusal::TooManyHashes`], or [`Refusal::HashInvalid`].
pub fn parse_hashes(texts: &[String]) -> Result<Vec<ContentHash>, Refusal> {
    if texts.len() > MAX_HASHES {
        return Err(Refusal::TooManyHashes);
    }
    texts.iter().map(|text| parse_hash(text).ok_or(Refusal::HashInvalid)).collect()
}

/// A hash as 64 hexadecimal digits, in lower case.
pub fn hash_text(hash: &ContentHash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn parse_hash(text: &str) -> Option<ContentHash> {
    let mut hash = ContentHash::default();
    if text.len() != 2 * hash.len() {
        return None;
    }
    for (byte, pair) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
        for digit in pair {
            let digit = u8::try_from(char::from(*digit).to_digit(16)?).ok()?;
            *byte = *byte << 4 | digit;
        }
    }
    Some(hash)
}

/// How far the processing of a photo is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhotoStatus {
    /// The original is stored; renditions and faces are not there yet.
    Processing,
    /// Renditions and faces are stored.
    Ready,
    /// It could not be processed; the original is kept.
    Failed,
}

impl PhotoStatus {
    /// Its name in the contract and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Processing, Self::Ready, Self::Failed].into_iter().find(|status| status.as_str() == text)
    }
}

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
}

impl ImageFormat {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Jpeg, Self::Png, Self::Gif, Self::Bmp, Self::Tiff, Self::WebP, Self::Heic];

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

    /// The photo that the name has; none for files of a version whose names had none.
    pub fn photo(&self) -> Option<PhotoId> {
        self.stem().split_once(ID_SEPARATOR)?.1.parse().ok()
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

/// The file name to store for one that a browser sent: its last path segment, without control characters, at most 255 characters.
pub fn sanitize_filename(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or(sent);
    let clean: String = last.chars().filter(|c| !c.is_control()).collect();
    let clean = clean.trim();
    let length = clean.chars().count();
    if clean.is_empty() {
        String::from("photo")
    } else if length <= FILENAME_LENGTH {
        clean.to_owned()
    } else {
        // Files differ in the counter before the extension, so the middle is cut out.
        let (head, tail) = (FILENAME_LENGTH - 61, 60);
        let mut short: String = clean.chars().take(head).collect();
        short.push('…');
        short.extend(clean.chars().skip(length - tail));
        short
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id as _;

    #[test]
    fn hashes_are_64_hexadecimal_digits_and_at_most_200() {
        // [UPL102]
        let text = "00ff10ABcdef0123456789abcdef0123456789abcdef0123456789abcdef0123";
        let hashes = parse_hashes(&[text.to_owned()]).unwrap();
        assert_eq!(hashes[0][..4], [0x00, 0xff, 0x10, 0xab]);
        assert_eq!(hash_text(&hashes[0]), text.to_ascii_lowercase());
        for wrong in
            ["", &text[1..], &format!("{text}0"), &text.replace("ff", "+f"), &"é".repeat(32), &"g".repeat(64)]
        {
            assert_eq!(parse_hashes(&[wrong.to_owned()]), Err(Refusal::HashInvalid), "{wrong}");
        }
        assert_eq!(parse_hashes(&vec![text.to_owned(); 200]).unwrap().len(), 200);
        assert_eq!(parse_hashes(&vec![text.to_owned(); 201]), Err(Refusal::TooManyHashes));
        assert_eq!(parse_hashes(&[]), Ok(vec![]));
    }

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
    fn sanitized_filenames_have_no_path_no_control_characters_and_their_extension() {
        assert_eq!(sanitize_filename("C:\\shoot\\DSC_0001.JPG"), "DSC_0001.JPG");
        assert_eq!(sanitize_filename("a/b/विवाह 1.jpg"), "विवाह 1.jpg");
        assert_eq!(sanitize_filename("a\r\nb\0.jpg"), "ab.jpg");
        assert_eq!(sanitize_filename("///"), "photo");
        let long = sanitize_filename(&format!("{}_0042.jpg", "x".repeat(400)));
        assert_eq!(long.chars().count(), FILENAME_LENGTH - 1 + 1);
        assert!(long.ends_with("_0042.jpg"));
    }
}
