//! The headers of a bitmap.

/// Bytes of the file header, before the header that varies.
pub(super) const FILE_HEADER: usize = 14;
/// The old header of OS/2, whose sides are 16 bits.
pub(super) const CORE_HEADER: u32 = 12;
/// That of Windows, with which the later ones of OS/2 begin, as far as they go.
pub(super) const INFO_HEADER: u32 = 40;
/// What the longer headers of Windows have.
pub(super) const LONGER_HEADERS: [u32; 4] = [52, 56, 108, 124];

/// What the two headers say.
pub(super) struct Header {
    /// How long the second one is.
    pub(super) size: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bits: u16,
    pub(super) compression: u32,
    /// Where the rows start.
    pub(super) offset: u32,
}

impl Header {
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let offset = number(bytes, 10)?;
        let short = |at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let size = number(bytes, FILE_HEADER)?;
        if size == CORE_HEADER {
            let (width, height, bits) = (short(18)?.into(), short(20)?.into(), short(24)?);
            return Some(Self { size, width, height, bits, compression: 0, offset });
        }
        Some(Self {
            size,
            width: number(bytes, 18)?,
            // Rows from the top are marked by a negative height.
            height: (number(bytes, 22)? as i32).unsigned_abs(),
            bits: short(28)?,
            // The shortest header of OS/2 ends before this field.
            compression: if size < 20 { 0 } else { number(bytes, 30)? },
            offset,
        })
    }

    /// Whether the second header is one of OS/2's that only begins as that of Windows.
    pub(super) fn is_of_os2(&self) -> bool {
        self.size > CORE_HEADER && self.size != INFO_HEADER && !LONGER_HEADERS.contains(&self.size)
    }

    /// Whether the rows are coded as OS/2 alone does it: as a fax, or with runs of 24 bits.
    pub(super) fn is_unknown(&self) -> bool {
        self.is_of_os2() && self.compression > 2
    }

    /// Where the last row's pixels end, without the padding of its tail; none when rows are run-length encoded.
    pub(super) fn end(&self) -> Option<u64> {
        let bits = u64::from(self.width) * u64::from(self.bits);
        let stride = bits.div_ceil(32) * 4;
        // 0 is plain, 3 and 6 have bit masks.
        matches!(self.compression, 0 | 3 | 6)
            .then(|| u64::from(self.offset) + stride * u64::from(self.height - 1) + bits.div_ceil(8))
    }
}

pub(super) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
