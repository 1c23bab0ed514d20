//! Palettes, which the `tiff` crate refuses.

use ::tiff::tags::Tag;

use super::super::Unreadable;
use super::{Reader, unreadable};

/// PhotometricInterpretation, and two of its values.
const PHOTOMETRIC: u16 = 262;
const BLACK_IS_ZERO: u16 = 1;
const PALETTE: u16 = 3;

/// A classic TIFF whose first page has a palette, with that page said to be grey; none for every other file.
pub(super) fn greyed(bytes: &[u8]) -> Option<Vec<u8>> {
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
    if short(value)? != PALETTE {
        return None;
    }
    let mut greyed = bytes.to_vec();
    let grey = if little { BLACK_IS_ZERO.to_le_bytes() } else { BLACK_IS_ZERO.to_be_bytes() };
    greyed.get_mut(value..value + 2)?.copy_from_slice(&grey);
    Some(greyed)
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
