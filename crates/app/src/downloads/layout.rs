//! Where every byte of a ZIP lies, worked out before any of them is read.
//!
//! Entries are stored as they are (APPNOTE 4.4.5, method 0), and their sizes and checksums are known beforehand, so the
//! whole archive is a function of the list of its entries: its length is exact, and any part of it can be made without
//! the parts before. The format is PKWARE's APPNOTE.TXT, version 6.3.10, whose sections are named here:
//!
//! ```text
//! local file header 1 (4.3.7)   bytes of file 1
//! …
//! local file header n           bytes of file n
//! central directory header 1 (4.3.12)  …  central directory header n
//! ZIP64 end of central directory record (4.3.14) and its locator (4.3.15), when something does not fit
//! end of central directory record (4.3.16)
//! ```
//!
//! What does not fit its 16 or 32 bits is written as all ones there and in full in the ZIP64 fields (4.4.1.4, 4.5.3): a
//! file or an offset of 4 GiB less one byte, or 65,535 entries. Archives without such a thing have no ZIP64 fields, which
//! some old readers do not know.

use std::ops::Range;

use domain::Timestamp;

/// The largest number that 32 bits hold means "see the ZIP64 field" (4.4.1.4).
const ONES32: u64 = 0xFFFF_FFFF;
/// The same of 16 bits.
const ONES16: u64 = 0xFFFF;
/// Version needed to extract (4.4.3): 1.0, or 4.5 where ZIP64 fields are.
const PLAIN: u16 = 10;
const ZIP64: u16 = 45;
/// Version made by (4.4.2): Unix, so that the mode below is read as one; 4.5 of the specification.
const MADE_BY: u16 = 3 << 8 | ZIP64;
/// External attributes (4.4.15): a regular file that everybody may read, in the upper half, as Unix has it.
const MODE: u32 = 0o100_644 << 16;
/// Header of the ZIP64 extra field (4.5.3).
const EXTRA: u16 = 0x0001;

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name: ASCII, without folders, at most 65,535 bytes.
    pub name: String,
    /// Its bytes.
    pub size: u64,
    /// Their CRC-32.
    pub crc32: u32,
    /// When it was last changed.
    pub modified: Timestamp,
}

/// A part of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// These bytes.
    Bytes(Vec<u8>),
    /// These bytes of a file.
    File {
        /// Which of the entries.
        entry: usize,
        /// Which of its bytes.
        range: Range<u64>,
    },
}

impl Piece {
    /// How many bytes.
    pub fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { range, .. } => range.end - range.start,
        }
    }
}

struct Placed {
    entry: Entry,
    /// Where its local header begins.
    header: u64,
    /// Where its central directory header begins.
    central: u64,
}

/// An archive: its entries, and where each lies.
pub struct Layout {
    placed: Vec<Placed>,
    /// Where the central directory begins, and where its end records do.
    directory: Range<u64>,
    length: u64,
}

impl Layout {
    /// The archive of these entries, in their order.
    pub fn new(entries: Vec<Entry>) -> Self {
        let mut at = 0;
        let mut placed: Vec<Placed> = Vec::with_capacity(entries.len());
        for entry in entries {
            let header = at;
            at += local_header(&entry).len() as u64 + entry.size;
            placed.push(Placed { entry, header, central: 0 });
        }
        let start = at;
        for placed in &mut placed {
            placed.central = at;
            at += central_header(placed).len() as u64;
        }
        let mut layout = Self { placed, directory: start..at, length: 0 };
        layout.length = at + layout.end().len() as u64;
        layout
    }

    /// Its bytes, all of them.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Its entries.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.placed.iter().map(|placed| &placed.entry)
    }

    /// The bytes of `range`, piece by piece; what of it lies behind the end is left out.
    pub fn pieces(&self, range: Range<u64>) -> impl Iterator<Item = Piece> {
        let range = range.start.min(self.length)..range.end.min(self.length);
        // The parts are in order: the first one that matters is the last that begins at or before the range.
        let first = partition(self.parts(), |part| self.start(part) <= range.start).saturating_sub(1);
        (first..self.parts())
            .map(move |part| (self.start(part), part))
            .take_while({
                let end = range.end;
                move |(start, _)| *start < end
            })
            .map(move |(start, part)| self.cut(part, start, &range))
            .filter(|piece| piece.length() > 0)
    }

    /// Local headers and files by turns, then central headers, then the end.
    fn parts(&self) -> usize {
        self.placed.len() * 3 + 1
    }

    /// Where a part begins.
    fn start(&self, part: usize) -> u64 {
        let count = self.placed.len();
        match part {
            part if part < count * 2 && part.is_multiple_of(2) => self.placed[part / 2].header,
            part if part < count * 2 => {
                let placed = &self.placed[part / 2];
                placed.header + local_header(&placed.entry).len() as u64
            }
            part if part < count * 3 => self.placed[part - count * 2].central,
            _ => self.directory.end,
        }
    }

    /// What of a part lies in `range`.
    fn cut(&self, part: usize, start: u64, range: &Range<u64>) -> Piece {
        let count = self.placed.len();
        let within = |length: u64| {
            let from = range.start.saturating_sub(start).min(length);
            from..range.end.saturating_sub(start).clamp(from, length)
        };
        let bytes = match part {
            part if part < count * 2 && !part.is_multiple_of(2) => {
                return Piece::File { entry: part / 2, range: within(self.placed[part / 2].entry.size) };
            }
            part if part < count * 2 => local_header(&self.placed[part / 2].entry),
            part if part < count * 3 => central_header(&self.placed[part - count * 2]),
            _ => self.end(),
        };
        let within = within(bytes.len() as u64);
        // Both ends lie within a length that is a usize.
        Piece::Bytes(bytes[within.start as usize..within.end as usize].to_vec())
    }

    /// The end records (4.3.14 to 4.3.16).
    fn end(&self) -> Vec<u8> {
        let (count, offset) = (self.placed.len() as u64, self.directory.start);
        let size = self.directory.end - offset;
        let mut out = Vec::new();
        if count >= ONES16 || size >= ONES32 || offset >= ONES32 {
            let record = self.directory.end;
            out.extend(0x0606_4B50_u32.to_le_bytes());
            // Its size without the twelve bytes up to here.
            out.extend(44_u64.to_le_bytes());
            out.extend(MADE_BY.to_le_bytes());
            out.extend(ZIP64.to_le_bytes());
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
        out.extend(short(count).to_le_bytes());
        out.extend(short(count).to_le_bytes());
        out.extend(long(size).to_le_bytes());
        out.extend(long(offset).to_le_bytes());
        // No comment.
        out.extend([0; 2]);
        out
    }
}

