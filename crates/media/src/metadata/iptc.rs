//! IPTC records (IPTC IIM 4.2).

use super::edits::Edits;

/// The application record, and its datasets that go. Author, copyright, headline and caption stay.
const APPLICATION: u8 = 2;
const REMOVED: [u8; 11] = [
    12,  // SubjectReference
    15,  // Category
    20,  // SupplementalCategories
    25,  // Keywords
    26,  // ContentLocationCode
    27,  // ContentLocationName
    90,  // City
    92,  // Sublocation
    95,  // Province/State
    100, // Country code
    101, // Country
];

/// Overwrites places and keywords among IPTC records; what cannot be read goes.
pub(super) fn redact(data: &[u8], base: usize, edits: &mut Edits) {
    let mut at = 0;
    while at < data.len() {
        // Zeros fill up to an even length.
        if data[at] == 0 {
            at += 1;
            continue;
        }
        let Some((record, dataset, start, end)) = record(data, at) else {
            edits.clear(base + at..base + data.len());
            return;
        };
        if record == APPLICATION && REMOVED.contains(&dataset) {
            edits.fill(base + start..base + end, b' ');
        }
        at = end;
    }
}

fn record(data: &[u8], at: usize) -> Option<(u8, u8, usize, usize)> {
    let [0x1C, record, dataset, length1, length0, ..] = data.get(at..)? else { return None };
    let length = u16::from_be_bytes([*length1, *length0]);
    // Longer ones have the length of their length.
    let length = (length & 0x8000 == 0).then_some(usize::from(length))?;
    let (start, end) = (at + 5, at + 5 + length);
    (end <= data.len()).then_some((*record, *dataset, start, end))
}
