//! The byte offsets of a ZIP archive, computed before any file is read.
//!
//! Entries are stored uncompressed (APPNOTE 4.4.5, method 0), and their sizes and checksums are known beforehand, so the
//! whole archive is a function of the list of its entries: its size is exact, and any range of it can be produced
//! without the bytes before it. The format is PKWARE's APPNOTE.TXT, version 6.3.10, whose sections are named here:
//!
//! ```text
//! local file header 1 (4.3.7)   bytes of file 1
//! …
//! local file header n           bytes of file n
//! central directory header 1 (4.3.12)  …  central directory header n
//! ZIP64 end of central directory record (4.3.14) and its locator (4.3.15), when a value overflows
//! end of central directory record (4.3.16)
//! ```
//!
//! A value that overflows its 16 or 32 bits is written as all ones there and in full in the ZIP64 fields (4.4.1.4,
//! 4.5.3): a file or an offset of 4 GiB less one byte, or 65,535 entries. Archives without such a value have no ZIP64
//! fields, which some old readers do not know.

use std::ops::Range;

use domain::Timestamp;
use domain::photos::file_times::FileTime;

/// In a 32-bit field: the value is in the ZIP64 field (4.4.1.4).
const ZIP64_MARKER_32: u64 = 0xFFFF_FFFF;
/// The same in a 16-bit field.
const ZIP64_MARKER_16: u64 = 0xFFFF;
/// Version needed to extract (4.4.3): 1.0, or 4.5 where ZIP64 fields are.
const VERSION_DEFAULT: u16 = 10;
const VERSION_ZIP64: u16 = 45;
/// Version made by (4.4.2): Unix, so that the mode below is read as one; 4.5 of the specification.
const VERSION_MADE_BY: u16 = 3 << 8 | VERSION_ZIP64;
/// External attributes (4.4.15): a regular file of mode 0644, in the upper half, as Unix has it.
const EXTERNAL_ATTRIBUTES: u32 = 0o100_644 << 16;
/// Bit 11 of the flags (4.4.4): the name is UTF-8. Names in ASCII have it not, as old readers expect.
const UTF_8: u16 = 1 << 11;
/// Header id of the ZIP64 extra field (4.5.3).
const ZIP64_EXTRA_FIELD: u16 = 0x0001;
/// Header id of the field of extended timestamps, and its flag for the time of the last change (4.6.1, Info-ZIP's
/// `extrafld.txt`).
const TIMESTAMP_EXTRA_FIELD: u16 = 0x5455;
const MODIFIED: u8 = 1;

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, at most 65,535 bytes, with `/` behind each folder. Folders have no entries of their own.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its CRC-32.
    pub crc32: u32,
    /// When it was last modified.
    pub modified: FileTime,
}

/// A contiguous part of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// These bytes.
    Bytes(Vec<u8>),
    /// A range of a file.
    File {
        /// Index of its entry.
        entry: usize,
        /// The range within the file.
        range: Range<u64>,
    },
}

impl Segment {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { range, .. } => range.end - range.start,
        }
    }
}

struct PlacedEntry {
    entry: Entry,
    /// Offset of its local header.
    local_header: u64,
    /// Offset of its central directory header.
    central_header: u64,
}

/// The entries of an archive and their offsets.
pub struct Layout {
    entries: Vec<PlacedEntry>,
    /// Offsets of the central directory and of the end records behind it.
    directory: Range<u64>,
    size: u64,
}

impl Layout {
    /// The archive of these entries, in their order.
    pub fn new(entries: Vec<Entry>) -> Self {
        let mut offset = 0;
        let mut placed: Vec<PlacedEntry> = Vec::with_capacity(entries.len());
        for entry in entries {
            let local_header = offset;
            offset += local_file_header(&entry).len() as u64 + entry.size;
            placed.push(PlacedEntry { entry, local_header, central_header: 0 });
        }
        let start = offset;
        for placed in &mut placed {
            placed.central_header = offset;
            offset += central_directory_header(placed).len() as u64;
        }
        let mut layout = Self { entries: placed, directory: start..offset, size: 0 };
        layout.size = offset + layout.end_records().len() as u64;
        layout
    }

    /// The archive's size in bytes.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The non-empty segments that make up `range`, clamped to the archive.
    pub fn segments(&self, range: Range<u64>) -> impl Iterator<Item = Segment> {
        let range = range.start.min(self.size)..range.end.min(self.size);
        // Segments are in order: the first one needed is the last that begins at or before the range.
        let count = self.segment_count();
        let first = partition_point(count, |index| self.offset(index) <= range.start).saturating_sub(1);
        (first..count)
            .map(move |index| (self.offset(index), index))
            .take_while({
                let end = range.end;
                move |(offset, _)| *offset < end
            })
            .map(move |(offset, index)| self.intersect(index, offset, &range))
            .filter(|segment| segment.size() > 0)
    }

