//! Whether a file ends as a picture does: what is still being written does not.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use domain::photos::{ImageFormat, MAX_BYTES};

use super::errors::Unreadable;
use super::foreign::unrecognised;
use super::{jpeg, recognise};

/// How much of the end is looked at.
const TAIL: u64 = 4_096;

/// The last marker of a JPEG.
const END_OF_JPEG: &[u8] = &[0xFF, 0xD9];

/// What begins and ends the directory of what Samsung's phones write behind a picture; its length stands before the end.
const SAMSUNG_DIRECTORY: &[u8] = b"SEFH";
const SAMSUNG: &[u8] = b"SEFT";

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As a picture of its format does.
    Whole,
    /// It begins as a picture does and ends otherwise.
    Missing,
    /// It does not begin as a picture does: why it is refused.
    Unknown(Unreadable),
}

/// Whether a file ends as a picture of its format does; see [`end`].
///
/// # Errors
/// When it cannot be read.
pub fn looks_whole(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    Ok(end(file)? == End::Whole)
}

/// How a file ends. That is quick and says nothing about what lies between: whether it decodes is seen by
/// [`super::inspect`].
///
/// # Errors
/// When it cannot be read.
pub fn end(file: &mut (impl Read + Seek)) -> io::Result<End> {
    let length = file.seek(SeekFrom::End(0))?;
    let (head, tail) = (part(file, 0, TAIL)?, part(file, length.saturating_sub(TAIL), TAIL)?);
    let Some(format) = recognise(&head) else {
        return Ok(End::Unknown(unrecognised(&head)));
    };
    let is_whole = match format {
        // Some programs fill up with zeros.
        ImageFormat::Jpeg => trimmed(&tail).ends_with(END_OF_JPEG) || ends_otherwise(file, length)?,
        ImageFormat::Png => tail.ends_with(b"\0\0\0\0IEND\xAE\x42\x60\x82"),
        ImageFormat::Gif => trimmed(&tail).ends_with(b";"),
        ImageFormat::WebP => number(&head, 4, u32::from_le_bytes).is_some_and(|size| size + 8 <= length),
        ImageFormat::Bmp => number(&head, 2, u32::from_le_bytes).is_some_and(|size| size <= length),
        ImageFormat::Tiff => has_directory(&head, length),
        ImageFormat::Heic | ImageFormat::Avif => boxes_end_at(file, length)?,
    };
    Ok(if is_whole { End::Whole } else { End::Missing })
}

/// Whether a JPEG is filled up with more zeros than the tail has, or what stands behind it is whole, as phones write it: Samsung's
/// directory, or a film up to the end of the file.
fn ends_otherwise(file: &mut (impl Read + Seek), length: u64) -> io::Result<bool> {
    if length > MAX_BYTES {
        return Ok(false);
    }
    let bytes = part(file, 0, length)?;
    if trimmed(&bytes).ends_with(END_OF_JPEG) {
        return Ok(true);
    }
    let Some(end) = jpeg::end(&bytes) else { return Ok(false) };
    let behind = &bytes[end..];
    if ends_with_directory(behind) {
        return Ok(true);
    }
    // Other pictures may stand before it.
    let Some(film) = memchr::memmem::find(behind, b"ftyp").and_then(|at| at.checked_sub(4)) else {
        return Ok(false);
    };
    if behind.ends_with(SAMSUNG) {
        return Ok(true);
    }
    let film = &behind[film..];
    boxes_end_at(&mut Cursor::new(film), film.len() as u64)
}

/// Whether this ends with Samsung's directory, from its beginning to its length, which leads back to that.
fn ends_with_directory(behind: &[u8]) -> bool {
    let rest = behind.strip_suffix(SAMSUNG).and_then(<[u8]>::split_last_chunk);
    let Some((directory, length)) = rest else { return false };
    let Ok(length) = usize::try_from(u32::from_le_bytes(*length)) else { return false };
    let start = directory.len().checked_sub(length);
    start.is_some_and(|start| directory[start..].starts_with(SAMSUNG_DIRECTORY))
}

