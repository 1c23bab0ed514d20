//! Photoshop's image resources: IPTC records, EXIF and XMP among others.

use super::edits::Edits;
use super::{iptc, tiff, xmp};

pub(crate) const IPTC: u16 = 0x0404;
pub(crate) const EXIF: [u16; 2] = [0x0422, 0x0423];
pub(crate) const XMP: u16 = 0x0424;

/// Overwrites what image resources tell; what cannot be read goes.
pub(super) fn redact(data: &[u8], base: usize, edits: &mut Edits) {
    let mut at = 0;
    while at < data.len() {
        let Some(resource) = Resource::read(data, at) else {
            edits.clear(base + at..base + data.len());
            return;
        };
        let (content, start) = (&data[resource.start..resource.end], base + resource.start);
        match resource.id {
            IPTC => iptc::redact(content, start, edits),
            XMP => xmp::redact(content, start, edits),
            id if EXIF.contains(&id) => tiff::redact_embedded(content, start, edits),
            _ => {}
        }
        // Each begins at an even place.
        at = resource.end + resource.end % 2;
    }
}

/// The resources up to what cannot be read, each with its number.
pub(crate) fn resources(data: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let resource = Resource::read(data, at)?;
        at = resource.end + resource.end % 2;
        Some((resource.id, &data[resource.start..resource.end]))
    })
}

struct Resource {
    id: u16,
    start: usize,
    end: usize,
}

impl Resource {
    fn read(data: &[u8], at: usize) -> Option<Self> {
        let [_, _, _, _, id1, id0, name, ..] = data.get(at..)? else { return None };
        // The name and its length together are even.
        let size_at = at + 6 + (1 + usize::from(*name)).next_multiple_of(2);
        let size = u32::from_be_bytes(data.get(size_at..size_at + 4)?.try_into().ok()?);
        let start = size_at + 4;
        let end = start.checked_add(usize::try_from(size).ok()?).filter(|end| *end <= data.len())?;
        Some(Self { id: u16::from_be_bytes([*id1, *id0]), start, end })
    }
}
