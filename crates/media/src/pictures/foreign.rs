//! What is no picture that is read here, and is known all the same: whoever has sent it is told what it is.

use super::errors::{Foreign, Unreadable};

/// Brands (ISO/IEC 14496-12) of films: MP4, QuickTime, and what phones and cameras derive from them.
const FILMS: [&[u8]; 23] = [
    b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"avc1", b"hvc1", b"mp41", b"mp42", b"mp71",
    b"qt  ", b"M4V ", b"M4VH", b"M4VP", b"3gp4", b"3gp5", b"3gp6", b"3g2a", b"MSNV", b"XAVC", b"dash",
    b"mmp4",
];
/// Brands of pictures whose coding is not among those that are read, and of series of pictures.
const OTHER_PICTURES: [&[u8]; 11] =
    [b"mif1", b"mif2", b"msf1", b"miaf", b"hevc", b"hevx", b"avis", b"avci", b"avcs", b"jpeg", b"unif"];

/// Why bytes are refused that begin as no picture does which is read here.
pub(crate) fn unrecognised(bytes: &[u8]) -> Unreadable {
    match foreign(bytes) {
        Some(foreign) => Unreadable::Foreign(foreign),
        None if has_brand(bytes, &OTHER_PICTURES) => Unreadable::UnknownKind,
        None => Unreadable::NotAnImage,
    }
}

fn foreign(bytes: &[u8]) -> Option<Foreign> {
    match bytes {
        [b'8', b'B', b'P', b'S', 0, 1 | 2, ..] => Some(Foreign::Photoshop),
        [0, 0, 0, 12, b'j', b'P', b' ', b' ', b'\r', b'\n', 0x87, b'\n', ..]
        | [0xFF, 0x4F, 0xFF, 0x51, ..] => Some(Foreign::Jpeg2000),
        [0, 0, 0, 12, b'J', b'X', b'L', b' ', b'\r', b'\n', 0x87, b'\n', ..] | [0xFF, 0x0A, ..] => {
            Some(Foreign::JpegXl)
        }
        _ if is_raw(bytes) => Some(Foreign::Raw),
        _ if is_film(bytes) => Some(Foreign::Video),
        _ => None,
    }
}

/// Raw data in files of their makers' own; those that are TIFF files are known by their directories.
fn is_raw(bytes: &[u8]) -> bool {
    match bytes {
        // Canon: CRW, and CR3.
        [b'I', b'I', 26, 0, 0, 0, b'H', b'E', b'A', b'P', ..] => true,
        [_, _, _, _, b'f', b't', b'y', b'p', b'c', b'r', b'x', b' ', ..] => true,
        // Olympus, Panasonic and Leica: TIFF but for the number.
        [b'I', b'I', b'R', b'O' | b'S', ..] | [b'M', b'M', b'O', b'R', ..] | [b'I', b'I', 0x55, 0, ..] => {
            true
        }
        // Minolta, and Sigma.
        [0, b'M', b'R', b'M', ..] | [b'F', b'O', b'V', b'b', ..] => true,
        _ => bytes.starts_with(b"FUJIFILMCCD-RAW"),
    }
}

fn is_film(bytes: &[u8]) -> bool {
    /// Packets of a transport stream begin so, each of them.
    const SYNC: u8 = 0x47;
    let is_stream =
        |first: usize, length: usize| (0..4).all(|packet| bytes.get(first + packet * length) == Some(&SYNC));
    match bytes {
        // Matroska and WebM, streams of MPEG, Flash, and Windows Media.
        [0x1A, 0x45, 0xDF, 0xA3, ..] | [0, 0, 1, 0xBA | 0xB3, ..] | [b'F', b'L', b'V', 1, ..] => true,
        [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, ..] => true,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'A', b'V', b'I', b' ', ..] => true,
        // QuickTime from before it had brands.
        [_, _, _, _, b'm', b'o', b'o', b'v', ..] => true,
        [_, _, _, _, b'm' | b'w' | b'f', b'd' | b'i' | b'r', b'a' | b'd' | b'e', b't' | b'e', ..] => {
            matches!(&bytes[4..8], b"mdat" | b"wide" | b"free")
        }
        // Of camcorders: on a disk four bytes stand before each packet.
        _ => has_brand(bytes, &FILMS) || is_stream(0, 188) || is_stream(4, 192),
    }
}

