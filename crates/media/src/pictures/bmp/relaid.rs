//! Bitmaps of OS/2 2.x, with the header that Windows has instead of theirs.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::header::{FILE_HEADER, Header, INFO_HEADER};

/// The two headers together.
const HEAD: usize = FILE_HEADER + INFO_HEADER as usize;
/// Where the file header says where the rows start.
const OFFSET: usize = 10;

/// A bitmap: as it is, or with another header before what follows its own.
pub(super) struct Relaid<'a> {
    head: Vec<u8>,
    rest: &'a [u8],
    at: u64,
}

impl<'a> Relaid<'a> {
    pub(super) fn new(bytes: &'a [u8], header: &Header) -> Self {
        if !header.is_of_os2() {
            return Self { head: Vec::new(), rest: bytes, at: 0 };
        }
        let end = FILE_HEADER + header.size as usize;
        // What the header of OS/2 leaves out is zero, and what it has beyond that of Windows says nothing of the pixels.
        let mut head = bytes[..end.min(bytes.len()).min(HEAD)].to_vec();
        head.resize(HEAD, 0);
        head[FILE_HEADER..FILE_HEADER + 4].copy_from_slice(&INFO_HEADER.to_le_bytes());
        let offset = (header.offset as usize).saturating_sub(end).saturating_add(HEAD);
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        head[OFFSET..OFFSET + 4].copy_from_slice(&offset.to_le_bytes());
        Self { head, rest: bytes.get(end..).unwrap_or_default(), at: 0 }
    }
}

impl Read for Relaid<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Relaid<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let at = usize::try_from(self.at).unwrap_or(usize::MAX);
        Ok(match at.checked_sub(self.head.len()) {
            None => &self.head[at..],
            Some(at) => self.rest.get(at..).unwrap_or_default(),
        })
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes as u64;
    }
}

impl Seek for Relaid<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let length = (self.head.len() + self.rest.len()) as u64;
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
