//! JPEG (ITU-T T.81, annex B): the segments of applications, and what follows the picture.

use std::ops::Range;

use super::edits::Edits;
use super::errors::NotRedactable;
use super::segments::{self, Segment};
use super::{photoshop, tiff, xmp};

const APP0: u8 = 0xE0;
const APP1: u8 = 0xE1;
const APP2: u8 = 0xE2;
const APP13: u8 = 0xED;
const APP14: u8 = 0xEE;
const APP15: u8 = 0xEF;
const COMMENT: u8 = 0xFE;

const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";
const ICC_PROFILE: &[u8] = b"ICC_PROFILE\0";
const MULTI_PICTURE: &[u8] = b"MPF\0";
/// The beginning of the name of ISO 21496-1: how a gain map makes an HDR photo of the picture, in numbers alone.
const GAIN_MAP: &[u8] = b"urn:iso:std:iso:ts:21496";
/// In a multi-picture segment's directory: where the pictures are.
const PICTURES: u16 = 0xB002;

/// Overwrites what a JPEG file tells beside its picture. Of what cameras append only the pictures stay that a multi-picture
/// segment names, such as the gain map of an HDR photo, and those tell nothing either.
pub(super) fn redact(bytes: &[u8], edits: &mut Edits) -> Result<(), NotRedactable> {
    let (segments, end) = segments::list(bytes)?;
    let index = segments.iter().find(|segment| is_multi_picture(bytes, segment));
    let pictures = index.map(|segment| appended(bytes, segment, end)).unwrap_or_default();
    for segment in &segments {
        // Without its pictures the index leads nowhere.
        if !is_multi_picture(bytes, segment) || pictures.is_empty() {
            redact_segment(bytes, segment, edits);
        }
    }
    let mut at = end;
    for picture in pictures {
        edits.clear(at..picture.start);
        at = picture.end;
        redact_picture(bytes, picture, edits);
    }
    edits.clear(at..bytes.len());
    Ok(())
}

/// Overwrites what a JPEG file within another file tells; one that cannot be read goes as a whole.
pub(super) fn redact_picture(bytes: &[u8], picture: Range<usize>, edits: &mut Edits) {
    let mut found = Edits::new(picture.len());
    if redact_appended(&bytes[picture.clone()], &mut found).is_ok() {
        edits.append(picture.start, found);
    } else {
        edits.clear(picture);
    }
}

fn redact_appended(bytes: &[u8], edits: &mut Edits) -> Result<(), NotRedactable> {
    let (segments, end) = segments::list(bytes)?;
    segments.iter().for_each(|segment| redact_segment(bytes, segment, edits));
    edits.clear(end..bytes.len());
    Ok(())
}

fn redact_segment(bytes: &[u8], segment: &Segment, edits: &mut Edits) {
    let content = &bytes[segment.content.clone()];
    let Range { start, end } = segment.content;
    match segment.marker {
        APP1 if content.starts_with(EXIF) => {
            tiff::redact_embedded(&content[EXIF.len()..], start + EXIF.len(), edits);
        }
        APP1 if content.starts_with(XMP) => {
            xmp::redact(&content[XMP.len()..], start + XMP.len(), edits);
        }
        APP2 if content.starts_with(ICC_PROFILE) || content.starts_with(GAIN_MAP) => {}
        APP13 if content.starts_with(PHOTOSHOP) => {
            photoshop::redact(&content[PHOTOSHOP.len()..], start + PHOTOSHOP.len(), edits);
        }
        // The decoder needs these two.
        APP0 | APP14 => {}
        // Extended XMP is one of them: the packet does not refer to it any more.
        APP1..=APP15 => edits.clear(start..end),
        COMMENT => edits.fill(start..end, b' '),
        _ => {}
    }
}

fn is_multi_picture(bytes: &[u8], segment: &Segment) -> bool {
    segment.marker == APP2 && bytes[segment.content.clone()].starts_with(MULTI_PICTURE)
}

/// Where the pictures behind the first one are, in their order (CIPA DC-007); none unless all are JPEG files behind it.
fn appended(bytes: &[u8], segment: &Segment, end: usize) -> Vec<Range<usize>> {
    let base = segment.content.start + MULTI_PICTURE.len();
    let mut pictures = Vec::new();
    for (start, size) in multi_picture_entries(&bytes[base..segment.content.end]).unwrap_or_default() {
        // The first picture is at 0.
        if start == 0 {
            continue;
        }
        let start = base.saturating_add(start);
        let picture = start..start.saturating_add(size);
        if start < end || bytes.get(picture.clone()).is_none_or(|bytes| !bytes.starts_with(&[0xFF, 0xD8])) {
            return Vec::new();
        }
        pictures.push(picture);
    }
    pictures.sort_by_key(|picture| picture.start);
    let overlap = pictures.windows(2).any(|pair| pair[1].start < pair[0].end);
    if overlap { Vec::new() } else { pictures }
}

/// The offset and the size of each picture.
fn multi_picture_entries(data: &[u8]) -> Option<Vec<(usize, usize)>> {
    let is_little_endian = data.starts_with(b"II");
    let number = |at: usize, size: usize| {
        let bytes = data.get(at..at.checked_add(size)?)?;
        let add = |number: usize, byte: &u8| number << 8 | usize::from(*byte);
        Some(if is_little_endian { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    };
    let directory = number(4, 4)?;
    for index in 0..number(directory, 2)? {
        let entry = directory + 2 + index * 12;
        if number(entry, 2)? == usize::from(PICTURES) {
            let (length, at) = (number(entry + 4, 4)?, number(entry + 8, 4)?);
            let entries = (at..at.checked_add(length)?).step_by(16);
            return entries.map(|at| Some((number(at + 8, 4)?, number(at + 4, 4)?))).collect();
        }
    }
    None
}
