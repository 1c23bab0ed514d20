//! What is overwritten in an original before guests get it: positions and places, names of people, keywords and serial
//! numbers, byte for byte in place, so that the file keeps its length and its picture.

/// The number of the rules by which redactions are computed. A redaction by older rules is computed anew. The second
/// know names, keywords and places, the third descriptions of regions in HEIF; the fourth keep the segments of gain maps, and of
/// EXIF what can be read beside what cannot; the fifth keep what stands in a directory of TIFF behind an entry that goes, and
/// know files behind that of HEIF, its boxes beside the picture, and pictures in JPEG in it.
pub const RULES: i64 = 5;

/// Most bytes of a redaction as it is stored: a photo's is some hundred.
pub const MAX_ENCODED_BYTES: usize = 1 << 20;

/// What is overwritten in one original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redaction {
    /// In the order of their offsets; they do not overlap.
    pub patches: Vec<Patch>,
    /// CRC-32 of the file that guests get.
    pub crc32: u32,
}

/// Bytes that are overwritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Where the first of them is.
    pub offset: u64,
    /// What is there instead.
    pub content: PatchContent,
}

/// What is there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchContent {
    /// The same byte, so many times.
    Fill(u8, u64),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// Names of the kinds of content in the encoding.
const FILL: u8 = 0;
const BYTES: u8 = 1;

impl Patch {
    /// How many bytes are overwritten.
    pub const fn length(&self) -> u64 {
        match &self.content {
            PatchContent::Fill(_, length) => *length,
            PatchContent::Bytes(bytes) => bytes.len() as u64,
        }
    }

    /// Where the first byte behind it is.
    pub const fn end(&self) -> u64 {
        self.offset.saturating_add(self.length())
    }

    /// Overwrites its part of `chunk`, which begins at `start` of the file.
    pub fn apply(&self, start: u64, chunk: &mut [u8]) {
        let from = self.offset.max(start);
        let to = self.end().min(start.saturating_add(chunk.len() as u64));
        if from >= to {
            return;
        }
        // Both lie within the chunk, whose length is a usize.
        let target = &mut chunk[(from - start) as usize..(to - start) as usize];
        match &self.content {
            PatchContent::Fill(byte, _) => target.fill(*byte),
            PatchContent::Bytes(bytes) => {
                target.copy_from_slice(&bytes[(from - self.offset) as usize..(to - self.offset) as usize]);
            }
        }
    }
}

/// Overwrites what `patches`, in the order of their offsets, say of a chunk that begins at `start` of the file.
pub fn apply(patches: &[Patch], start: u64, chunk: &mut [u8]) {
    for patch in &patches[affected(patches, start, chunk.len() as u64)] {
        patch.apply(start, chunk);
    }
}

/// Which of `patches`, in the order of their offsets, change the `length` bytes from `start`.
pub fn affected(patches: &[Patch], start: u64, length: u64) -> std::ops::Range<usize> {
    let first = patches.partition_point(|patch| patch.end() <= start);
    let last = patches.partition_point(|patch| patch.offset < start.saturating_add(length));
    first..last.max(first)
}

/// Patches as they are stored: for each its offset and its kind, then the byte and the length, or the length and the bytes;
/// numbers have eight bytes, the least significant first.
pub fn encode(patches: &[Patch]) -> Vec<u8> {
    let mut out = Vec::new();
    for patch in patches {
        out.extend(patch.offset.to_le_bytes());
        match &patch.content {
            PatchContent::Fill(byte, length) => {
                out.extend([FILL, *byte]);
                out.extend(length.to_le_bytes());
            }
            PatchContent::Bytes(bytes) => {
                out.push(BYTES);
                out.extend((bytes.len() as u64).to_le_bytes());
                out.extend(bytes);
            }
        }
    }
    out
}

/// The patches that [`encode`] stored; none when `stored` is nothing that it writes.
pub fn decode(mut stored: &[u8]) -> Option<Vec<Patch>> {
    let mut patches = Vec::new();
    while !stored.is_empty() {
        let offset = number(&mut stored)?;
        let content = match take(&mut stored, 1)? {
            [FILL] => {
                let byte = take(&mut stored, 1)?[0];
                PatchContent::Fill(byte, number(&mut stored)?)
            }
            [BYTES] => {
                let length = usize::try_from(number(&mut stored)?).ok()?;
                PatchContent::Bytes(take(&mut stored, length)?.to_vec())
            }
            _ => return None,
        };
        patches.push(Patch { offset, content });
    }
    Some(patches)
}

fn take<'a>(stored: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = stored.split_at_checked(length)?;
    *stored = rest;
    Some(taken)
}

fn number(stored: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(stored, 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patches() -> Vec<Patch> {
        vec![
            Patch { offset: 2, content: PatchContent::Fill(b'x', 3) },
            Patch { offset: 7, content: PatchContent::Bytes(b"yz".to_vec()) },
            Patch { offset: 9, content: PatchContent::Fill(0, 1) },
        ]
    }

    #[test]
    fn a_file_is_overwritten_alike_however_it_is_cut() {
        let whole = b"0123456789ab";
        for size in 1..=whole.len() {
            let mut read = Vec::new();
            for (index, chunk) in whole.chunks(size).enumerate() {
                let mut chunk = chunk.to_vec();
                apply(&patches(), (index * size) as u64, &mut chunk);
                read.extend(chunk);
            }
            assert_eq!(read, b"01xxx56yz\0ab", "{size}");
        }
    }

    #[test]
    fn patches_are_read_as_they_were_stored() {
        assert_eq!(decode(&encode(&patches())), Some(patches()));
        assert_eq!(decode(&[]), Some(Vec::new()));
        let stored = encode(&patches());
        for cut in [1, 9, 17, stored.len() - 1] {
            assert_eq!(decode(&stored[..cut]), None, "{cut}");
        }
    }
}
