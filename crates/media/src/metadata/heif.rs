//! HEIF (ISO/IEC 23008-12): items of metadata, and boxes beside the picture.

use std::ops::Range;

use heifer::heifer_isobmff::boxes::{
    ConstructionMethod, ItemInfo, ItemLocation, parse_item_infos, parse_item_locations,
};
use heifer::heifer_isobmff::{BoxIter, RawBox};

use super::edits::Edits;
use super::errors::NotRedactable;
use super::{tiff, xmp};

/// Items of these types are parts of the picture.
const PICTURES: [&[u8; 4]; 7] = [b"hvc1", b"grid", b"iovl", b"iden", b"tmap", b"av01", b"jpeg"];
const XMP: &str = "application/rdf+xml";
const EXIF: &[u8] = b"Exif\0\0";

/// Overwrites what a HEIF file tells beside its picture.
pub(super) fn redact(bytes: &[u8], edits: &mut Edits) -> Result<(), NotRedactable> {
    let mut end = 0;
    for found in BoxIter::new(bytes) {
        let Ok(found) = found else { break };
        let content = content_of(&found);
        end = content.end;
        match &found.header.box_type.0 {
            b"ftyp" | b"mdat" | b"moov" | b"free" | b"skip" | b"wide" => {}
            b"meta" => redact_items(bytes, content, edits)?,
            // Motion photos, and what nobody knows.
            _ => edits.clear(content),
        }
    }
    edits.clear(end..bytes.len());
    Ok(())
}

fn content_of(found: &RawBox<'_>) -> Range<usize> {
    let start = found.offset + found.header.header_size as usize;
    start..start + found.content.len()
}

fn redact_items(bytes: &[u8], meta: Range<usize>, edits: &mut Edits) -> Result<(), NotRedactable> {
    let items = Items::parse(bytes, &meta)?;
    for properties in items.properties {
        redact_properties(bytes, &properties, edits);
    }
    for info in items.infos.iter().filter(|info| !PICTURES.contains(&&info.item_type.0)) {
        let location = items.locations.iter().find(|location| location.id == info.id);
        if let Some(location) = location {
            redact_item(bytes, info, &extents(location, &items.data, bytes.len()), edits);
        }
    }
    Ok(())
}

/// What a box of metadata says of items.
struct Items {
    infos: Vec<ItemInfo>,
    locations: Vec<ItemLocation>,
    /// Where the data are that the box has itself.
    data: Range<usize>,
    properties: Vec<Range<usize>>,
}

impl Items {
    fn parse(bytes: &[u8], meta: &Range<usize>) -> Result<Self, NotRedactable> {
        // Version and flags.
        let start = meta.start + 4;
        let content = bytes.get(start..meta.end).ok_or(NotRedactable)?;
        let mut items = Self { infos: Vec::new(), locations: Vec::new(), data: 0..0, properties: Vec::new() };
        for found in BoxIter::new(content) {
            let found = found.map_err(|_| NotRedactable)?;
            match &found.header.box_type.0 {
                b"iinf" => items.infos = parse_item_infos(found.content).map_err(|_| NotRedactable)?,
                b"iloc" => {
                    items.locations = parse_item_locations(found.content).map_err(|_| NotRedactable)?;
                }
                b"idat" => items.data = within(start, &content_of(&found)),
                b"iprp" => items.properties.push(within(start, &content_of(&found))),
                _ => {}
            }
        }
        Ok(items)
    }
}

/// An item that tells something beside the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetadataItem {
    Exif,
    Xmp,
}

/// Where the pieces of such items are, of a file of HEIC or another that consists of boxes.
pub(crate) fn metadata_items(bytes: &[u8]) -> Vec<(MetadataItem, Vec<Range<usize>>)> {
    let mut boxes = BoxIter::new(bytes).map_while(Result::ok);
    let meta = boxes.find(|found| found.header.box_type.0 == *b"meta").map(|found| content_of(&found));
    let Some(items) = meta.and_then(|meta| Items::parse(bytes, &meta).ok()) else { return Vec::new() };
    let of_info = |info: &ItemInfo| {
        let item = match &info.item_type.0 {
            b"Exif" => MetadataItem::Exif,
            b"mime" if info.content_type.as_deref() == Some(XMP) => MetadataItem::Xmp,
            _ => return None,
        };
        let location = items.locations.iter().find(|location| location.id == info.id)?;
        Some((item, extents(location, &items.data, bytes.len())))
    };
    items.infos.iter().filter_map(of_info).collect()
}

