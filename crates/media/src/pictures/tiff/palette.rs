//! Palettes, which the `tiff` crate refuses.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use ::tiff::decoder::Decoder;
use ::tiff::tags::Tag;

use super::super::errors::Unreadable;
use super::errors::unreadable;

/// PhotometricInterpretation, and two of its values.
const PHOTOMETRIC: u16 = 262;
const BLACK_IS_ZERO: u16 = 1;
const PALETTE: u16 = 3;

/// The decoder of a file that [`Shown`] reads.
pub(super) type Reader<'a> = Decoder<Shown<'a>>;

/// A file of which two bytes read otherwise than they are.
pub(super) struct Shown<'a> {
    file: Cursor<&'a [u8]>,
    /// Where they are, and what they read as.
    instead: Option<(usize, [u8; 2])>,
}

impl<'a> Shown<'a> {
    /// A classic TIFF whose first page has a palette, with that page said to be grey; every other file as it is.
    pub(super) fn greyed(bytes: &'a [u8]) -> Self {
        Self { file: Cursor::new(bytes), instead: palette(bytes) }
    }

    /// Whether the first page has a palette.
    pub(super) const fn is_indexed(&self) -> bool {
        self.instead.is_some()
    }
}

impl Read for Shown<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(self.file.position()).unwrap_or(usize::MAX);
        let read = self.file.read(out)?;
        if let Some((at, grey)) = self.instead {
            for (place, byte) in (at..).zip(grey) {
                if let Some(shown) = place.checked_sub(start).and_then(|place| out[..read].get_mut(place)) {
                    *shown = byte;
                }
            }
        }
        Ok(read)
    }
}

impl Seek for Shown<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Where the first page says that it has a palette, and the bytes that would say it is grey; none where it does not.
fn palette(bytes: &[u8]) -> Option<(usize, [u8; 2])> {
    let little = bytes.starts_with(b"II");
    let short = |at: usize| {
        let value = *bytes.get(at..)?.first_chunk()?;
        Some(if little { u16::from_le_bytes(value) } else { u16::from_be_bytes(value) })
    };
    let long = |at: usize| {
        let value = *bytes.get(at..)?.first_chunk()?;
        Some(if little { u32::from_le_bytes(value) } else { u32::from_be_bytes(value) } as usize)
    };
    if short(2)? != 42 {
        return None;
    }
    let directory = long(4)?;
    let entries = usize::from(short(directory)?);
    // Entries are 12 bytes: tag, type, count, value.
    let value = (0..entries)
        .map(|entry| directory + 2 + entry * 12)
        .find(|&entry| short(entry) == Some(PHOTOMETRIC))
        .map(|entry| entry + 8)?;
    let grey = if little { BLACK_IS_ZERO.to_le_bytes() } else { BLACK_IS_ZERO.to_be_bytes() };
    (short(value)? == PALETTE).then_some((value, grey))
}

/// The colour of every index; indices without one are black.
pub(super) fn colours(decoder: &mut Reader<'_>) -> Result<Vec<[u8; 3]>, Unreadable> {
    let map = decoder.get_tag_u16_vec(Tag::ColorMap).map_err(unreadable)?;
    // All reds, then all greens, then all blues.
    let count = map.len() / 3;
    let channel =
        |channel: usize, index: usize| map.get(channel * count + index).map_or(0, |v| (v >> 8) as u8);
    let colour = |index| if index < count { std::array::from_fn(|c| channel(c, index)) } else { [0; 3] };
    Ok((0..256).map(colour).collect())
}
