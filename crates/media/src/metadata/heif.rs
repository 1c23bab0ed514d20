//! HEIF (ISO/IEC 23008-12): items of metadata, and boxes beside the picture.

use std::ops::Range;

use heifer::heifer_isobmff::boxes::{
    ConstructionMethod, ItemInfo, ItemLocation, parse_item_infos, parse_item_locations,
};
use heifer::heifer_isobmff::{BoxIter, RawBox};

use super::edits::Edits;
use super::errors::NotRedactable;
use super::{jpeg, tiff, xmp};
use crate::items;

/// Items of these types are parts of the picture, which tell nothing.
const PICTURES: [&[u8; 4]; 6] = [b"hvc1", b"grid", b"iovl", b"iden", b"tmap", b"av01"];
/// A part of the picture as well, such as a thumbnail, with segments of its own.
const JPEG: &[u8; 4] = b"jpeg";
/// What items are and where: the boxes of `meta` that stay.
const OF_ITEMS: [&[u8; 4]; 10] =
    [b"hdlr", b"pitm", b"iinf", b"iloc", b"iref", b"iprp", b"idat", b"dinf", b"grpl", b"ipro"];
/// Boxes of a movie and of its tracks that tell something, or nobody knows what.
const OF_MOVIES: [&[u8; 4]; 5] = [b"udta", b"meta", b"uuid", b"free", b"skip"];
const XMP: &str = "application/rdf+xml";
const EXIF: &[u8] = b"Exif\0\0";

/// Overwrites what a HEIF file tells beside its picture.
pub(super) fn redact(bytes: &[u8], edits: &mut Edits) -> Result<(), NotRedactable> {
    if items::are_too_many(bytes) {
        return Err(NotRedactable);
    }
    let of_kind = |kind: &'static [u8; 4]| {
        own_boxes(bytes).filter(move |found| found.header.box_type.0 == *kind).map(|found| content_of(&found))
    };
    let metas: Vec<Items> =
        of_kind(b"meta").map(|meta| Items::parse(bytes, &meta)).collect::<Result<_, _>>()?;
    let items: Vec<Placed<'_>> = metas.iter().flat_map(|items| items.placed(bytes.len())).collect();
    let kept = Kept::of(&items);
    // Where the pictures of a series are, no item says.
    let is_series = of_kind(b"moov").next().is_some();
    let mut end = 0;
    for found in own_boxes(bytes) {
        let content = content_of(&found);
        end = content.end;
        match &found.header.box_type.0 {
            b"ftyp" => {}
            b"mdat" if is_series => {}
            b"moov" => redact_movie(bytes, &content, &kept, edits),
            b"meta" => {
                // Behind version and flags.
                for (kind, place) in boxes(bytes, &(content.start + 4..content.end)) {
                    if !OF_ITEMS.contains(&&kind) {
                        kept.clear_around(place, edits);
                    }
                }
            }
            // Motion photos, and what nobody knows; in `mdat`, what no item leads to.
            _ => kept.clear_around(content, edits),
        }
    }
    kept.clear_around(end..bytes.len(), edits);
    for properties in metas.iter().flat_map(|items| &items.properties) {
        redact_properties(bytes, properties, edits);
    }
    for (info, extents) in &items {
        if !PICTURES.contains(&&info.item_type.0) {
            redact_item(bytes, info, extents, edits);
        }
    }
    Ok(())
}

/// The boxes of the photo. What begins with another `ftyp` is a file behind it, such as a video.
fn own_boxes(bytes: &[u8]) -> impl Iterator<Item = RawBox<'_>> {
    let mut has_type = false;
    BoxIter::new(bytes).map_while(Result::ok).take_while(move |found| {
        let is_type = found.header.box_type.0 == *b"ftyp";
        let is_own = !(is_type && has_type);
        has_type |= is_type;
        is_own
    })
}

/// Where the items' bytes are that stay, in the order of their offsets.
struct Kept(Vec<Range<usize>>);

