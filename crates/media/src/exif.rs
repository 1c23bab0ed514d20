//! EXIF (CIPA DC-008): TIFF structures as cameras and programs write them. An entry that cannot be read costs itself alone.
//!
//! The work is bounded whatever the structure says (decision 0074): each directory is read once, and no value is copied.

/// Most entries of a structure that are looked at: real ones have some hundred.
const MOST_ENTRIES: usize = 8_192;
/// Most directories of cameras: there is one.
const MOST_DIRECTORIES: usize = 8;
/// How far behind the beginning of a block its structure may begin: some programs write a header, or two.
const MOST_HEADER_BYTES: usize = 64;

/// The entries that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(u16);

impl Tag {
    pub(crate) const MAKE: Self = Self(0x010F);
    pub(crate) const MODEL: Self = Self(0x0110);
    pub(crate) const ORIENTATION: Self = Self(0x0112);
    pub(crate) const ARTIST: Self = Self(0x013B);
    pub(crate) const XMP: Self = Self(0x02BC);
    pub(crate) const COPYRIGHT: Self = Self(0x8298);
    pub(crate) const IPTC: Self = Self(0x83BB);
    pub(crate) const PHOTOSHOP: Self = Self(0x8649);
    pub(crate) const DATE_TIME_ORIGINAL: Self = Self(0x9003);
    pub(crate) const DATE_TIME_DIGITIZED: Self = Self(0x9004);
    pub(crate) const FRACTION_ORIGINAL: Self = Self(0x9291);
    pub(crate) const FRACTION_DIGITIZED: Self = Self(0x9292);
    pub(crate) const LENS_MODEL: Self = Self(0xA434);

    const READ: [Self; 13] = [
        Self::MAKE,
        Self::MODEL,
        Self::ORIENTATION,
        Self::ARTIST,
        Self::XMP,
        Self::COPYRIGHT,
        Self::IPTC,
        Self::PHOTOSHOP,
        Self::DATE_TIME_ORIGINAL,
        Self::DATE_TIME_DIGITIZED,
        Self::FRACTION_ORIGINAL,
        Self::FRACTION_DIGITIZED,
        Self::LENS_MODEL,
    ];
    /// Leads to the camera's directory.
    const EXIF_DIRECTORY: Self = Self(0x8769);
}

/// What a structure says.
pub(crate) struct Exif<'a> {
    structure: Structure<'a>,
    values: Vec<Value<'a>>,
}

struct Value<'a> {
    tag: Tag,
    kind: usize,
    /// Cut where the structure ends.
    bytes: &'a [u8],
    is_whole: bool,
    is_of_root: bool,
}

impl<'a> Exif<'a> {
    /// Reads the structure in `block`, before which a header may stand; none when there is none.
    pub(crate) fn read(block: &'a [u8]) -> Option<Self> {
        let starts = (0..=MOST_HEADER_BYTES.min(block.len())).map(|start| &block[start..]);
        let structure =
            starts.into_iter().find_map(Structure::beginning).or_else(|| Structure::odd(block))?;
        let mut walk = Walk { structure, left: MOST_ENTRIES, read: Vec::new(), values: Vec::new() };
        let root = structure.number(structure.header - structure.offset_size, structure.offset_size)?;
        for camera in walk.directory(root, true) {
            walk.directory(camera, false);
        }
        Some(Self { structure, values: walk.values })
    }

    /// What it has under `tag` as text, up to the first zero, in the order of the directories.
    pub(crate) fn texts(&self, tag: Tag) -> impl Iterator<Item = &'a [u8]> {
        self.cut_texts(tag).filter_map(|(text, is_whole)| is_whole.then_some(text))
    }

    /// The same, with texts that say to be longer than the structure, and whether each is whole.
    pub(crate) fn cut_texts(&self, tag: Tag) -> impl Iterator<Item = (&'a [u8], bool)> {
        // Bytes of any kind: some programs write dates as such.
        let texts =
            self.values.iter().filter(move |value| value.tag == tag && type_size(value.kind) == Some(1));
        texts.map(|value| {
            let end = memchr::memchr(0, value.bytes).unwrap_or(value.bytes.len());
            (&value.bytes[..end], value.is_whole)
        })
    }

    /// What it has under `tag` as it stands.
    pub(crate) fn blocks(&self, tag: Tag) -> impl Iterator<Item = &'a [u8]> {
        self.values.iter().filter(move |value| value.tag == tag && value.is_whole).map(|value| value.bytes)
    }

    /// The first number under `tag` in the first directory, which is the picture's.
    pub(crate) fn number(&self, tag: Tag) -> Option<u32> {
        let mut values = self.values.iter().filter(|value| value.tag == tag && value.is_of_root);
        values.find_map(|value| {
            let size = match value.kind {
                1 => 1,
                3 => 2,
                4 => 4,
                _ => return None,
            };
            u32::try_from(self.structure.number_in(value.bytes.get(..size)?)).ok()
        })
    }
}

/// A structure whose header can be read.
#[derive(Clone, Copy)]
struct Structure<'a> {
    data: &'a [u8],
    is_little_endian: bool,
    /// How many bytes the header has, and the offset at its end: more in a BigTIFF.
    header: usize,
    offset_size: usize,
}

impl<'a> Structure<'a> {
    fn beginning(data: &'a [u8]) -> Option<Self> {
        let (is_little_endian, header, offset_size) = match data {
            [b'I', b'I', 42, 0, ..] => (true, 8, 4),
            [b'M', b'M', 0, 42, ..] => (false, 8, 4),
            [b'I', b'I', 43, 0, 8, 0, 0, 0, ..] => (true, 16, 8),
            [b'M', b'M', 0, 43, 0, 8, 0, 0, ..] => (false, 16, 8),
            _ => return None,
        };
        Some(Self { data, is_little_endian, header, offset_size })
    }