    /// Local headers and files in turn, then central directory headers, then the end records.
    fn segment_count(&self) -> usize {
        self.entries.len() * 3 + 1
    }

    fn offset(&self, segment: usize) -> u64 {
        let count = self.entries.len();
        match segment {
            index if index < count * 2 && index.is_multiple_of(2) => self.entries[index / 2].local_header,
            index if index < count * 2 => {
                let placed = &self.entries[index / 2];
                placed.local_header + local_file_header(&placed.entry).len() as u64
            }
            index if index < count * 3 => self.entries[index - count * 2].central_header,
            _ => self.directory.end,
        }
    }

    /// The part of a segment, which begins at `offset`, that is in `range`.
    fn intersect(&self, segment: usize, offset: u64, range: &Range<u64>) -> Segment {
        let count = self.entries.len();
        let within = |size: u64| {
            let from = range.start.saturating_sub(offset).min(size);
            from..range.end.saturating_sub(offset).clamp(from, size)
        };
        let bytes = match segment {
            index if index < count * 2 && !index.is_multiple_of(2) => {
                let entry = index / 2;
                return Segment::File { entry, range: within(self.entries[entry].entry.size) };
            }
            index if index < count * 2 => local_file_header(&self.entries[index / 2].entry),
            index if index < count * 3 => central_directory_header(&self.entries[index - count * 2]),
            _ => self.end_records(),
        };
        let within = within(bytes.len() as u64);
        // Both ends are within a length that is a usize.
        Segment::Bytes(bytes[within.start as usize..within.end as usize].to_vec())
    }

    /// The end records (4.3.14 to 4.3.16).
    fn end_records(&self) -> Vec<u8> {
        let (count, offset) = (self.entries.len() as u64, self.directory.start);
        let size = self.directory.end - offset;
        let mut out = Vec::new();
        if count >= ZIP64_MARKER_16 || size >= ZIP64_MARKER_32 || offset >= ZIP64_MARKER_32 {
            let record = self.directory.end;
            out.extend(0x0606_4B50_u32.to_le_bytes());
            // Its size without the twelve bytes up to here.
            out.extend(44_u64.to_le_bytes());
            out.extend(VERSION_MADE_BY.to_le_bytes());
            out.extend(VERSION_ZIP64.to_le_bytes());
            // This disk, and the one where the directory begins.
            out.extend([0; 8]);
            for number in [count, count, size, offset] {
                out.extend(number.to_le_bytes());
            }
            // The locator: the record's disk, its offset, and how many disks there are.
            out.extend(0x0706_4B50_u32.to_le_bytes());
            out.extend(0_u32.to_le_bytes());
            out.extend(record.to_le_bytes());
            out.extend(1_u32.to_le_bytes());
        }
        out.extend(0x0605_4B50_u32.to_le_bytes());
        out.extend([0; 4]);
        out.extend(u16_or_marker(count).to_le_bytes());
        out.extend(u16_or_marker(count).to_le_bytes());
        out.extend(u32_or_marker(size).to_le_bytes());
        out.extend(u32_or_marker(offset).to_le_bytes());
        // No comment.
        out.extend([0; 2]);
        out
    }
}

/// A local file header (4.3.7).
fn local_file_header(entry: &Entry) -> Vec<u8> {
    let is_zip64 = entry.size >= ZIP64_MARKER_32;
    let timestamp = timestamp_field(entry.modified.at);
    let mut out = Vec::with_capacity(59 + entry.name.len());
    out.extend(0x0403_4B50_u32.to_le_bytes());
    out.extend(if is_zip64 { VERSION_ZIP64 } else { VERSION_DEFAULT }.to_le_bytes());
    write_common_fields(entry, &mut out);
    let zip64_length = if is_zip64 { 20 } else { 0 };
    out.extend((zip64_length + timestamp.len() as u16).to_le_bytes());
    out.extend(entry.name.as_bytes());
    if is_zip64 {
        // Here both sizes are mandatory, whichever of them overflows (4.5.3).
        out.extend(ZIP64_EXTRA_FIELD.to_le_bytes());
        out.extend(16_u16.to_le_bytes());
        out.extend(entry.size.to_le_bytes());
        out.extend(entry.size.to_le_bytes());
    }
    out.extend(timestamp);
    out
}