impl Kept {
    fn of(items: &[Placed<'_>]) -> Self {
        let stays = |info: &ItemInfo| {
            let kind = &info.item_type.0;
            PICTURES.contains(&kind) || kind == JPEG || MetadataItem::of(info).is_some()
        };
        let items = items.iter().filter(|(info, _)| stays(info));
        let mut kept: Vec<Range<usize>> = items.flat_map(|(_, extents)| extents.clone()).collect();
        kept.sort_by_key(|extent| extent.start);
        Self(kept)
    }

    /// Overwrites a place but for what begins in it: an extent without a length reaches over all boxes behind its own.
    fn clear_around(&self, place: Range<usize>, edits: &mut Edits) {
        let first = self.0.partition_point(|extent| extent.start < place.start);
        let mut at = place.start;
        for extent in self.0[first..].iter().take_while(|extent| extent.start < place.end) {
            edits.clear(at..extent.start);
            at = at.max(extent.end);
        }
        edits.clear(at..place.end);
    }
}

/// Overwrites what a movie and its tracks tell beside their pictures.
fn redact_movie(bytes: &[u8], movie: &Range<usize>, kept: &Kept, edits: &mut Edits) {
    let children = boxes(bytes, movie);
    let tracks = children.iter().filter(|(kind, _)| kind == b"trak");
    let of_tracks: Vec<_> = tracks.flat_map(|(_, track)| boxes(bytes, track)).collect();
    for (kind, place) in children.into_iter().chain(of_tracks) {
        if OF_MOVIES.contains(&&kind) {
            kept.clear_around(place, edits);
        }
    }
}

fn content_of(found: &RawBox<'_>) -> Range<usize> {
    let start = found.offset + found.header.header_size as usize;
    start..start + found.content.len()
}

/// An item, and where its bytes are.
type Placed<'a> = (&'a ItemInfo, Vec<Range<usize>>);

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

    /// The items of a file of this length that have bytes.
    fn placed(&self, length: usize) -> Vec<Placed<'_>> {
        let located = self.infos.iter().filter_map(|info| {
            let location = self.locations.iter().find(|location| location.id == info.id)?;
            Some((info, extents(location, &self.data, length)))
        });
        located.collect()
    }
}

/// An item that tells something beside the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetadataItem {
    Exif,
    Xmp,
}

impl MetadataItem {
    fn of(info: &ItemInfo) -> Option<Self> {
        match &info.item_type.0 {
            b"Exif" => Some(Self::Exif),
            b"mime" if info.content_type.as_deref() == Some(XMP) => Some(Self::Xmp),
            _ => None,
        }
    }
}

/// Where the pieces of such items are, of a file of HEIC or another that consists of boxes; none where it has too many items.
pub(crate) fn metadata_items(bytes: &[u8]) -> Vec<(MetadataItem, Vec<Range<usize>>)> {
    if items::are_too_many(bytes) {
        return Vec::new();
    }
    let mut boxes = BoxIter::new(bytes).map_while(Result::ok);
    let meta = boxes.find(|found| found.header.box_type.0 == *b"meta").map(|found| content_of(&found));
    let Some(items) = meta.and_then(|meta| Items::parse(bytes, &meta).ok()) else { return Vec::new() };
    let placed = items.placed(bytes.len()).into_iter();
    placed.filter_map(|(info, extents)| Some((MetadataItem::of(info)?, extents))).collect()
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
    // Nobody writes metadata or a JPEG file in pieces.
    let [place] = extents else {
        extents.iter().for_each(|place| edits.clear(place.clone()));
        return;
    };
    let item = &bytes[place.clone()];
    match MetadataItem::of(info) {
        Some(MetadataItem::Exif) => match exif_start(item) {
            Some(start) => tiff::redact_embedded(&item[start..], place.start + start, edits),
            None => edits.clear(place.clone()),
        },
        Some(MetadataItem::Xmp) => xmp::redact(item, place.start, edits),
        None if info.item_type.0 == *JPEG => jpeg::redact_picture(bytes, place.clone(), edits),
        None => edits.clear(place.clone()),
    }
}

/// Where the TIFF structure begins: its offset stands before it.
fn exif_start(item: &[u8]) -> Option<usize> {
    let offset = u32::from_be_bytes(item.get(..4)?.try_into().ok()?);
    let start = usize::try_from(offset).ok()?.checked_add(4)?;
    let prefix = if item.get(start..)?.starts_with(EXIF) { EXIF.len() } else { 0 };
    Some(start + prefix)
}
