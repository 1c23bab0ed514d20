//! ZIP layouts, read back with another implementation; the contents of the largest ones are generated on demand.

use std::io::{Read, Seek, SeekFrom};

use domain::Timestamp;
use domain::photos::file_times::FileTime;
use media::zip::{Entry, Layout, Segment};
use proptest::prelude::*;
use zip::{CompressionMethod, ExtraField, ZipArchive};

const GIB: u64 = 1 << 30;

/// The byte at offset `at` of entry `number`.
fn content(number: usize, at: u64) -> u8 {
    (at.wrapping_mul(31) >> 3) as u8 ^ number as u8
}

fn entry(number: usize, size: u64) -> Entry {
    let mut crc32 = crc32fast::Hasher::new();
    // The large ones are never read to their end.
    if size < GIB {
        let bytes: Vec<u8> = (0..size).map(|at| content(number, at)).collect();
        crc32.update(&bytes);
    }
    Entry {
        name: format!("photo-{}.jpg", number + 1),
        size,
        crc32: crc32.finalize(),
        // 9:00 in UTC, and half past two in the afternoon in Kolkata.
        modified: FileTime {
            clock: Timestamp::from_millis(1_795_165_200_000 + 19_800_000),
            at: Timestamp::from_millis(1_795_165_200_000),
        },
    }
}

fn bytes_of(segment: Segment) -> Vec<u8> {
    match segment {
        Segment::Bytes(bytes) => bytes,
        Segment::File { entry, range } => range.map(|at| content(entry, at)).collect(),
    }
}

/// An archive as a seekable file whose contents are generated as they are read.
struct Archive {
    layout: Layout,
    at: u64,
}

impl Archive {
    fn new(sizes: &[u64]) -> Self {
        let entries = sizes.iter().enumerate().map(|(number, size)| entry(number, *size)).collect();
        Self { layout: Layout::new(entries), at: 0 }
    }
}

impl Read for Archive {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let mut done = 0;
        for segment in self.layout.segments(self.at..self.at + out.len() as u64) {
            let bytes = bytes_of(segment);
            out[done..done + bytes.len()].copy_from_slice(&bytes);
            done += bytes.len();
        }
        self.at += done as u64;
        Ok(done)
    }
}

impl Seek for Archive {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.layout.size().checked_add_signed(by).unwrap(),
            SeekFrom::Current(by) => self.at.checked_add_signed(by).unwrap(),
        };
        Ok(self.at)
    }
}

fn whole(layout: &Layout) -> Vec<u8> {
    layout.segments(0..layout.size()).flat_map(bytes_of).collect()
}

#[test]
fn an_archive_is_read_back_by_another_implementation() {
    // [DOWN033] [DOWN035]
    let sizes = [3, 70_000, 0, 1];
    let archive = Archive::new(&sizes);
    assert_eq!(whole(&archive.layout).len() as u64, archive.layout.size());
    assert!(!whole(&archive.layout).windows(4).any(|four| four == b"PK\x06\x06"), "no ZIP64 without need");
    let mut zip = ZipArchive::new(archive).unwrap();
    assert_eq!(zip.len(), sizes.len());
    for (number, size) in sizes.into_iter().enumerate() {
        let mut file = zip.by_index(number).unwrap();
        assert_eq!(file.name().unwrap(), format!("photo-{}.jpg", number + 1));
        assert_eq!(file.compression(), CompressionMethod::Stored);
        assert_eq!((file.size(), file.unix_mode()), (size, Some(0o100_644)));
        let time = file.last_modified().unwrap();
        assert_eq!((time.year(), time.month(), time.day(), time.hour()), (2026, 11, 20, 14));
        let moment = file.extra_data_fields().find_map(|field| match field {
            ExtraField::ExtendedTimestamp(field) => field.mod_time(),
            _ => None,
        });
        assert_eq!(moment, Some(1_795_165_200));
        // Reading to the end compares the checksum.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len() as u64, size);
    }
}

