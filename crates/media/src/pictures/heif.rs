//! HEIF with HEVC inside, which phones write as HEIC, by the `heifer` crate, which decodes whole pictures.
//!
//! A HEIF file is a tree: a grid or an overlay names pictures that may be grids or overlays themselves. The tree is
//! weighed before anything is decoded, because a few bytes can name one large picture a thousand times.

use std::collections::HashMap;

use domain::photos::MAX_PIXELS;
use heifer::heifer_hevc_dec::nal::{NalHeader, NalUnit, NalUnitType, split_annex_b};
use heifer::heifer_hevc_dec::params::Sps;
use heifer::heifer_isobmff::boxes::FileType;
use heifer::heifer_isobmff::{BoxIter, Error as ContainerError, HeifFile, ItemId, read_box_header};

use super::canvas::{Canvas, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat, over_white};
use super::errors::Unreadable;
use super::limits::{Measured, check_memory, check_size};
use super::orientation::Orientation;
use crate::items;

/// Brands of files whose pictures are coded with HEVC (ISO/IEC 23008-12, annex B).
const BRANDS: [&[u8; 4]; 4] = [b"heic", b"heix", b"heim", b"heis"];
/// Most pixels that all parts of a picture have together: tiles reach beyond a grid's edges, and a picture may have a
/// plane of transparency.
const MOST_CODED_PIXELS: u64 = 3 * MAX_PIXELS;
/// Most parts of a picture. A phone's photo of 48 megapixels has some two hundred.
const MOST_PARTS: u32 = 4096;
/// How deep pictures may be nested.
const MOST_LEVELS: u32 = 4;
/// What a pixel takes at the worst moment, in bytes: RGBA beside the coded picture in 16 bits, or RGBA twice while it
/// is turned.
const BYTES_A_PIXEL: u64 = 8;

/// Whether the header is that of a HEIF file that is coded with HEVC.
pub(super) fn recognise(bytes: &[u8]) -> bool {
    let Ok(header) = read_box_header(bytes) else { return false };
    // A truncated box is detected later; the complete brands decide.
    let end = header.size.map_or(bytes.len(), |size| usize::try_from(size).unwrap_or(usize::MAX));
    let content = bytes.get(header.header_size as usize..end.min(bytes.len())).unwrap_or_default();
    header.box_type.0 == *b"ftyp"
        && FileType::parse(content).is_ok_and(|file| BRANDS.iter().any(|brand| file.has_brand(brand)))
}

/// The boxes of a file, unless there are so many items in it that going through them would take minutes.
pub(super) fn parse(bytes: &[u8]) -> Result<HeifFile<'_>, Unreadable> {
    if items::are_too_many(bytes) {
        return Err(Unreadable::TooComplex);
    }
    HeifFile::parse(bytes).map_err(container)
}

/// What decoding takes: the whole picture, twice.
pub(super) fn measure(bytes: &[u8]) -> Result<Measured, Unreadable> {
    let file = parse(bytes)?;
    let (width, height) = file.image_size(file.primary_id).map_err(container)?.ok_or(Unreadable::Damaged)?;
    check_size(width, height)?;
    let working = u64::from(width) * u64::from(height) * BYTES_A_PIXEL;
    Ok(Measured { width, height, working, averaged: true })
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    // A box that says it is longer than what is left of the file was torn off.
    for found in BoxIter::new(bytes) {
        found.map_err(container)?;
    }
    let file = parse(bytes)?;
    let (width, height) = file.image_size(file.primary_id).map_err(container)?.ok_or(Unreadable::Damaged)?;
    check_size(width, height)?;
    check_memory(u64::from(width) * u64::from(height) * BYTES_A_PIXEL)?;
    Weight::default().add(&file, file.primary_id, 0)?;

    let options = heifer::Options { max_threads: 1, max_pixels: MAX_PIXELS };
    // Turned and mirrored already: a HEIF file says so itself, and its EXIF orientation counts for nothing.
    let picture = heifer::decode_rgba8(bytes, &options).map_err(unreadable)?;
    let (width, height) = (picture.width, picture.height);
    check_size(width, height)?;
    let icc = file.icc_profile(file.primary_id).map_err(container)?;
    let mut canvas = Canvas::new(purpose, width, height, Colour::new(PixelFormat::Rgb, icc));
    let mut row = Vec::new();
    for (y, stored) in picture.data.chunks_exact(width as usize * 4).enumerate() {
        row.clear();
        row.extend_from_slice(stored);
        over_white(&mut row, 4);
        canvas.put(0, y, 1, &row);
    }
    Ok(Decoded { width, height, orientation: Orientation::UPRIGHT, content: canvas.finish()? })
}

/// What decoding a picture will cost, added up over its parts as often as they are named.
#[derive(Default)]
struct Weight {
    pixels: u64,
    parts: u32,
    /// The coded size of each part that was inspected.
    coded: HashMap<ItemId, u64>,
}

impl Weight {
    fn add(&mut self, file: &HeifFile<'_>, id: ItemId, level: u32) -> Result<(), Unreadable> {
        self.parts += 1;
        if level > MOST_LEVELS || self.parts > MOST_PARTS {
            return Err(Unreadable::TooComplex);
        }
        if file.hevc_config(id).map_err(container)?.is_some() {
            let pixels = match self.coded.get(&id) {
                Some(pixels) => *pixels,
                None => coded_pixels(file, id)?,
            };
            self.coded.insert(id, pixels);
            self.pixels = self.pixels.saturating_add(pixels);
            if self.pixels > MOST_CODED_PIXELS {
                return Err(Unreadable::TooComplex);
            }
        }
        for part in file.referenced_items(id, b"dimg") {
            self.add(file, *part, level + 1)?;
        }
        for plane in file.referencing_items(id, b"auxl") {
            // A gain map and a depth map are there too; only transparency is decoded, and all are cheap to count.
            if plane != id {
                self.add(file, plane, level + 1)?;
            }
        }
        Ok(())
    }
}

/// How many pixels a part's own coded data says it has, whatever the container says.
fn coded_pixels(file: &HeifFile<'_>, id: ItemId) -> Result<u64, Unreadable> {
    let stream = file.hevc_bitstream(id).map_err(container)?;
    let mut most = 0;
    for unit in split_annex_b(&stream) {
        if NalHeader::parse(unit).is_ok_and(|header| header.unit_type == NalUnitType::Sps) {
            let unit = NalUnit::parse(unit).map_err(|_| Unreadable::Damaged)?;
            let sequence = Sps::parse(&unit.rbsp).map_err(|_| Unreadable::Damaged)?;
            let (width, height) = (sequence.pic_width_in_luma_samples, sequence.pic_height_in_luma_samples);
            check_size(width, height)?;
            most = most.max(u64::from(width) * u64::from(height));
        }
    }
    Ok(most)
}

pub(super) fn container(error: ContainerError) -> Unreadable {
    match error {
        ContainerError::UnexpectedEof | ContainerError::MissingBox(_) => Unreadable::Truncated,
        _ => Unreadable::Damaged,
    }
}

fn unreadable(error: heifer::Error) -> Unreadable {
    match error {
        heifer::Error::Container(error) => container(error),
        heifer::Error::Unsupported(_) => Unreadable::UnknownKind,
        _ => Unreadable::Damaged,
    }
}
