//! TIFF structures (TIFF 6.0, CIPA DC-008): whole files, and what EXIF embeds in other formats.
//!
//! An entry that goes is taken out of its directory: the entries behind it move up, nothing else does.

use std::collections::HashSet;
use std::ops::Range;

use super::edits::Edits;
use super::errors::NotRedactable;
use super::{iptc, segments, xmp};
use crate::pictures::Orientation;

const STRIP_OFFSETS: u16 = 0x0111;
const STRIP_BYTE_COUNTS: u16 = 0x0117;
const TILE_OFFSETS: u16 = 0x0144;
const TILE_BYTE_COUNTS: u16 = 0x0145;
const SUB_DIRECTORIES: u16 = 0x014A;
const JPEG_OFFSET: u16 = 0x0201;
const JPEG_LENGTH: u16 = 0x0202;
const XMP: u16 = 0x02BC;
const IPTC: u16 = 0x83BB;
const EXIF_DIRECTORY: u16 = 0x8769;
const GPS_DIRECTORY: u16 = 0x8825;
const INTEROPERABILITY_DIRECTORY: u16 = 0xA005;

/// Entries that name one camera, lens or owner, or may, and keywords: what makers write among their notes nobody knows.
const REMOVED: [u16; 15] = [
    0x8649, // Photoshop's resources, which may have all of this once more
    0x927C, // MakerNote
    0x9C9E, // XPKeywords of Windows, names of people among them
    0xA420, // ImageUniqueID, in which some phones write their own
    0xA430, // CameraOwnerName
    0xA431, // BodySerialNumber
    0xA435, // LensSerialNumber
    0xC62F, // CameraSerialNumber of DNG
    0xC634, // DNGPrivateData
    0xC65D, // RawDataUniqueID
    0xC68B, // OriginalRawFileName
    0xC7A1, // CameraLabel
    0xFDE8, // OwnerName of Photoshop
    0xFDE9, // SerialNumber of Photoshop
    GPS_DIRECTORY,
];
/// In an embedded structure, private entries from here on mean nothing to the picture.
const PRIVATE: u16 = 0xC000;
/// Those that are kept all the same: print image matching, and padding.
const PRIVATE_KEPT: [u16; 2] = [0xC4A5, 0xEA1C];
/// Most directories of one file.
const MOST_DIRECTORIES: usize = 1_024;

/// Overwrites what EXIF embeds, which begins at `base` of the file: whatever no directory leads to goes too. What cannot
/// be read goes as a whole, but for the orientation.
pub(super) fn redact_embedded(data: &[u8], base: usize, edits: &mut Edits) {
    let mut found = Edits::new(data.len());
    let mut walk = Walk::new(data, true);
    if walk.whole(&mut found).is_ok() {
        walk.kept.sort_by_key(|range| range.start);
        let mut at = 0;
        for range in &walk.kept {
            if range.start > at {
                found.clear(at..range.start);
            }
            at = at.max(range.end);
        }
        found.clear(at..data.len());
        edits.append(base, found);
    } else {
        let orientation = Orientation::from_exif(data);
        let minimal = orientation.to_exif();
        // Filling wins over writing: only what is behind it is filled.
        let length = if minimal.len() <= data.len() { minimal.len() } else { 0 };
        edits.clear(base + length..base + data.len());
        edits.write(base, minimal.get(..length).map(<[u8]>::to_vec).unwrap_or_default());
    }
}

/// Overwrites what a TIFF file tells beside its picture.
pub(super) fn redact_file(bytes: &[u8], edits: &mut Edits) -> Result<(), NotRedactable> {
    // A chain that breaks off leads to nothing more.
    let mut walk = Walk::new(bytes, false);
    match walk.whole(edits) {
        Err(NotRedactable) if walk.visited.len() < 2 => Err(NotRedactable),
        _ => Ok(()),
    }
}

/// One structure, directory by directory.
struct Walk<'a> {
    data: &'a [u8],
    is_embedded: bool,
    is_little_endian: bool,
    /// BigTIFF: numbers of entries and offsets have eight bytes.
    is_big: bool,
    visited: HashSet<usize>,
    /// What an embedded structure consists of, once the entries that go are gone.
    kept: Vec<Range<usize>>,
}

