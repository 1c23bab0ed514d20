//! Photos, their files and their state.

pub mod albums;
pub mod appearance;
pub mod captures;
pub mod failures;
pub mod file_names;
pub mod file_times;
pub(crate) mod files;
pub mod focus;
pub mod pixels;
pub mod redactions;
pub mod sidecars;
pub mod stacks;
pub mod trash;
pub mod versions;

use std::time::Duration;

use crate::events::zones::Zone;
use crate::operations::runtime::clock::DAY;
use crate::photos::appearance::Sharpness;
use crate::photos::captures::Capture;
use crate::photos::failures::PhotoFailure;
use crate::photos::file_names::{safe_name, with_other_ending, with_true_ending};
use crate::photos::file_times::FileTime;
use crate::photos::focus::Focus;
use crate::photos::pixels::Color;
use crate::photos::stacks::Stack;
use crate::{AlbumId, EventId, PhotoId, Refusal, Timestamp, UserId};

pub use crate::photos::files::{ImageFormat, MediaKey, Size};

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

/// For how long after its upload a photo is replaced by an edited version without being paid for again.
pub const FREE_REPLACEMENT_PERIOD: Duration = DAY.saturating_mul(30);

/// An uploaded photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// Its id.
    pub id: PhotoId,
    /// The photographer.
    pub owner: UserId,
    /// The event it belongs to; none for the photographer's library.
    pub event: Option<EventId>,
    /// Who has uploaded it, if that was a member of the event's team; none for the owner.
    pub uploader: Option<UserId>,
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
    /// Where its faces are, for places that show a part of it; none where no face is known.
    pub focus: Option<Focus>,
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
    /// The albums of its event that it is in.
    pub albums: Vec<AlbumId>,
    /// How often guests have saved it, alone or in a ZIP.
    pub downloads: i64,
    /// How many hearts guests have put on it.
    pub hearts: i64,
    /// How sharp it is; none while it is not measured.
    pub sharpness: Option<Sharpness>,
    /// The stack that it is of; none where it is like no other, and while its event puts none together.
    pub stack: Option<Stack>,
    /// Whether no guest sees or finds it: because it is held, or because somebody who is in it has asked for that.
    pub hidden: bool,
    /// Whether it waits until it is published.
    pub held: bool,
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

    /// The name of the photographer's file, as every system can store it, with the ending of what it is.
    pub fn own_filename(&self) -> String {
        with_true_ending(&safe_name(&self.original_filename, "photo"), self.format.extension())
    }

    /// The same for a file that is made of it, a JPEG.
    pub fn own_web_filename(&self) -> String {
        with_other_ending(&self.own_filename(), "jpg")
    }

    /// When its files in archives were last changed, at an event in this zone.
    pub fn file_time(&self, zone: &Zone) -> FileTime {
        FileTime::of_photo(&self.capture, self.created_at, zone)
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

/// Whether an edited version that comes now takes the place of a photo of this upload without being paid for.
pub fn is_replaced_free(uploaded_at: Timestamp, now: Timestamp) -> bool {
    now <= uploaded_at.plus(FREE_REPLACEMENT_PERIOD)
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
    fn a_photo_is_replaced_free_for_30_days() {
        // [UPL182]
        let uploaded_at = Timestamp::from_millis(1_795_176_000_000);
        let millisecond = Duration::from_millis(1);
        assert!(is_replaced_free(uploaded_at, uploaded_at));
        assert!(is_replaced_free(uploaded_at, uploaded_at.plus(DAY * 30)));
        assert!(!is_replaced_free(uploaded_at, uploaded_at.plus(DAY * 30).plus(millisecond)));
        // The clock was set back.
        assert!(is_replaced_free(uploaded_at, uploaded_at.minus(DAY)));
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
