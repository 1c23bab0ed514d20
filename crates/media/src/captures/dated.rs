//! JPEG files that say when they were taken and nothing else: phones sort what they save by it.

use crc32fast::Hasher;
use domain::Timestamp;
use jiff::tz::TimeZone;

/// What every JPEG file begins with: behind it EXIF stands (CIPA DC-008, 4.5.4).
const BEGINNING: [u8; 2] = [0xFF, 0xD8];

/// A JPEG file of this program with the moment of its capture, by the camera's clock, in EXIF; as it is without one.
pub fn dated(jpeg: Vec<u8>, at: Option<Timestamp>) -> Vec<u8> {
    match (at.and_then(segment), jpeg.strip_prefix(&BEGINNING)) {
        (Some(segment), Some(rest)) => [&BEGINNING, segment.as_slice(), rest].concat(),
        _ => jpeg,
    }
}

/// How many bytes [`dated`] makes of a JPEG file of so many, and their CRC-32 from its own: the file is not read.
pub fn dated_checksum(bytes: u64, crc32: u32, at: Option<Timestamp>) -> (u64, u32) {
    let (Some(segment), Some(rest)) = (at.and_then(segment), bytes.checked_sub(BEGINNING.len() as u64))
    else {
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

/// A segment with DateTimeOriginal (CIPA DC-008): a directory with one entry, which leads to another one.
fn segment(at: Timestamp) -> Option<Vec<u8>> {
    let moment = jiff::Timestamp::from_millisecond(at.as_millis()).ok()?.to_zoned(TimeZone::UTC);
    // Four digits have no room for others.
    (0..=9_999).contains(&moment.year()).then_some(())?;
    let text = format!("{}\0", moment.strftime("%Y:%m:%d %H:%M:%S"));
    let (camera_at, text_at): (u32, u32) = (8 + 18, 8 + 18 + 18);
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        let numbers = [count.to_be_bytes(), value.to_be_bytes()].concat();
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &numbers].concat()
    };
    let directory = |entry: Vec<u8>| [&[0, 1][..], &entry, &[0; 4]].concat();
    let structure = [
        b"Exif\0\0MM\0*\0\0\0\x08".as_slice(),
        &directory(entry(0x8769, 4, 1, camera_at)),
        &directory(entry(0x9003, 2, u32::try_from(text.len()).ok()?, text_at)),
        text.as_bytes(),
    ]
    .concat();
    let length = u16::try_from(structure.len() + 2).ok()?;
    Some([&[0xFF, 0xE1][..], &length.to_be_bytes(), &structure].concat())
}

#[cfg(test)]
mod tests {
    use domain::photos::captures::Capture;
    use domain::photos::pixels::Pixels;

    use super::super::read;
    use super::*;
    use crate::pictures::{decode, encode_jpeg, inspect};

    #[test]
    fn a_dated_file_says_when_it_was_taken_and_nothing_else() {
        let pixels = Pixels::new(16, 8, vec![100; 16 * 8 * 3]).unwrap();
        let plain = encode_jpeg(&pixels, 80).unwrap();
        let at = Timestamp::from_utc(2024, [3, 9, 17, 45, 12]);
        let with = dated(plain.clone(), at);
        assert_eq!(with.len(), plain.len() + 74);
        assert_eq!(read(&with), Capture { at, camera: None, lens: None });
        assert_eq!(inspect(&with).unwrap(), inspect(&plain).unwrap());
        assert_eq!(decode(&with, 16).unwrap().data(), decode(&plain, 16).unwrap().data());
        assert_eq!(dated(with.clone(), None), with);
        assert_eq!(dated(plain.clone(), None), plain);
        assert_eq!(dated(b"no JPEG".to_vec(), at), b"no JPEG");
        for at in [at, None, Some(Timestamp::from_millis(i64::MAX))] {
            let file = dated(plain.clone(), at);
            let told = dated_checksum(plain.len() as u64, crc32fast::hash(&plain), at);
            assert_eq!(told, (file.len() as u64, crc32fast::hash(&file)), "{at:?}");
        }
        assert_eq!(dated_checksum(1, 7, at), (1, 7));
    }
}