fn within(start: usize, place: &Range<usize>) -> Range<usize> {
    start + place.start..start + place.end
}

/// Overwrites names and tags in descriptions of regions, which are of people.
fn redact_properties(bytes: &[u8], properties: &Range<usize>, edits: &mut Edits) {
    for (_, container) in boxes(bytes, properties).into_iter().filter(|(kind, _)| kind == b"ipco") {
        for (_, place) in boxes(bytes, &container).into_iter().filter(|(kind, _)| kind == b"udes") {
            redact_description(bytes, &place, edits);
        }
    }
}

/// The kinds of the boxes in `place`, and where their contents are.
fn boxes(bytes: &[u8], place: &Range<usize>) -> Vec<([u8; 4], Range<usize>)> {
    let content = bytes.get(place.clone()).unwrap_or_default();
    let found = BoxIter::new(content).map_while(Result::ok);
    found.map(|found| (found.header.box_type.0, within(place.start, &content_of(&found)))).collect()
}

/// Version and flags, then language, name, description and tags, each with a zero behind it (ISO/IEC 23008-12, 6.5.20). The
/// description stays, as captions do.
fn redact_description(bytes: &[u8], place: &Range<usize>, edits: &mut Edits) {
    let mut at = place.start + 4;
    for (number, text) in bytes.get(at..place.end).unwrap_or_default().split(|byte| *byte == 0).enumerate() {
        if number == 1 || number > 2 {
            edits.fill(at..at + text.len(), b' ');
        }
        at += text.len() + 1;
    }
}

/// Where an item's bytes are.
fn extents(location: &ItemLocation, data: &Range<usize>, length: usize) -> Vec<Range<usize>> {
    let source = match location.construction_method {
        ConstructionMethod::File => 0..length,
        ConstructionMethod::Idat => data.clone(),
        // Its bytes are another item's.
        ConstructionMethod::Item => return Vec::new(),
    };
    let place = |offset: u64, length: u64| {
        let start = source.start.checked_add(usize::try_from(offset).ok()?)?;
        let end = match usize::try_from(length).ok()? {
            0 => source.end,
            length => start.checked_add(length)?,
        };
        // One that reaches beyond the end is cut: nothing of it is elsewhere.
        Some(start.min(source.end)..end.min(source.end)).filter(|place| !place.is_empty())
    };
    location.extents.iter().filter_map(|extent| place(extent.offset, extent.length)).collect()
}

fn redact_item(bytes: &[u8], info: &ItemInfo, extents: &[Range<usize>], edits: &mut Edits) {
    // Nobody writes metadata in pieces.
    let [place] = extents else {
        extents.iter().for_each(|place| edits.clear(place.clone()));
        return;
    };
    let item = &bytes[place.clone()];
    match &info.item_type.0 {
        b"Exif" => match exif_start(item) {
            Some(start) => tiff::redact_embedded(&item[start..], place.start + start, edits),
            None => edits.clear(place.clone()),
        },
        b"mime" if info.content_type.as_deref() == Some(XMP) => xmp::redact(item, place.start, edits),
        _ => edits.clear(place.clone()),
    }
}

/// Where the TIFF structure begins: its offset stands before it.
fn exif_start(item: &[u8]) -> Option<usize> {
    let offset = u32::from_be_bytes(item.get(..4)?.try_into().ok()?);
    let start = usize::try_from(offset).ok()?.checked_add(4)?;
    let prefix = if item.get(start..)?.starts_with(EXIF) { EXIF.len() } else { 0 };
    Some(start + prefix)
}
