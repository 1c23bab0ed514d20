//! Files of a store: as they are put, read and listed.

use std::ops::Range;
use std::path::PathBuf;

use bytes::Bytes;
use domain::Timestamp;
use domain::photos::MediaKey;
use futures::TryStreamExt;
use futures::stream::BoxStream;

use super::error::Error;

/// Bytes to be put.
#[derive(Clone, Debug)]
pub enum Source {
    /// As they are.
    Bytes(Bytes),
    /// Those of a file, which stays where it is and is never in memory whole.
    File(PathBuf),
}

/// Bytes that are being read.
pub struct Read {
    /// Size of the whole file, in bytes.
    pub total: u64,
    /// Which of them follow.
    pub range: Range<u64>,
    /// Those, in chunks.
    pub bytes: BoxStream<'static, Result<Bytes, Error>>,
}

impl Read {
    /// All that follows, in memory.
    pub async fn whole(self) -> Result<Bytes, Error> {
        let whole =
            Vec::with_capacity(usize::try_from(self.range.end - self.range.start).unwrap_or_default());
        let whole = self.bytes.try_fold(whole, async |mut whole, chunk| {
            whole.extend_from_slice(&chunk);
            Ok(whole)
        });
        Ok(whole.await?.into())
    }
}

impl std::fmt::Debug for Read {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Read({:?} of {})", self.range, self.total)
    }
}

/// A file of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its key.
    pub key: MediaKey,
    /// Its size in bytes.
    pub size: u64,
    /// When it was put.
    pub modified: Timestamp,
}

/// How a browser is to take a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disposition<'a> {
    /// Value of the answer's `Content-Disposition` header; the store's default without one.
    pub content_disposition: Option<&'a str>,
    /// Value of the answer's `Content-Type` header; what the key's ending stands for without one.
    pub content_type: Option<&'a str>,
}

/// Brings a range into a file of `total` bytes.
pub(super) fn clamp(range: Option<Range<u64>>, total: u64) -> Result<Range<u64>, Error> {
    match range {
        None => Ok(0..total),
        Some(range) if range.start < total && range.start < range.end => {
            Ok(range.start..range.end.min(total))
        }
        Some(_) => Err(Error::OutOfRange { total }),
    }
}
