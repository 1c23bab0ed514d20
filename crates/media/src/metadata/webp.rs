//! WebP (RFC 9649): the chunks of a RIFF container.

use super::edits::Edits;
use super::{tiff, xmp};

/// 'RIFF', the size, 'WEBP'.
pub(crate) const HEADER: usize = 12;
const EXIF: &[u8] = b"Exif\0\0";

/// Overwrites what a WebP file tells beside its picture.
pub(super) fn redact(bytes: &[u8], edits: &mut Edits) {
    let size = number(bytes, 4).unwrap_or(usize::MAX);
    let end = size.saturating_add(8).min(bytes.len());
    let mut at = HEADER;
    while let Some((kind, data)) = chunk(&bytes[..end], at) {
        let start = at + 8;
        let stop = start + data.len();
        match kind {
            b"EXIF" => {
                let prefix = if data.starts_with(EXIF) { EXIF.len() } else { 0 };
                tiff::redact_embedded(&data[prefix..], start + prefix, edits);
            }
            b"XMP " => xmp::redact(data, start, edits),
            b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH" | b"ANIM" | b"ANMF" | b"ICCP" => {}
            _ => edits.clear(start..stop),
        }
        // Each begins at an even place.
        at = stop + data.len() % 2;
    }
    // What no reader of chunks comes to.
    edits.clear(at..bytes.len());
}

/// The chunk at `at`, unless it is cut off.
pub(crate) fn chunk(bytes: &[u8], at: usize) -> Option<(&[u8; 4], &[u8])> {
    let kind = bytes.get(at..)?.first_chunk()?;
    let data = bytes.get(at + 8..)?.get(..number(bytes, at + 4)?)?;
    Some((kind, data))
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}
