//! The segments of a JPEG file, with where they are.

use std::ops::Range;

use super::errors::NotRedactable;
use crate::pictures::jpeg::markers::{entropy_end, next_marker, segment};

const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;

/// A segment.
pub(super) struct Segment {
    /// Its marker's second byte.
    pub(super) marker: u8,
    /// Where its content is.
    pub(super) content: Range<usize>,
}

/// The segments of a JPEG file up to the end of its picture, and where that is.
pub(super) fn list(bytes: &[u8]) -> Result<(Vec<Segment>, usize), NotRedactable> {
    if bytes.get(..2) != Some(&[0xFF, SOI]) {
        return Err(NotRedactable);
    }
    let mut segments = Vec::new();
    let mut at = 2;
    loop {
        let (marker, after) = next_marker(bytes, at).map_err(|_| NotRedactable)?;
        at = after;
        match marker {
            EOI => return Ok((segments, at)),
            // TEM and the restart markers stand alone.
            0x01 | 0xD0..=0xD7 => continue,
            _ => {}
        }
        let length = segment(bytes, at).map_err(|_| NotRedactable)?.len();
        let content = at + 2..at + 2 + length;
        at = content.end;
        segments.push(Segment { marker, content });
        if marker == SOS {
            at = entropy_end(bytes, at).map_err(|_| NotRedactable)?;
        }
    }
}

/// Whether a JPEG file is a picture and nothing else: it has no segments of applications but those of JFIF and Adobe, and no
/// comment.
pub(super) fn is_bare(bytes: &[u8]) -> bool {
    list(bytes).is_ok_and(|(segments, _)| {
        segments.iter().all(|segment| !matches!(segment.marker, 0xE1..=0xED | 0xEF | 0xFE))
    })
}