/// A central directory header (4.3.12).
fn central_directory_header(placed: &PlacedEntry) -> Vec<u8> {
    let PlacedEntry { entry, local_header, .. } = placed;
    let mut extra = Vec::new();
    if entry.size >= ZIP64_MARKER_32 {
        extra.extend(entry.size.to_le_bytes());
        extra.extend(entry.size.to_le_bytes());
    }
    if *local_header >= ZIP64_MARKER_32 {
        extra.extend(local_header.to_le_bytes());
    }
    let timestamp = timestamp_field(entry.modified.at);
    let mut out = Vec::with_capacity(87 + entry.name.len());
    out.extend(0x0201_4B50_u32.to_le_bytes());
    out.extend(VERSION_MADE_BY.to_le_bytes());
    out.extend(if extra.is_empty() { VERSION_DEFAULT } else { VERSION_ZIP64 }.to_le_bytes());
    write_common_fields(entry, &mut out);
    let extra_length = if extra.is_empty() { 0 } else { extra.len() as u16 + 4 };
    out.extend((extra_length + timestamp.len() as u16).to_le_bytes());
    // No comment, the first disk, no internal attributes.
    out.extend([0; 6]);
    out.extend(EXTERNAL_ATTRIBUTES.to_le_bytes());
    out.extend(u32_or_marker(*local_header).to_le_bytes());
    out.extend(entry.name.as_bytes());
    if !extra.is_empty() {
        out.extend(ZIP64_EXTRA_FIELD.to_le_bytes());
        out.extend((extra.len() as u16).to_le_bytes());
        out.extend(extra);
    }
    out.extend(timestamp);
    out
}

/// The moment in seconds since 1970, which a reader shows by its own clock; empty where it does not fit 32 bits with a sign.
fn timestamp_field(at: Timestamp) -> Vec<u8> {
    let Ok(seconds) = i32::try_from(at.as_seconds()) else { return Vec::new() };
    let [id1, id0] = TIMESTAMP_EXTRA_FIELD.to_le_bytes();
    [&[id1, id0, 5, 0, MODIFIED][..], &seconds.to_le_bytes()].concat()
}

/// The fields that both headers share, from the flags to the length of the name.
fn write_common_fields(entry: &Entry, out: &mut Vec<u8>) {
    let (time, date) = dos_time(entry.modified.clock);
    // No other flag: sizes are here and not in a data descriptor.
    out.extend(if entry.name.is_ascii() { 0 } else { UTF_8 }.to_le_bytes());
    // Method 0: stored.
    out.extend([0; 2]);
    out.extend(time.to_le_bytes());
    out.extend(date.to_le_bytes());
    out.extend(entry.crc32.to_le_bytes());
    out.extend(u32_or_marker(entry.size).to_le_bytes());
    out.extend(u32_or_marker(entry.size).to_le_bytes());
    out.extend((entry.name.len() as u16).to_le_bytes());
}

/// MS-DOS time and date with a resolution of two seconds (4.4.6), by the clock that people looked at, since they carry no
/// time zone, clamped to the years 1980 to 2107.
fn dos_time(clock: Timestamp) -> (u16, u16) {
    const LAST: (u16, u16) = (23 << 11 | 59 << 5 | 29, 127 << 9 | 12 << 5 | 31);
    const FIRST: (u16, u16) = (0, 1 << 5 | 1);
    let Ok(moment) = jiff::Timestamp::from_millisecond(clock.as_millis()) else { return LAST };
    let moment = moment.to_zoned(jiff::tz::TimeZone::UTC).datetime();
    let part = |value: i8| u16::from(value.unsigned_abs());
    match moment.year() {
        ..1980 => FIRST,
        year @ 1980..=2107 => (
            part(moment.hour()) << 11 | part(moment.minute()) << 5 | (part(moment.second()) / 2),
            (year.unsigned_abs() - 1980) << 9 | part(moment.month()) << 5 | part(moment.day()),
        ),
        _ => LAST,
    }
}

fn u32_or_marker(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn u16_or_marker(number: u64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// [`slice::partition_point`] for the numbers below `count`.
fn partition_point(count: usize, predicate: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if predicate(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dos_times_are_by_the_clock_and_clamped() {
        let at = |text: &str| {
            dos_time(Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond()))
        };
        assert_eq!(at("2026-11-20T09:30:41Z"), (9 << 11 | 30 << 5 | 20, 46 << 9 | 11 << 5 | 20));
        assert_eq!(at("1970-01-01T00:00:00Z"), (0, 33));
        assert_eq!(at("2300-01-01T00:00:00Z"), at("2107-12-31T23:59:58Z"));
        assert_eq!(dos_time(Timestamp::from_millis(i64::MAX)), at("2107-12-31T23:59:59Z"));
    }

    #[test]
    fn a_moment_that_does_not_fit_has_no_field() {
        let field = |seconds: i64| timestamp_field(Timestamp::from_millis(seconds * 1_000));
        assert_eq!(
            field(1_795_165_200),
            [b"UT\x05\0\x01".as_slice(), &1_795_165_200_i32.to_le_bytes()].concat()
        );
        assert_eq!(field(-1), b"UT\x05\0\x01\xFF\xFF\xFF\xFF");
        assert_eq!(field(1 << 31), b"");
    }

    #[test]
    fn the_partition_point_is_the_first_number_that_fails_the_predicate() {
        for count in 0..9 {
            for first in 0..=count {
                assert_eq!(partition_point(count, |number| number < first), first);
            }
        }
    }
}