    /// One whose header tells the order of bytes and where the first directory is, and has another number between them.
    fn odd(block: &'a [u8]) -> Option<Self> {
        let data = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
        let is_little_endian = match data.get(..2)? {
            b"II" => true,
            b"MM" => false,
            _ => return None,
        };
        let structure = Self { data, is_little_endian, header: 8, offset_size: 4 };
        let root = structure.number(4, 4)?;
        (8..data.len()).contains(&root).then_some(structure)
    }

    fn number(&self, at: usize, size: usize) -> Option<usize> {
        usize::try_from(self.number_in(self.data.get(at..at.checked_add(size)?)?)).ok()
    }

    fn number_in(&self, bytes: &[u8]) -> u64 {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        if self.is_little_endian { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) }
    }
}

struct Walk<'a> {
    structure: Structure<'a>,
    /// How many more entries are looked at.
    left: usize,
    /// Where the directories are that were read.
    read: Vec<usize>,
    values: Vec<Value<'a>>,
}

impl<'a> Walk<'a> {
    /// Reads a directory up to where the structure ends, unless it was read before; answers where those of cameras are.
    fn directory(&mut self, offset: usize, is_root: bool) -> Vec<usize> {
        let mut cameras = Vec::new();
        if self.read.contains(&offset) || self.read.len() > MOST_DIRECTORIES {
            return cameras;
        }
        self.read.push(offset);
        let structure = self.structure;
        let (count_size, entry_size) = if structure.offset_size == 8 { (8, 20) } else { (2, 12) };
        let count = structure.number(offset, count_size).unwrap_or(0);
        for index in 0..count.min(self.left) {
            let at = offset + count_size + index * entry_size;
            let Some(entry) = structure.data.get(at..at + entry_size) else { break };
            self.left -= 1;
            let tag = Tag(structure.number_in(&entry[..2]) as u16);
            if tag == Tag::EXIF_DIRECTORY {
                cameras.extend(self.pointer(at));
            } else if Tag::READ.contains(&tag) {
                self.values.extend(self.value(tag, at, is_root));
            }
        }
        cameras
    }

    /// Where the directory is that the entry at `at` leads to. Its type is a long number, whatever it says.
    fn pointer(&self, at: usize) -> Option<usize> {
        let structure = self.structure;
        let inline = at + 4 + structure.offset_size;
        let size = match structure.number(at + 2, 2)? {
            3 => 2,
            16..=18 => structure.offset_size,
            _ => 4,
        };
        structure.number(inline, size).filter(|offset| *offset != 0)
    }

    /// The value of the entry at `at`; none of an unknown type, and none that begins outside.
    fn value(&self, tag: Tag, at: usize, is_of_root: bool) -> Option<Value<'a>> {
        let structure = self.structure;
        let kind = structure.number(at + 2, 2)?;
        let length = structure.number(at + 4, structure.offset_size)?.checked_mul(type_size(kind)?)?;
        let inline = at + 4 + structure.offset_size;
        let is_inline = length <= structure.offset_size;
        let start = if is_inline { inline } else { structure.number(inline, structure.offset_size)? };
        let rest = structure.data.get(start..)?;
        let bytes = &rest[..length.min(rest.len())];
        Some(Value { tag, kind, bytes, is_whole: bytes.len() == length, is_of_root })
    }
}

/// How many bytes a number of this type has; none of a type that nobody knows.
const fn type_size(kind: usize) -> Option<usize> {
    match kind {
        // 129 is UTF-8 in EXIF 3.
        1 | 2 | 6 | 7 | 129 => Some(1),
        3 | 8 => Some(2),
        4 | 9 | 11 | 13 => Some(4),
        5 | 10 | 12 | 16..=18 => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_names_itself_again_and_again_is_read_once() {
        let pointer = [0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0];
        let model = [0x10, 0x01, 2, 0, 3, 0, 0, 0, b'X', b'1', 0, 0];
        let count: u16 = 5_000;
        let entries = pointer.repeat(usize::from(count) - 1);
        let whole = [b"II*\0\x08\0\0\0".as_slice(), &count.to_le_bytes(), &entries, &model].concat();
        let exif = Exif::read(&whole).unwrap();
        assert_eq!(exif.texts(Tag::MODEL).collect::<Vec<_>>(), [b"X1"]);
        // Entries that are many are not read to their end either.
        let many = [b"II*\0\x08\0\0\0\xFF\xFF".as_slice(), &model.repeat(65_535)].concat();
        assert_eq!(Exif::read(&many).unwrap().texts(Tag::MODEL).count(), MOST_ENTRIES);
    }

    #[test]
    fn the_orientation_is_the_pictures_not_its_thumbnails() {
        let orientation = |value: u8| [0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0];
        let thumbnail = [b"\x01\0".as_slice(), &orientation(6), &[0; 4]].concat();
        let without = [b"II*\0\x08\0\0\0\0\0\x0E\0\0\0".as_slice(), &thumbnail].concat();
        assert_eq!(Exif::read(&without).unwrap().number(Tag::ORIENTATION), None);
        let with = [b"II*\0\x08\0\0\0\x01\0".as_slice(), &orientation(8), b"\x1A\0\0\0", &thumbnail].concat();
        assert_eq!(Exif::read(&with).unwrap().number(Tag::ORIENTATION), Some(8));
        assert_eq!(
            Exif::read(&[b"Exif\0\0".as_slice(), &with].concat()).unwrap().number(Tag::ORIENTATION),
            Some(8)
        );
    }
}
