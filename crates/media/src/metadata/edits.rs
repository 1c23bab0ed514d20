//! The bytes of a file that are to be overwritten, while they are being found.

use std::ops::Range;

use domain::photos::redactions::{Patch, PatchContent};

/// What is overwritten, in the order in which it was found; where two overlap, filling wins.
pub(super) struct Edits {
    /// The file's length: nothing behind it is overwritten.
    length: usize,
    fills: Vec<(Range<usize>, u8)>,
    writes: Vec<(usize, Vec<u8>)>,
}

impl Edits {
    pub(super) const fn new(length: usize) -> Self {
        Self { length, fills: Vec::new(), writes: Vec::new() }
    }

    /// Overwrites all of `range` with `byte`.
    pub(super) fn fill(&mut self, range: Range<usize>, byte: u8) {
        let range = range.start.min(self.length)..range.end.min(self.length);
        if !range.is_empty() {
            self.fills.push((range, byte));
        }
    }

    /// Overwrites all of `range` with zeros.
    pub(super) fn clear(&mut self, range: Range<usize>) {
        self.fill(range, 0);
    }

    /// Overwrites what is at `offset` with `bytes`.
    pub(super) fn write(&mut self, offset: usize, bytes: Vec<u8>) {
        if !bytes.is_empty() && offset.saturating_add(bytes.len()) <= self.length {
            self.writes.push((offset, bytes));
        }
    }

    /// Takes over what was found in a part of the file that begins at `offset`.
    pub(super) fn append(&mut self, offset: usize, part: Self) {
        for (range, byte) in part.fills {
            self.fill(offset + range.start..offset + range.end, byte);
        }
        for (at, bytes) in part.writes {
            self.write(offset + at, bytes);
        }
    }

    /// What the file, or the part, is once it is overwritten.
    pub(super) fn applied_to(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for (offset, written) in &self.writes {
            bytes[*offset..offset + written.len()].copy_from_slice(written);
        }
        for (range, byte) in &self.fills {
            bytes[range.clone()].fill(*byte);
        }
        bytes
    }

    /// The patches, in the order of their offsets, without overlaps, and without what changes nothing in `bytes`.
    pub(super) fn into_patches(mut self, bytes: &[u8]) -> Vec<Patch> {
        self.fills.sort_by_key(|(range, _)| (range.start, range.end));
        let mut fills: Vec<(Range<usize>, u8)> = Vec::with_capacity(self.fills.len());
        for (range, byte) in self.fills {
            match fills.last_mut() {
                Some((last, same)) if *same == byte && range.start <= last.end => {
                    last.end = last.end.max(range.end);
                }
                Some((last, _)) if range.start < last.end => {
                    let rest = last.end..range.end;
                    if !rest.is_empty() {
                        fills.push((rest, byte));
                    }
                }
                _ => fills.push((range, byte)),
            }
        }
        let mut patches: Vec<Patch> = Vec::new();
        self.writes.sort_by_key(|(offset, _)| *offset);
        let mut free_from = 0;
        for (offset, written) in self.writes {
            // What lies between the fills, and behind the last write.
            let end = offset + written.len();
            let mut at = offset.max(free_from);
            let first = fills.partition_point(|(range, _)| range.end <= at);
            let within = fills[first..].iter().map(|(range, _)| range).take_while(|range| range.start < end);
            for range in within {
                push_bytes(&mut patches, bytes, at, written.get(at - offset..range.start.max(at) - offset));
                at = range.end;
            }
            if at < end {
                push_bytes(&mut patches, bytes, at, written.get(at - offset..));
            }
            free_from = free_from.max(end);
        }
        let changes = |range: &Range<usize>, byte: u8| bytes[range.clone()].iter().any(|old| *old != byte);
        patches.extend(fills.into_iter().filter(|(range, byte)| changes(range, *byte)).map(
            |(range, byte)| Patch {
                offset: range.start as u64,
                content: PatchContent::Fill(byte, range.len() as u64),
            },
        ));
        patches.sort_by_key(|patch| patch.offset);
        patches
    }
}

fn push_bytes(patches: &mut Vec<Patch>, file: &[u8], offset: usize, written: Option<&[u8]>) {
    if let Some(written) = written.filter(|written| !file[offset..].starts_with(written)) {
        patches.push(Patch { offset: offset as u64, content: PatchContent::Bytes(written.to_vec()) });
    }
}

#[cfg(test)]
mod tests {
    use domain::photos::redactions::apply;

    use super::*;

    #[test]
    fn patches_are_in_order_and_filling_wins() {
        let bytes: Vec<u8> = (b'a'..=b'z').collect();
        let mut edits = Edits::new(bytes.len());
        edits.write(2, b"WRITTEN".to_vec());
        edits.fill(4..6, b'.');
        edits.fill(5..7, b'-');
        edits.fill(20..30, b'!');
        edits.write(8, b"TWICE".to_vec());
        edits.write(24, b"BEYOND".to_vec());
        let patches = edits.into_patches(&bytes);
        let mut patched = bytes.clone();
        apply(&patches, 0, &mut patched);
        assert_eq!(patched, b"abWR..-ENWICEnopqrst!!!!!!");
        assert!(patches.windows(2).all(|pair| pair[0].end() <= pair[1].offset));
    }

    #[test]
    fn what_changes_nothing_is_no_patch() {
        let mut edits = Edits::new(8);
        edits.clear(0..8);
        assert_eq!(edits.into_patches(&[0; 8]), []);
    }
}
