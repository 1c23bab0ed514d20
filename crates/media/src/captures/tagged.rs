//! JPEG files that say when and by whom they were taken, whose they are, and nothing else: phones sort what they save by the
//! moment, and a photographer's name stays with the photo.

use crc32fast::Hasher;
use domain::Timestamp;
use domain::photos::captures::Capture;
use jiff::tz::TimeZone;

/// What every JPEG file begins with: behind it EXIF stands (CIPA DC-008, 4.5.4).
const BEGINNING: [u8; 2] = [0xFF, 0xD8];

// Tags of CIPA DC-008, in the order in which a directory has them.
const ARTIST: u16 = 0x013B;
const COPYRIGHT: u16 = 0x8298;
const CAMERA_DIRECTORY: u16 = 0x8769;
const DATE_TIME_ORIGINAL: u16 = 0x9003;

/// A JPEG file of this program with the moment of its capture, by the camera's clock, its artist and its notice of copyright in
/// EXIF; as it is where `capture` has none of them.
pub fn tagged(jpeg: Vec<u8>, capture: &Capture) -> Vec<u8> {
    match (segment(capture), jpeg.strip_prefix(&BEGINNING)) {
        (Some(segment), Some(rest)) => [&BEGINNING, segment.as_slice(), rest].concat(),
        _ => jpeg,
    }
}

/// How many bytes [`tagged`] makes of a JPEG file of so many, and their CRC-32 from its own: the file is not read.
pub fn tagged_checksum(bytes: u64, crc32: u32, capture: &Capture) -> (u64, u32) {
    let (Some(segment), Some(rest)) = (segment(capture), bytes.checked_sub(BEGINNING.len() as u64)) else {
        return (bytes, crc32);
    };
    // That of the rest: without the beginning's part in it.
    let mut beginning = Hasher::new();
    beginning.update(&BEGINNING);
    let mut without = beginning.clone();
    without.combine(&Hasher::new_with_initial_len(0, rest));
    let of_rest = without.finalize() ^ crc32;
    let mut whole = beginning;
    whole.update(&segment);
    whole.combine(&Hasher::new_with_initial_len(of_rest, rest));
    (bytes + segment.len() as u64, whole.finalize())
}

/// A segment with what is known of the three; none where nothing is.
fn segment(capture: &Capture) -> Option<Vec<u8>> {
    let taken = capture.at.and_then(date_time);
    let rights = [(ARTIST, &capture.artist), (COPYRIGHT, &capture.copyright)];
    let mut entries: Vec<(u16, Value)> =
        rights.into_iter().filter_map(|(tag, text)| Some((tag, Value::text(text.as_deref()?)))).collect();
    if entries.is_empty() && taken.is_none() {
        return None;
    }
    // Behind the header of eight bytes.
    let mut structure = b"MM\0*\0\0\0\x08".to_vec();
    match taken {
        Some(taken) => {
            // The camera's directory lies behind the first one and its values, whose size does not depend on where it is.
            entries.push((CAMERA_DIRECTORY, Value::Offset(0)));
            let at = structure.len() + directory(0, &entries)?.len();
            entries.pop();
            entries.push((CAMERA_DIRECTORY, Value::Offset(u32::try_from(at).ok()?)));
            structure.extend(directory(structure.len(), &entries)?);
            structure.extend(directory(at, &[(DATE_TIME_ORIGINAL, Value::text(&taken))])?);
        }
        None => structure.extend(directory(structure.len(), &entries)?),
    }
    let length = u16::try_from(2 + 6 + structure.len()).ok()?;
    Some([&[0xFF, 0xE1][..], &length.to_be_bytes(), b"Exif\0\0", &structure].concat())
}

/// What stands in an entry.
enum Value {
    /// Characters and the zero that ends them. EXIF calls them ASCII; UTF-8 is what programs write and read there.
    Text(Vec<u8>),
    Offset(u32),
}

impl Value {
    fn text(text: &str) -> Self {
        Self::Text([text.as_bytes(), b"\0"].concat())
    }
}

