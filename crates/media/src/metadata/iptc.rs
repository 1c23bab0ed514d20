//! IPTC records (IPTC IIM 4.2).

use super::edits::Edits;

/// The application record, and its datasets that name a place: codes and names of locations, and the sublocation.
const APPLICATION: u8 = 2;
const PLACES: [u8; 3] = [26, 27, 92];

/// Overwrites the places among IPTC records; what cannot be read goes.
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
        if record == APPLICATION && PLACES.contains(&dataset) {
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
