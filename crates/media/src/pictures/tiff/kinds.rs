//! TIFF files that are no pictures, or are coded in a way that is not read, by their directories.

use super::super::errors::{Foreign, Unreadable};
use super::directories::Directory;

const SUBFILE_TYPE: u16 = 254;
const COMPRESSION: u16 = 259;
const PHOTOMETRIC: u16 = 262;
const FILL_ORDER: u16 = 266;
const MAKE: u16 = 271;
const SUB_DIRECTORIES: u16 = 330;
const DNG_VERSION: u16 = 50706;

/// Marks a page as a smaller version of another one (TIFF 6.0, NewSubfileType bit 0).
const REDUCED: u32 = 1;
/// What sensors see: colours behind a mosaic of filters, and the same with each colour everywhere.
const SENSORS: [u32; 2] = [32803, 34892];
/// How Nikon, Sony, Samsung, Pentax and lossy DNG code that.
const CODED_SENSORS: [u32; 5] = [34713, 32767, 32770, 65535, 34892];
/// CCITT's codes of runs, T.4 and T.6.
const FAX: [u32; 3] = [2, 3, 4];
/// T.6, of which one order of bits is read.
const FAX_GROUP_4: u32 = 4;
/// Bits of a byte from the lowest to the highest.
const LOWEST_FIRST: u32 = 2;
/// Most directories within the first that are looked at.
const MOST_SUB_DIRECTORIES: usize = 8;

/// Refuses what is a camera's raw data, which as a rule has a small picture in its first directory, and what the decoder
/// would read wrong.
pub(super) fn check(bytes: &[u8]) -> Result<(), Unreadable> {
    if bytes.get(8..10) == Some(b"CR") {
        return Err(Unreadable::Foreign(Foreign::Raw));
    }
    let Some(first) = Directory::first(bytes) else { return Ok(()) };
    let is_reduced = first.number(SUBFILE_TYPE).unwrap_or(0) & REDUCED != 0;
    if is_raw(&first, is_reduced) {
        return Err(Unreadable::Foreign(Foreign::Raw));
    }
    let is_turned = first.number(FILL_ORDER) == Some(LOWEST_FIRST);
    match first.number(COMPRESSION) {
        Some(FAX_GROUP_4) if !is_turned => {}
        Some(compression) if FAX.contains(&compression) => return Err(Unreadable::Foreign(Foreign::Fax)),
        _ => {}
    }
    if is_reduced || is_turned { Err(Unreadable::UnknownKind) } else { Ok(()) }
}

fn is_raw(first: &Directory<'_>, is_reduced: bool) -> bool {
    let inner = first.numbers(SUB_DIRECTORIES, MOST_SUB_DIRECTORIES);
    let of_sensor = |directory: Directory<'_>| {
        let has = |tag, wanted: &[u32]| directory.number(tag).is_some_and(|value| wanted.contains(&value));
        has(PHOTOMETRIC, &SENSORS) || has(COMPRESSION, &CODED_SENSORS)
    };
    first.number(DNG_VERSION).is_some()
        || (is_reduced && !inner.is_empty() && first.entry(MAKE).is_some())
        || of_sensor(*first)
        || inner.iter().filter_map(|offset| first.at(usize::try_from(*offset).ok()?)).any(of_sensor)
}
