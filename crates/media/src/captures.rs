//! What a file's EXIF (CIPA DC-008) tells of its capture.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use domain::Timestamp;
use domain::photos::captures::Capture;
use exif::{DateTime, Exif, In, Reader, Tag, Value};

/// A TIFF file is its own EXIF, which is read as a whole. No other file has more of it than this.
const EXIF_BYTES: u64 = 1 << 20;

/// About how many bytes [`read`] takes beside those of the file.
pub fn memory(bytes: &[u8]) -> u64 {
    if is_tiff(bytes) { bytes.len() as u64 } else { EXIF_BYTES }
}

const fn is_tiff(bytes: &[u8]) -> bool {
    matches!(bytes, [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..])
}

/// What the file tells of its capture; nothing where it tells nothing, or cannot be read. Blocks.
pub fn read(bytes: &[u8]) -> Capture {
    // No input ends the program, whatever a parser thinks of it.
    catch_unwind(AssertUnwindSafe(|| find(bytes))).unwrap_or_default()
}

fn find(bytes: &[u8]) -> Capture {
    let Ok(exif) = Reader::new().read_from_container(&mut Cursor::new(bytes)) else {
        return Capture::default();
    };
    let (make, model, lens) = (text(&exif, Tag::Make), text(&exif, Tag::Model), text(&exif, Tag::LensModel));
    // Not the moment of the file's last change, which programs write.
    let at = moment(&exif, Tag::DateTimeOriginal, Tag::SubSecTimeOriginal)
        .or_else(|| moment(&exif, Tag::DateTimeDigitized, Tag::SubSecTimeDigitized));
    Capture::new(at, make.as_deref(), model.as_deref(), lens.as_deref())
}

fn ascii(exif: &Exif, tag: Tag) -> Option<&[u8]> {
    match &exif.get_field(tag, In::PRIMARY)?.value {
        Value::Ascii(texts) => texts.first().map(Vec::as_slice),
        _ => None,
    }
}

fn text(exif: &Exif, tag: Tag) -> Option<String> {
    ascii(exif, tag).map(|text| String::from_utf8_lossy(text).into_owned())
}

/// A moment, of which EXIF tells the fraction apart. Clocks that were never set say zeros, which is no moment.
fn moment(exif: &Exif, time: Tag, fraction: Tag) -> Option<Timestamp> {
    let mut told = DateTime::from_ascii(ascii(exif, time)?).ok()?;
    if let Some(fraction) = ascii(exif, fraction) {
        // Some pad it with spaces; what is no number is none.
        told.parse_subsec(fraction.trim_ascii_end()).ok();
    }
    let year = i16::try_from(told.year).ok().filter(|year| *year >= 1970)?;
    let parts = [told.month, told.day, told.hour, told.minute, told.second];
    let parts = parts.map(|part| i8::try_from(part).unwrap_or(i8::MAX));
    let second = Timestamp::from_utc(year, parts)?;
    let millis = i64::from(told.nanosecond.unwrap_or(0) / 1_000_000);
    Some(Timestamp::from_millis(second.as_millis() + millis.min(999)))
}

#[cfg(test)]
mod tests {
    use exif::Field;
    use exif::experimental::Writer;

    use super::*;

    /// A JPEG's beginning with this EXIF.
    fn jpeg(fields: &[(Tag, &str)]) -> Vec<u8> {
        let fields: Vec<Field> = fields
            .iter()
            .map(|(tag, text)| Field {
                tag: *tag,
                ifd_num: In::PRIMARY,
                value: Value::Ascii(vec![text.as_bytes().to_vec()]),
            })
            .collect();
        let mut writer = Writer::new();
        fields.iter().for_each(|field| writer.push_field(field));
        let mut tiff = Cursor::new(Vec::new());
        writer.write(&mut tiff, false).unwrap();
        let exif = [b"Exif\0\0".as_slice(), tiff.get_ref()].concat();
        let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, 0xD8, 0xFF, 0xE1], length.as_slice(), &exif, &[0xFF, 0xD9]].concat()
    }

    #[test]
    fn the_moment_is_that_of_the_camera_and_its_fraction() {
        let at = |fields: &[(Tag, &str)]| read(&jpeg(fields)).at.map(Timestamp::to_rfc3339);
        let taken = "2026:11:20 18:30:05";
        let changed = (Tag::DateTime, "2026:12:01 09:00:00");
        assert_eq!(at(&[(Tag::DateTimeOriginal, taken), changed]).unwrap(), "2026-11-20T18:30:05.000Z");
        let burst = [(Tag::DateTimeOriginal, taken), (Tag::SubSecTimeOriginal, "07 ")];
        assert_eq!(at(&burst).unwrap(), "2026-11-20T18:30:05.070Z");
        assert_eq!(at(&[(Tag::DateTimeDigitized, taken)]).unwrap(), "2026-11-20T18:30:05.000Z");
        assert_eq!(at(&[changed]), None);
        for nothing in
            ["0000:00:00 00:00:00", "    :  :     :  :  ", "2026:02:30 10:00:00", "1904:01:01 00:00:00", "x"]
        {
            assert_eq!(at(&[(Tag::DateTimeOriginal, nothing)]), None, "{nothing}");
        }
    }

    #[test]
    fn bytes_of_any_kind_tell_nothing_at_worst() {
        let whole = jpeg(&[(Tag::Make, "Canon"), (Tag::Model, "EOS R5"), (Tag::LensModel, "RF50mm")]);
        let capture = read(&whole);
        assert_eq!(capture.camera.unwrap(), "Canon EOS R5");
        assert_eq!(capture.lens.unwrap(), "RF50mm");
        for end in 0..whole.len() {
            drop(read(&whole[..end]));
        }
        for bytes in [b"".as_slice(), b"\x89PNG\r\n\x1A\n", b"II*\0\xFF\xFF\xFF\xFF"] {
            assert_eq!(read(bytes), Capture::default());
        }
    }
}