#[test]
fn names_have_folders_and_every_script() {
    // [ACC180]
    let names = ["data.json", "events/14 Party/a.jpg", "events/मीरा और अर्जुन/é 👰🏽.jpg", "library/Ω.png"];
    let entries = names.iter().map(|name| Entry { name: (*name).to_owned(), ..entry(0, 3) }).collect();
    let layout = Layout::new(entries);
    let whole: Vec<u8> = layout
        .segments(0..layout.size())
        .flat_map(|segment| match segment {
            Segment::File { range, .. } => range.map(|at| content(0, at)).collect(),
            Segment::Bytes(bytes) => bytes,
        })
        .collect();
    let mut zip = ZipArchive::new(std::io::Cursor::new(whole)).unwrap();
    for (number, name) in names.into_iter().enumerate() {
        let mut file = zip.by_index(number).unwrap();
        // Without the flag of UTF-8 other readers take the bytes for a code page of DOS, and so does this one.
        assert_eq!(file.name().unwrap(), name);
        assert_eq!(file.enclosed_name().unwrap().to_str(), Some(name));
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 3);
    }
}

#[test]
fn archives_and_files_beyond_4_gib_are_read_back() {
    // [DOWN032]
    let large = [7, 3 * GIB, 2 * GIB, 9];
    let huge = [7, 5 * GIB, 9];
    // Exactly where the plain fields end: an offset, then a size, of all ones.
    let header = 30 + "photo-1.jpg".len() as u64;
    let edges = [[0xFFFF_FFFF - header, 9], [0xFFFF_FFFE, 9], [0xFFFF_FFFF, 9]];
    for sizes in [&large[..], &huge].into_iter().chain(edges.iter().map(|edge| &edge[..])) {
        let mut zip = ZipArchive::new(Archive::new(sizes)).unwrap();
        assert_eq!(zip.len(), sizes.len());
        for (number, size) in sizes.iter().enumerate() {
            let mut file = zip.by_index(number).unwrap();
            assert_eq!(file.size(), *size, "{sizes:?}");
            let mut start = [0; 7];
            file.read_exact(&mut start).unwrap();
            assert_eq!(start.to_vec(), (0..7).map(|at| content(number, at)).collect::<Vec<_>>());
        }
        let mut last = Vec::new();
        zip.by_index(sizes.len() - 1).unwrap().read_to_end(&mut last).unwrap();
        assert_eq!(last.len(), 9, "the last one begins beyond 4 GiB and its checksum matches");
    }
}

#[test]
fn archives_of_more_than_65535_entries_are_read_back() {
    // [DOWN032]
    for count in [65_534, 65_535, 65_536, 70_000] {
        let archive = Archive::new(&vec![2; count]);
        let has_zip64 = archive
            .layout
            .segments(archive.layout.size() - 98..archive.layout.size())
            .flat_map(bytes_of)
            .collect::<Vec<_>>()
            .starts_with(b"PK\x06\x06");
        assert_eq!(has_zip64, count >= 65_535);
        let mut zip = ZipArchive::new(archive).unwrap();
        assert_eq!(zip.len(), count);
        let mut last = Vec::new();
        let mut file = zip.by_name(&format!("photo-{count}.jpg")).unwrap();
        file.read_to_end(&mut last).unwrap();
        assert_eq!(last.len(), 2);
    }
}

proptest! {
    #[test]
    fn any_range_is_that_part_of_the_whole(
        sizes in prop::collection::vec(0_u64..300, 0..12),
        from in 0_u64..6_000,
        length in 0_u64..6_000,
    ) {
        // [DOWN034]
        let layout = Archive::new(&sizes).layout;
        let whole = whole(&layout);
        prop_assert_eq!(whole.len() as u64, layout.size());
        let segments: Vec<Segment> = layout.segments(from..from + length).collect();
        prop_assert!(segments.iter().all(|segment| segment.size() > 0));
        let part: Vec<u8> = segments.into_iter().flat_map(bytes_of).collect();
        let (from, to) = (whole.len().min(from as usize), whole.len().min((from + length) as usize));
        prop_assert_eq!(&part[..], &whole[from..to]);
    }
}
