//! Checksums of a file, computed while its bytes pass by.

use domain::photos::ContentHash;
use futures::TryStreamExt as _;

use crate::stores::{Error, Read};

/// The CRC-32 of bytes in memory.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The checksums that are stored with a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksums {
    /// Identifies the bytes.
    pub blake3: ContentHash,
    /// As ZIP archives need it.
    pub crc32: u32,
}

impl Checksums {
    /// Those of all bytes that `read` gives.
    pub async fn of(mut read: Read) -> Result<Self, Error> {
        let mut hasher = Hasher::default();
        while let Some(chunk) = read.bytes.try_next().await? {
            hasher.update(&chunk);
        }
        Ok(hasher.finish())
    }
}

/// Computes [`Checksums`] chunk by chunk.
#[derive(Clone, Default)]
pub(crate) struct Hasher {
    blake3: blake3::Hasher,
    crc32: crc32fast::Hasher,
}

impl Hasher {
    pub(crate) fn update(&mut self, chunk: &[u8]) {
        self.blake3.update(chunk);
        self.crc32.update(chunk);
    }

    pub(crate) fn finish(self) -> Checksums {
        Checksums { blake3: *self.blake3.finalize().as_bytes(), crc32: self.crc32.finalize() }
    }
}
