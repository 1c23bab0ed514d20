//! Dates and rights in IPTC records (IPTC IIM 4.2, chapter 6).

use super::moments::{Moment, Rank};

/// The record of the picture, and its datasets: when it was created, when it became a file, who made it and whose it is.
const APPLICATION: u8 = 2;
const DATE_CREATED: u8 = 55;
const TIME_CREATED: u8 = 60;
const DIGITAL_DATE: u8 = 62;
const DIGITAL_TIME: u8 = 63;
const BY_LINE: u8 = 80;
const COPYRIGHT_NOTICE: u8 = 116;
const READ: [u8; 6] = [DATE_CREATED, TIME_CREATED, DIGITAL_DATE, DIGITAL_TIME, BY_LINE, COPYRIGHT_NOTICE];

/// The first of each dataset that is read, in the order of [`READ`].
pub(super) struct Records<'a>([Option<&'a [u8]>; READ.len()]);

/// Reads records.
pub(super) fn read(data: &[u8]) -> Records<'_> {
    let mut found = [None; READ.len()];
    let mut at = 0;
    // Zeros fill up, and what cannot be read is skipped up to the next record.
    while let Some(start) = memchr::memchr(0x1C, data.get(at..).unwrap_or_default()) {
        at += start;
        let Some((dataset, content, end)) = record(data, at) else {
            at += 1;
            continue;
        };
        at = end;
        if let Some(place) = READ.iter().position(|of| *of == dataset) {
            found[place].get_or_insert(content);
        }
    }
    Records(found)
}

impl<'a> Records<'a> {
    /// The moments that they tell.
    pub(super) fn moments(&self) -> Vec<(Rank, Moment)> {
        let [created, created_time, digital, digital_time, ..] = self.0;
        let moments = [
            (Rank::Created, moment(created, created_time)),
            (Rank::DigitizedRecord, moment(digital, digital_time)),
        ];
        moments.into_iter().filter_map(|(rank, moment)| Some((rank, moment?))).collect()
    }

    /// Who made the picture, and the notice of copyright.
    pub(super) const fn rights(&self) -> (Option<&'a [u8]>, Option<&'a [u8]>) {
        let [.., by_line, copyright] = self.0;
        (by_line, copyright)
    }
}

/// The record at `at` of the picture's: its dataset, its content and where it ends.
fn record(data: &[u8], at: usize) -> Option<(u8, &[u8], usize)> {
    let [0x1C, record, dataset, l1, l0, rest @ ..] = data.get(at..)? else { return None };
    let length = u16::from_be_bytes([*l1, *l0]);
    let (skipped, length) = match length & 0x8000 {
        0 => (0, usize::from(length)),
        // The length of the length, which has four bytes at most.
        _ => {
            let size = usize::from(length & 0x7FFF);
            let bytes = rest.get(..size).filter(|_| size <= 4)?;
            (size, bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)))
        }
    };
    let content = rest.get(skipped..skipped.checked_add(length)?)?;
    // Of other records, where they end is all that is needed.
    let dataset = if *record == APPLICATION { *dataset } else { 0 };
    Some((dataset, content, at + 5 + skipped + length))
}

/// `20240309` and `174512+0530`, or what programs that know better write: with hyphens and colons.
fn moment(date: Option<&[u8]>, time: Option<&[u8]>) -> Option<Moment> {
    let [y3, y2, y1, y0, m1, m0, d1, d0] = digits(date?)?;
    let year = [y3, y2, y1, y0].iter().fold(0, |year, digit| year * 10 + i16::from(*digit));
    let two = |high: u8, low: u8| high * 10 + low;
    let time = time.map(|time| {
        let end =
            time.iter().position(|byte| matches!(byte, b'+' | b'-' | b'Z' | b'.')).unwrap_or(time.len());
        &time[..end]
    });
    let time = time.and_then(|time| match digits::<6>(time) {
        Some([h1, h0, m1, m0, s1, s0]) => Some([two(h1, h0), two(m1, m0), two(s1, s0)]),
        None => digits::<4>(time).map(|[h1, h0, m1, m0]| [two(h1, h0), two(m1, m0), 0]),
    });
    Moment::new(year, [two(m1, m0), two(d1, d0)], time)
}

/// The digits of a text that has so many.
fn digits<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let is_separator = |byte: &&u8| !matches!(byte, b':' | b'-' | b' ' | b'/' | 0);
    let mut out = [0; N];
    let mut places = out.iter_mut();
    for byte in text.iter().filter(is_separator) {
        *places.next()? = char::from(*byte).to_digit(10)? as u8;
    }
    places.next().is_none().then_some(out)
}