/// An entry of a directory.
struct Entry {
    tag: u16,
    /// Where it stands in the directory.
    at: Range<usize>,
    /// Where its value is: in the entry itself or elsewhere.
    value: Range<usize>,
    /// How many bytes one of its numbers has.
    size: usize,
    /// Whether the value says to be longer than the structure.
    is_cut: bool,
}

impl<'a> Walk<'a> {
    fn new(data: &'a [u8], is_embedded: bool) -> Self {
        Self {
            data,
            is_embedded,
            is_little_endian: true,
            is_big: false,
            visited: HashSet::new(),
            kept: Vec::new(),
        }
    }

    fn whole(&mut self, edits: &mut Edits) -> Result<(), NotRedactable> {
        self.is_little_endian = match self.data.get(..2) {
            Some(b"II") => true,
            Some(b"MM") => false,
            _ => return Err(NotRedactable),
        };
        self.is_big = match self.number(2, 2)? {
            42 => false,
            43 => true,
            _ => return Err(NotRedactable),
        };
        let header = if self.is_big { 16 } else { 8 };
        let mut next = self.number(header - self.offset_size(), self.offset_size())?;
        self.kept.push(0..header);
        while next != 0 {
            next = match self.directory(next, true, edits) {
                Ok(next) => next,
                // A thumbnail that cannot be read is not kept, and costs nothing else.
                Err(_) if self.is_embedded && !self.kept_nothing() => break,
                Err(error) => return Err(error),
            };
        }
        Ok(())
    }

    /// Whether no directory was read, only the header.
    const fn kept_nothing(&self) -> bool {
        self.kept.len() < 2
    }

    const fn offset_size(&self) -> usize {
        if self.is_big { 8 } else { 4 }
    }