/// Whether the file names one of these as its own brand.
fn has_brand(bytes: &[u8], brands: &[&[u8]]) -> bool {
    bytes.get(4..8) == Some(b"ftyp") && bytes.get(8..12).is_some_and(|brand| brands.contains(&brand))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_by_its_first_bytes_is_named() {
        // [UPL222]
        let stream = |first: usize, length: usize| {
            let mut bytes = vec![0xFE; 4 * length + 8];
            (0..4).for_each(|packet| bytes[first + packet * length] = 0x47);
            bytes
        };
        for (kind, bytes) in [
            (Foreign::Photoshop, b"8BPS\0\x01\0\0\0\0\0\0\0\x03".to_vec()),
            (Foreign::Photoshop, b"8BPS\0\x02\0\0\0\0\0\0\0\x03".to_vec()),
            (Foreign::Jpeg2000, b"\0\0\0\x0CjP  \r\n\x87\n\0\0\0\x14ftypjp2 ".to_vec()),
            (Foreign::Jpeg2000, b"\xFF\x4F\xFF\x51\0\x2F".to_vec()),
            (Foreign::JpegXl, b"\0\0\0\x0CJXL \r\n\x87\n\0\0\0\x14ftypjxl ".to_vec()),
            (Foreign::JpegXl, b"\xFF\x0A\xFA\x1F".to_vec()),
            (Foreign::Raw, b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom".to_vec()),
            (Foreign::Raw, b"II\x1A\0\0\0HEAPCCDR".to_vec()),
            (Foreign::Raw, b"IIRO\x08\0\0\0".to_vec()),
            (Foreign::Raw, b"IIRS\x08\0\0\0".to_vec()),
            (Foreign::Raw, b"MMOR\0\0\0\x08".to_vec()),
            (Foreign::Raw, b"IIU\0\x18\0\0\0".to_vec()),
            (Foreign::Raw, b"FUJIFILMCCD-RAW 0201FF".to_vec()),
            (Foreign::Raw, b"\0MRM\0\0\0\0".to_vec()),
            (Foreign::Raw, b"FOVb\0\0\x02\0".to_vec()),
            (Foreign::Video, b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom".to_vec()),
            (Foreign::Video, b"\0\0\0\x14ftypqt  \0\0\0\0qt  ".to_vec()),
            (Foreign::Video, b"\0\0\0\x08wide\0\0\0\0mdat".to_vec()),
            (Foreign::Video, b"\x1A\x45\xDF\xA3\x9FB\x86\x81".to_vec()),
            (Foreign::Video, b"RIFF\0\x10\0\0AVI LIST".to_vec()),
            (Foreign::Video, b"\x30\x26\xB2\x75\x8E\x66\xCF\x11".to_vec()),
            (Foreign::Video, stream(0, 188)),
            (Foreign::Video, stream(4, 192)),
        ] {
            assert_eq!(unrecognised(&bytes), Unreadable::Foreign(kind), "{bytes:?}");
        }
        assert_eq!(unrecognised(b"\0\0\0\x18ftypmsf1\0\0\0\0msf1hevc"), Unreadable::UnknownKind);
        for bytes in [&b"free entry"[..], b"a text", b"", b"II", b"G", b"\0\0\0\x18ftypM4A \0\0\0\0"] {
            assert_eq!(unrecognised(bytes), Unreadable::NotAnImage, "{bytes:?}");
        }
    }
}