fn part(file: &mut (impl Read + Seek), from: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn trimmed(tail: &[u8]) -> &[u8] {
    let end = tail.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &tail[..end]
}

fn number(bytes: &[u8], at: usize, read: fn([u8; 4]) -> u32) -> Option<u64> {
    bytes.get(at..at + 4)?.try_into().ok().map(|bytes| u64::from(read(bytes)))
}

/// Writers put the directory, to which the header leads, behind the pixels, and the header last.
fn has_directory(head: &[u8], length: u64) -> bool {
    let read = if head.starts_with(b"II") { u32::from_le_bytes } else { u32::from_be_bytes };
    // A BigTIFF has eight bytes at another place; its length is left to the service.
    let is_big = head.get(2..4).is_some_and(|version| version.contains(&43));
    is_big || number(head, 4, read).is_some_and(|offset| offset != 0 && offset + 2 <= length)
}

/// Whether the boxes of ISO/IEC 14496-12 that follow each other end where the file does.
fn boxes_end_at(file: &mut (impl Read + Seek), length: u64) -> io::Result<bool> {
    let mut at = 0_u64;
    while at < length {
        let header = part(file, at, 16)?;
        let size = match number(&header, 0, u32::from_be_bytes) {
            // To the end of the file: it cannot be told whether that is there.
            Some(0) => return Ok(true),
            Some(1) => match header.get(8..16).and_then(|bytes| bytes.try_into().ok()) {
                Some(bytes) => u64::from_be_bytes(bytes),
                None => return Ok(false),
            },
            Some(size) => size,
            None => return Ok(false),
        };
        match at.checked_add(size) {
            Some(next) if size >= 8 => at = next,
            _ => return Ok(false),
        }
    }
    Ok(at == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(bytes: &[u8]) -> bool {
        looks_whole(&mut Cursor::new(bytes)).unwrap()
    }

    /// Each is whole, and no beginning of it is.
    fn check(what: &str, bytes: &[u8], first: usize) {
        assert!(whole(bytes), "{what}");
        for length in (first..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            assert!(!whole(&bytes[..length]), "{what}, {length} bytes of {}", bytes.len());
        }
    }

    /// A JPEG by its markers alone.
    fn picture() -> Vec<u8> {
        let frame = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0];
        let scan = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 7, 7, 7];
        [&[0xFF, 0xD8][..], &frame, &scan, &[0xFF, 0xD9]].concat()
    }

    fn film() -> Vec<u8> {
        [&16_u32.to_be_bytes()[..], b"ftypmp42\0\0\0\0", &108_u32.to_be_bytes(), b"mdat", &[7; 100]].concat()
    }

    #[test]
    fn what_phones_write_behind_a_picture_does_not_make_it_a_cut_one() {
        // [FTP036]
        let entry = [&[0_u8, 0, 1, 0x0A][..], &35_u32.to_le_bytes(), &35_u32.to_le_bytes()].concat();
        let directory = [&b"SEFH\x6A\0\0\0\x01\0\0\0"[..], &entry].concat();
        let length = u32::try_from(directory.len()).unwrap().to_le_bytes();
        let data = b"\0\0\x01\x0A\x0E\0\0\0Image_UTC_Data1731600000000";
        let still = [&picture()[..], data, &directory, &length, b"SEFT"].concat();
        check("JPEG of Samsung", &still, picture().len() + 4);
        let elsewhere = [&picture()[..], data, &directory, &9_u32.to_le_bytes(), b"SEFT"].concat();
        assert!(!whole(&elsewhere), "the directory does not begin there");
        let cut = &picture()[..picture().len() - 1];
        assert!(!whole(&[cut, data, &directory, &length, b"SEFT"].concat()), "the picture itself has no end");

        let zeros = vec![0_u8; 3 * 4_096];
        assert!(whole(&[&picture()[..], &zeros].concat()), "filled up");
        assert!(!whole(&[cut, &zeros].concat()), "filled up behind a part");
    }

    #[test]
    fn what_is_cut_does_not_end_as_a_picture() {
        let jpeg = [&[0xFF, 0xD8, 0xFF, 0xE0][..], &[7; 100], &[0xFF, 0xD9]].concat();
        check("JPEG", &jpeg, 0);
        assert!(whole(&[&jpeg[..], &[0; 40]].concat()), "filled up");
        check("JPEG with a film", &[&picture()[..], &film()].concat(), picture().len() + 4);
        let samsung =
            [&picture()[..], b"\0\0\x30\x0A\x10\0\0\0MotionPhoto_Data", &film(), b"SEFH\x6A\0\0\0SEFT"]
                .concat();
        check("JPEG of Samsung with a film", &samsung, picture().len() + 4);
        assert!(!whole(&[&picture()[..], b"no film"].concat()));
        let png = [&b"\x89PNG\r\n\x1a\n"[..], &[7; 100], b"\0\0\0\0IEND\xAE\x42\x60\x82"].concat();
        check("PNG", &png, 0);
        check("GIF", &[&b"GIF89a"[..], &[7; 100], b";"].concat(), 0);
        let webp = [&b"RIFF"[..], &104_u32.to_le_bytes(), b"WEBP", &[7; 100]].concat();
        check("WebP", &webp, 0);
        let tiff = [&b"II*\0"[..], &108_u32.to_le_bytes(), &[7; 100], &[0, 0]].concat();
        check("TIFF", &tiff, 0);
        let mut heic = [&24_u32.to_be_bytes()[..], b"ftypheic\0\0\0\0mif1heic"].concat();
        heic.extend([&108_u32.to_be_bytes()[..], b"mdat", &[7; 100]].concat());
        // The first box alone is a whole one, as far as that can be told.
        check("HEIC", &heic, 25);
        assert_eq!(end(&mut Cursor::new(&jpeg[..50])).unwrap(), End::Missing);
        assert_eq!(end(&mut Cursor::new(b"no picture")).unwrap(), End::Unknown(Unreadable::NotAnImage));
        assert!(!whole(b"no picture"));
        assert!(!whole(b""));
    }
}
