//! What a photo's file tells of its capture, and the orders in which photos are listed.

use crate::operations::runtime::texts::folded;
use crate::{PhotoId, Refusal, Timestamp};

/// Longest name of a camera or lens that is kept, in characters.
const NAME_LENGTH: usize = 100;
/// The same of who made the photo, and of its notice of copyright: at most 1,000 bytes in UTF-8.
const RIGHTS_LENGTH: usize = 250;

/// What a photo's file tells of its capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// When it was taken by the camera's clock, whose zone few files tell: it is taken for UTC.
    pub at: Option<Timestamp>,
    /// The camera.
    pub camera: Option<String>,
    /// The lens.
    pub lens: Option<String>,
    /// Who made the photo: Artist (EXIF), creator (XMP) or by-line (IPTC).
    pub artist: Option<String>,
    /// The notice of copyright.
    pub copyright: Option<String>,
}

impl Capture {
    /// From what a file has under these names; what is empty or means nothing is left out.
    pub fn new(at: Option<Timestamp>, make: Option<&str>, model: Option<&str>, lens: Option<&str>) -> Self {
        let (make, model) = (make.and_then(readable), model.and_then(readable));
        let camera = match (make, model) {
            // Most makers repeat their name in the model's.
            (Some(make), Some(model)) if is_same_word(&make, &model) => Some(model),
            (Some(make), Some(model)) => readable(&format!("{make} {model}")),
            (make, model) => model.or(make),
        };
        Self { at, camera, lens: lens.and_then(readable), ..Self::default() }
    }

    /// Whether it has anything that the web size says: the moment, the artist or the notice of copyright.
    pub const fn has_tags(&self) -> bool {
        self.at.is_some() || self.artist.is_some() || self.copyright.is_some()
    }

    /// With who made the photo and the notice of copyright, cleaned as names are.
    pub fn with_rights(self, artist: Option<&str>, copyright: Option<&str>) -> Self {
        let readable = |text| cleaned(text, RIGHTS_LENGTH);
        Self { artist: artist.and_then(readable), copyright: copyright.and_then(readable), ..self }
    }
}

fn is_same_word(one: &str, other: &str) -> bool {
    match (one.split_whitespace().next(), other.split_whitespace().next()) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => false,
    }
}

/// A name without what cannot be shown; none when nothing is left. Lenses that are not known are written as hyphens.
fn readable(text: &str) -> Option<String> {
    cleaned(text, NAME_LENGTH)
}

fn cleaned(text: &str, length: usize) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(length).collect();
    let name = name.trim_end();
    name.chars().any(char::is_alphanumeric).then(|| name.to_owned())
}

/// The order of a list of photos.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By upload, newest first.
    #[default]
    Uploaded,
    /// By the moment of capture, earliest first; those without one come last.
    Captured,
    /// By the name of the file, numbers in it by their value.
    Name,
    /// By the hearts of guests, most first.
    Hearts,
    /// By sharpness, least first; those that are not measured come last.
    Sharpness,
}

impl Sort {
    /// Parses its name in the contract.
    ///
    /// # Errors
    /// [`Refusal::SortUnknown`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "uploaded" => Ok(Self::Uploaded),
            "captured" => Ok(Self::Captured),
            "name" => Ok(Self::Name),
            "hearts" => Ok(Self::Hearts),
            "sharpness" => Ok(Self::Sharpness),
            _ => Err(Refusal::SortUnknown),
        }
    }
}

/// Where a photo stands in the orders that its id does not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its id, which tells equal ones apart.
    pub id: PhotoId,
    /// Its moment of capture; the largest number when it has none.
    pub captured_at: i64,
    /// Its name as it is sorted.
    pub name_key: String,
    /// How many hearts it has.
    pub hearts: i64,
    /// Its sharpness as it is sorted: [`UNMEASURED`] when it has none.
    pub sharpness: i64,
}

/// Where photos without a sharpness are sorted: behind all others.
pub const UNMEASURED: i64 = 1_001;

impl Place {
    /// The place of a photo of which nothing else is known.
    pub const fn of(id: PhotoId) -> Self {
        Self { id, captured_at: i64::MAX, name_key: String::new(), hearts: 0, sharpness: UNMEASURED }
    }
}

/// A file's name as it is sorted: folded, and each number behind its length, so that `2.jpg` comes before
/// `10.jpg` where texts are compared byte by byte.
pub fn name_key(name: &str) -> String {
    let name = folded(name);
    let (mut key, mut rest) = (String::with_capacity(name.len() + 8), name.as_str());
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, from_number) = rest.split_at(end);
        key.push_str(text);
        let end = from_number.find(|c: char| !c.is_ascii_digit()).unwrap_or(from_number.len());
        let (number, after) = from_number.split_at(end);
        rest = after;
        if number.is_empty() {
            continue;
        }
        let number = number.trim_start_matches('0');
        // As one digit, with a nine before it for every nine digits: a longer number has a larger one.
        for _ in 0..number.len() / 9 {
            key.push('9');
        }
        key.push_str(&(number.len() % 9).to_string());
        key.push_str(number);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_by_the_values_of_their_numbers() {
        let sorted = [
            "1.jpg",
            "002.jpg",
            "10.jpg",
            "99999999.jpg",
            "100000000.jpg",
            "9999999999.jpg",
            "123456789012345678.jpg",
            "123456789012345678901.jpg",
            "DSC_0009.JPG",
            "dsc_10.jpg",
            "DSC_0100.JPG",
            "Wedding-2 (1).jpg",
            "wedding-2 (12).jpg",
            "Wedding-12 (3).jpg",
            "Über-1.jpg",
        ];
        let keys: Vec<String> = sorted.iter().map(|name| name_key(name)).collect();
        assert!(keys.is_sorted_by(|one, other| one < other), "{keys:#?}");
        assert_eq!(name_key("IMG_007.jpg"), name_key("img_7.JPG"));
        assert_eq!(name_key("Mu\u{308}ller 2.jpg"), name_key("MÜLLER 02.jpg"));
        assert_eq!(name_key(""), "");
        assert_eq!(name_key("000"), "0");
    }

    #[test]
    fn a_camera_is_named_once() {
        let named = |make, model| Capture::new(None, make, model, None).camera;
        assert_eq!(named(Some("Canon"), Some("Canon EOS R5")).unwrap(), "Canon EOS R5");
        assert_eq!(named(Some("NIKON CORPORATION"), Some("NIKON Z 6 ")).unwrap(), "NIKON Z 6");
        assert_eq!(named(Some("SONY"), Some("ILCE-7M4")).unwrap(), "SONY ILCE-7M4");
        assert_eq!(named(None, Some("\0 X\u{7}100 \n")).unwrap(), "X 100");
        assert_eq!(named(Some("Leica"), Some("  ")).unwrap(), "Leica");
        assert_eq!(named(Some(""), None), None);
        assert_eq!(named(None, Some(&"x".repeat(300))).unwrap().len(), NAME_LENGTH);
        assert_eq!(Capture::new(None, None, None, Some("----")).lens, None);
        assert_eq!(Capture::new(None, None, None, Some("50mm f/1.8")).lens.unwrap(), "50mm f/1.8");
    }

    #[test]
    fn an_unknown_order_is_refused() {
        assert_eq!(Sort::parse("captured"), Ok(Sort::Captured));
        assert_eq!(Sort::parse("Name"), Err(Refusal::SortUnknown));
    }
}