/// A directory at `at` of the structure, with its values behind it; none when it is larger than offsets reach.
fn directory(at: usize, entries: &[(u16, Value)]) -> Option<Vec<u8>> {
    let values_at = at + 2 + 12 * entries.len() + 4;
    let (mut table, mut values) = (u16::try_from(entries.len()).ok()?.to_be_bytes().to_vec(), Vec::new());
    for (tag, value) in entries {
        let (kind, count, place): (u16, usize, [u8; 4]) = match value {
            Value::Offset(offset) => (4, 1, offset.to_be_bytes()),
            // What has room in the entry stands in it.
            Value::Text(text) if text.len() <= 4 => {
                let mut place = [0; 4];
                place[..text.len()].copy_from_slice(text);
                (2, text.len(), place)
            }
            Value::Text(text) => {
                let place = u32::try_from(values_at + values.len()).ok()?.to_be_bytes();
                values.extend(text);
                (2, text.len(), place)
            }
        };
        table.extend(tag.to_be_bytes());
        table.extend(kind.to_be_bytes());
        table.extend(u32::try_from(count).ok()?.to_be_bytes());
        table.extend(place);
    }
    // No directory follows.
    table.extend([0; 4]);
    Some([table, values].concat())
}

/// The moment as EXIF writes it, whose year has four digits.
fn date_time(at: Timestamp) -> Option<String> {
    let moment = jiff::Timestamp::from_millisecond(at.as_millis()).ok()?.to_zoned(TimeZone::UTC);
    (0..=9_999).contains(&moment.year()).then(|| moment.strftime("%Y:%m:%d %H:%M:%S").to_string())
}

#[cfg(test)]
mod tests {
    use domain::photos::pixels::Pixels;

    use super::super::read;
    use super::*;
    use crate::pictures::{decode, encode_jpeg, inspect};

    fn of(at: Option<Timestamp>, artist: Option<&str>, copyright: Option<&str>) -> Capture {
        Capture { at, ..Capture::default() }.with_rights(artist, copyright)
    }

    #[test]
    fn a_tagged_file_says_when_it_was_taken_whose_it_is_and_nothing_else() {
        let pixels = Pixels::new(16, 8, vec![100; 16 * 8 * 3]).unwrap();
        let plain = encode_jpeg(&pixels, 80).unwrap();
        let at = Timestamp::from_utc(2024, [3, 9, 17, 45, 12]);
        let taken = of(at, None, None);
        assert_eq!(tagged(plain.clone(), &taken).len(), plain.len() + 74);
        for artist in [None, Some("Jo"), Some("Ana"), Some("Asha Rao; Zoë Müller")] {
            for copyright in [None, Some("©"), Some("© 2026 Asha Rao. All rights reserved.")] {
                for at in [at, None] {
                    let capture = of(at, artist, copyright);
                    let with = tagged(plain.clone(), &capture);
                    assert_eq!(with == plain, read(&with) == Capture::default());
                    let told = read(&with);
                    assert_eq!((told.at, &told.artist), (capture.at, &capture.artist));
                    assert_eq!(told.copyright, capture.copyright);
                    assert_eq!((told.camera, told.lens), (None, None));
                    assert_eq!(inspect(&with).unwrap(), inspect(&plain).unwrap());
                    assert_eq!(decode(&with, 16).unwrap().data(), decode(&plain, 16).unwrap().data());
                    let expected = (with.len() as u64, crc32fast::hash(&with));
                    let checksum = tagged_checksum(plain.len() as u64, crc32fast::hash(&plain), &capture);
                    assert_eq!(checksum, expected, "{capture:?}");
                }
            }
        }
        // The camera and the lens stay behind.
        let camera = Capture::new(None, Some("Example"), Some("Model 7"), Some("35mm"));
        assert_eq!(tagged(plain.clone(), &camera), plain);
        let never = of(Some(Timestamp::from_millis(i64::MAX)), None, None);
        assert_eq!(tagged(plain.clone(), &never), plain);
        assert_eq!(tagged(b"no JPEG".to_vec(), &taken), b"no JPEG");
        assert_eq!(tagged_checksum(1, 7, &taken), (1, 7));
    }
}