    fn number(&self, at: usize, size: usize) -> Result<usize, NotRedactable> {
        let bytes = at.checked_add(size).and_then(|end| self.data.get(at..end)).ok_or(NotRedactable)?;
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let number =
            if self.is_little_endian { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) };
        usize::try_from(number).map_err(|_| NotRedactable)
    }

    /// The directory's entries and where they end.
    fn entries(&self, offset: usize) -> Result<(Vec<Entry>, usize), NotRedactable> {
        let (count_size, offset_size) = if self.is_big { (8, 8) } else { (2, 4) };
        let entry_size = 4 + 2 * offset_size;
        let count = self.number(offset, count_size)?;
        let start = offset + count_size;
        let end = count.checked_mul(entry_size).and_then(|size| start.checked_add(size));
        let end = end.filter(|end| *end <= self.data.len()).ok_or(NotRedactable)?;
        let mut entries = Vec::with_capacity(count);
        for at in (start..end).step_by(entry_size) {
            let size = type_size(self.number(at + 2, 2)?);
            let length = self.number(at + 4, offset_size)?.checked_mul(size).ok_or(NotRedactable)?;
            let inline = at + 4 + offset_size;
            let value_at = if length <= offset_size { inline } else { self.number(inline, offset_size)? };
            // One that reaches beyond the end is cut: nothing of it is elsewhere.
            let value_at = value_at.min(self.data.len());
            let end = value_at.saturating_add(length);
            let (value, is_cut) = (value_at..end.min(self.data.len()), end > self.data.len());
            let tag = self.number(at, 2)? as u16;
            entries.push(Entry { tag, at: at..at + entry_size, value, size, is_cut });
        }
        Ok((entries, end))
    }

    /// Reads a directory and those below it; answers where the next one of the chain is, 0 at its end.
    fn directory(
        &mut self,
        offset: usize,
        is_chained: bool,
        edits: &mut Edits,
    ) -> Result<usize, NotRedactable> {
        if !self.visited.insert(offset) || self.visited.len() > MOST_DIRECTORIES {
            return Err(NotRedactable);
        }
        let (entries, end) = self.entries(offset)?;
        let next_at = end..end + self.offset_size();
        // Some programs write none behind the last directory.
        let next = if is_chained { self.number(end, self.offset_size()).unwrap_or(0) } else { 0 };
        let thumbnails = self.pictures(&entries, JPEG_OFFSET, JPEG_LENGTH);
        // A thumbnail is a bare picture. One that tells more goes.
        let are_bare = thumbnails.iter().all(|picture| segments::is_bare(&self.data[picture.clone()]));
        let mut kept = Vec::with_capacity(entries.len());
        for entry in &entries {
            let is_thumbnail = matches!(entry.tag, JPEG_OFFSET | JPEG_LENGTH);
            // A value without end would keep all that is behind it.
            let is_readable = !(entry.is_cut && self.is_embedded);
            if is_readable && self.keeps(entry, edits)? && (are_bare || !is_thumbnail) {
                kept.push(entry);
            } else if !self.is_embedded && !entry.at.contains(&entry.value.start) {
                // What is in the entry goes with it: another one moves into its place.
                edits.clear(entry.value.clone());
            }
        }
        if are_bare {
            self.kept.extend(thumbnails);
        } else {
            thumbnails.into_iter().for_each(|picture| edits.clear(picture));
        }
        for (offsets, lengths) in [(STRIP_OFFSETS, STRIP_BYTE_COUNTS), (TILE_OFFSETS, TILE_BYTE_COUNTS)] {
            let pictures = self.pictures(&entries, offsets, lengths);
            self.kept.extend(pictures);
        }
        self.kept.extend(kept.iter().map(|entry| entry.value.clone()));
        self.kept.push(offset..end);
        if kept.len() == entries.len() {
            self.kept.push(next_at.start..next_at.end.min(self.data.len()));
            return Ok(next);
        }
        let mut table = self.bytes_of(kept.len(), if self.is_big { 8 } else { 2 });
        for entry in &kept {
            table.extend(&self.data[entry.at.clone()]);
        }
        table.extend(self.bytes_of(next, self.offset_size()));
        table.resize(end - offset, 0);
        edits.write(offset, table);
        Ok(next)
    }

    fn bytes_of(&self, number: usize, size: usize) -> Vec<u8> {
        let bytes = (number as u64).to_le_bytes();
        let bytes = bytes[..size].iter().copied();
        if self.is_little_endian { bytes.collect() } else { bytes.rev().collect() }
    }

    /// Whether an entry stays; what is inside it is overwritten.
    fn keeps(&mut self, entry: &Entry, edits: &mut Edits) -> Result<bool, NotRedactable> {
        let value = &self.data[entry.value.clone()];
        match entry.tag {
            GPS_DIRECTORY if !self.is_embedded => {
                // Elsewhere in the file nothing says that it is unused: it is overwritten where it stands.
                for offset in self.numbers(entry) {
                    self.erase(offset, edits);
                }
                Ok(false)
            }
            EXIF_DIRECTORY | SUB_DIRECTORIES | INTEROPERABILITY_DIRECTORY => {
                for offset in self.numbers(entry) {
                    // Nobody is led to what cannot be read.
                    if self.directory(offset, false, edits).is_err() {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            XMP => {
                xmp::redact(value, entry.value.start, edits);
                Ok(true)
            }
            IPTC => {
                iptc::redact(value, entry.value.start, edits);
                Ok(true)
            }
            tag => {
                let is_private = self.is_embedded && tag >= PRIVATE && !PRIVATE_KEPT.contains(&tag);
                Ok(!is_private && !REMOVED.contains(&tag))
            }
        }
    }

    fn numbers(&self, entry: &Entry) -> Vec<usize> {
        let places = entry.value.clone().step_by(entry.size.max(1));
        places.map_while(|at| self.number(at, entry.size.min(8)).ok()).collect()
    }

    /// Overwrites a directory and its values.
    fn erase(&self, offset: usize, edits: &mut Edits) {
        let Ok((entries, end)) = self.entries(offset) else { return };
        for entry in entries {
            edits.clear(entry.value);
        }
        edits.clear(offset..end);
    }

    /// Where a directory's pictures are: the whole of a file, or the thumbnails of an embedded structure.
    fn pictures(&self, entries: &[Entry], offsets: u16, lengths: u16) -> Vec<Range<usize>> {
        let find = |tag| entries.iter().find(|entry| entry.tag == tag);
        let (Some(starts), Some(sizes)) = (find(offsets), find(lengths)) else { return Vec::new() };
        let pictures = self.numbers(starts).into_iter().zip(self.numbers(sizes));
        pictures
            .map(|(start, size)| {
                let end = start.saturating_add(size).min(self.data.len());
                start.min(end)..end
            })
            .collect()
    }
}

/// How many bytes a number of this type has.
const fn type_size(number: usize) -> usize {
    match number {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16..=18 => 8,
        _ => 1,
    }
}