/// A local file header (4.3.7).
fn local_header(entry: &Entry) -> Vec<u8> {
    let large = entry.size >= ONES32;
    let mut out = Vec::with_capacity(50 + entry.name.len());
    out.extend(0x0403_4B50_u32.to_le_bytes());
    out.extend(if large { ZIP64 } else { PLAIN }.to_le_bytes());
    described(entry, &mut out);
    out.extend(if large { 20_u16 } else { 0 }.to_le_bytes());
    out.extend(entry.name.as_bytes());
    if large {
        // Here both sizes have to stand, whichever of them does not fit (4.5.3).
        out.extend(EXTRA.to_le_bytes());
        out.extend(16_u16.to_le_bytes());
        out.extend(entry.size.to_le_bytes());
        out.extend(entry.size.to_le_bytes());
    }
    out
}

/// A central directory header (4.3.12).
fn central_header(placed: &Placed) -> Vec<u8> {
    let Placed { entry, header, .. } = placed;
    let mut extra = Vec::new();
    if entry.size >= ONES32 {
        extra.extend(entry.size.to_le_bytes());
        extra.extend(entry.size.to_le_bytes());
    }
    if *header >= ONES32 {
        extra.extend(header.to_le_bytes());
    }
    let mut out = Vec::with_capacity(78 + entry.name.len());
    out.extend(0x0201_4B50_u32.to_le_bytes());
    out.extend(MADE_BY.to_le_bytes());
    out.extend(if extra.is_empty() { PLAIN } else { ZIP64 }.to_le_bytes());
    described(entry, &mut out);
    let extra_length = if extra.is_empty() { 0 } else { extra.len() as u16 + 4 };
    out.extend(extra_length.to_le_bytes());
    // No comment, the first disk, no internal attributes.
    out.extend([0; 6]);
    out.extend(MODE.to_le_bytes());
    out.extend(long(*header).to_le_bytes());
    out.extend(entry.name.as_bytes());
    if !extra.is_empty() {
        out.extend(EXTRA.to_le_bytes());
        out.extend((extra.len() as u16).to_le_bytes());
        out.extend(extra);
    }
    out
}

/// What both headers say of a file, from the flags to the length of its name.
fn described(entry: &Entry, out: &mut Vec<u8>) {
    let (time, date) = dos_time(entry.modified);
    // No flags: sizes stand here and not behind the file, names are ASCII. Method 0: stored.
    out.extend([0; 4]);
    out.extend(time.to_le_bytes());
    out.extend(date.to_le_bytes());
    out.extend(entry.crc32.to_le_bytes());
    out.extend(long(entry.size).to_le_bytes());
    out.extend(long(entry.size).to_le_bytes());
    out.extend((entry.name.len() as u16).to_le_bytes());
}

/// Time and date in two seconds' steps (4.4.6), in UTC since there is no time zone in them; the first moment of 1980 for
/// every earlier one, the last of 2107 for every later one.
fn dos_time(at: Timestamp) -> (u16, u16) {
    const LAST: (u16, u16) = (23 << 11 | 59 << 5 | 29, 127 << 9 | 12 << 5 | 31);
    const FIRST: (u16, u16) = (0, 1 << 5 | 1);
    let Ok(moment) = jiff::Timestamp::from_millisecond(at.as_millis()) else { return LAST };
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

/// A number in 32 bits, all ones where it does not fit.
fn long(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A number in 16 bits, all ones where it does not fit.
fn short(number: u64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// How many of the numbers below `count` are for `before`, which is true for a first few and false for the rest.
fn partition(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) {
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
    fn dos_times_are_utc_and_stay_within_their_years() {
        let at = |text: &str| {
            dos_time(Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond()))
        };
        assert_eq!(at("2026-11-20T09:30:41Z"), (9 << 11 | 30 << 5 | 20, 46 << 9 | 11 << 5 | 20));
        assert_eq!(at("1970-01-01T00:00:00Z"), (0, 33));
        assert_eq!(at("2300-01-01T00:00:00Z"), at("2107-12-31T23:59:58Z"));
        assert_eq!(dos_time(Timestamp::from_millis(i64::MAX)), at("2107-12-31T23:59:59Z"));
    }

    #[test]
    fn the_search_finds_the_first_that_is_not_before() {
        for count in 0..9 {
            for first in 0..=count {
                assert_eq!(partition(count, |number| number < first), first);
            }
        }
    }
}
