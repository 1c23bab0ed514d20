//! The directories of a TIFF file as far as they tell what it is: the `tiff` crate refuses much before it has told.

/// A directory of a TIFF or BigTIFF: its numbers.
#[derive(Clone, Copy)]
pub(super) struct Directory<'a> {
    bytes: &'a [u8],
    is_little_endian: bool,
    is_big: bool,
    entries: usize,
    count: usize,
}

/// Most entries of a directory that are looked at: real ones have some thirty.
const MOST_ENTRIES: usize = 1_024;
const BYTE: u16 = 1;
const SHORT: u16 = 3;
/// Eight bytes, in a BigTIFF.
const LONG_8: u16 = 16;

/// An entry's numbers: how many there are, of which type, and where they lie.
pub(super) struct Numbers {
    pub(super) at: usize,
    kind: u16,
    count: usize,
}

impl<'a> Directory<'a> {
    /// That of the first page.
    pub(super) fn first(bytes: &'a [u8]) -> Option<Self> {
        let is_little_endian = bytes.starts_with(b"II");
        let whole = Self { bytes, is_little_endian, is_big: false, entries: 0, count: 0 };
        match whole.short(2)? {
            42 => whole.at(whole.long(4)?),
            43 => Self { is_big: true, ..whole }.at(whole.long_8(8)?),
            _ => None,
        }
    }

    /// Another one of the same file.
    pub(super) fn at(&self, offset: usize) -> Option<Self> {
        let (count, size) =
            if self.is_big { (self.long_8(offset)?, 8) } else { (usize::from(self.short(offset)?), 2) };
        Some(Self { entries: offset.checked_add(size)?, count: count.min(MOST_ENTRIES), ..*self })
    }

    /// Where the numbers of an entry are. It has tag, type, count, and what it says or where that is.
    pub(super) fn entry(&self, tag: u16) -> Option<Numbers> {
        let (size, inline) = if self.is_big { (20, 8) } else { (12, 4) };
        let found = (0..self.count)
            .map(|index| self.entries + index * size)
            .find(|&entry| self.short(entry) == Some(tag))?;
        let (kind, value) = (self.short(found + 2)?, found + 4 + inline);
        let count = self.offset(found + 4)?;
        let is_inline = count.saturating_mul(size_of(kind)) <= inline;
        Some(Numbers { at: if is_inline { value } else { self.offset(value)? }, kind, count })
    }

    /// The first number of an entry.
    pub(super) fn number(&self, tag: u16) -> Option<u32> {
        self.numbers(tag, 1).first().copied()
    }

    /// The first numbers of an entry.
    pub(super) fn numbers(&self, tag: u16, most: usize) -> Vec<u32> {
        let Some(Numbers { at, kind, count }) = self.entry(tag) else { return Vec::new() };
        let number = |index: usize| match kind {
            BYTE => self.bytes.get(at.checked_add(index)?).map(|byte| u32::from(*byte)),
            SHORT => self.short(at.checked_add(index * 2)?).map(u32::from),
            LONG_8 => u32::try_from(self.long_8(at.checked_add(index * 8)?)?).ok(),
            _ => u32::try_from(self.long(at.checked_add(index * 4)?)?).ok(),
        };
        (0..count.min(most)).map_while(number).collect()
    }

    /// How a short number stands in this file.
    pub(super) const fn short_bytes(&self, number: u16) -> [u8; 2] {
        if self.is_little_endian { number.to_le_bytes() } else { number.to_be_bytes() }
    }

    fn short(&self, at: usize) -> Option<u16> {
        let value = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.is_little_endian { u16::from_le_bytes(value) } else { u16::from_be_bytes(value) })
    }

    fn long(&self, at: usize) -> Option<usize> {
        let value = *self.bytes.get(at..)?.first_chunk()?;
        let value = if self.is_little_endian { u32::from_le_bytes(value) } else { u32::from_be_bytes(value) };
        usize::try_from(value).ok()
    }

    fn long_8(&self, at: usize) -> Option<usize> {
        let value = *self.bytes.get(at..)?.first_chunk()?;
        let value = if self.is_little_endian { u64::from_le_bytes(value) } else { u64::from_be_bytes(value) };
        usize::try_from(value).ok()
    }

    /// A place in the file, or a count.
    fn offset(&self, at: usize) -> Option<usize> {
        if self.is_big { self.long_8(at) } else { self.long(at) }
    }
}

const fn size_of(kind: u16) -> usize {
    match kind {
        BYTE => 1,
        SHORT => 2,
        LONG_8 => 8,
        _ => 4,
    }
}
