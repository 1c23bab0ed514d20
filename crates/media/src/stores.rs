//! The stores of photos' bytes: a folder, an S3 bucket, or, in tests, memory.

mod disk;
mod error;
mod files;
mod memory;
mod names;
mod s3;

use std::ops::Range;
use std::time::Duration;

use domain::photos::MediaKey;
use domain::{Clock, Timestamp};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};

pub use disk::Disk;
pub use error::Error;
pub use files::{Disposition, Entry, Read, Source};
pub use memory::Memory;
pub use s3::S3;

/// A place for the bytes of photos.
#[derive(Clone, Debug)]
pub enum Store {
    /// A folder of a local or mounted disk.
    Disk(Disk),
    /// A bucket of S3 or of a service that speaks its protocol.
    S3(S3),
    /// The test double.
    Memory(Memory),
}

impl Store {
    /// Opens the store at `address`: `file:///absolute/folder`, `file://relative/folder` or `s3://bucket/prefix`.
    ///
    /// A folder is made when it is missing. `options` are the usual settings of S3 clients by the names of their
    /// environment variables, such as `AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT`; others are left alone. The
    /// text after `file://` is taken as it is, without percent-decoding. Nothing is sent yet: [`Store::ping`] tells
    /// whether the store works.
    pub fn open(address: &str, options: impl IntoIterator<Item = (String, String)>) -> Result<Self, Error> {
        if let Some(folder) = address.strip_prefix("file://").filter(|folder| !folder.is_empty()) {
            Ok(Self::Disk(Disk::open(folder)?))
        } else if address.starts_with("s3://") {
            Ok(Self::S3(S3::open(address, options)?))
        } else {
            Err(Error::Address(address.to_owned()))
        }
    }

    /// An empty test double, whose files are modified when `clock` says.
    pub fn memory(clock: Clock) -> Self {
        Self::Memory(Memory::new(clock))
    }

    /// Puts a file, replacing one with the same key. On return it is on stable storage; until then no reader sees any of
    /// it.
    pub async fn put(&self, key: &MediaKey, source: Source) -> Result<(), Error> {
        match self {
            Self::Disk(disk) => disk.put(key, source).await,
            Self::S3(s3) => s3.put(key, source).await,
            Self::Memory(memory) => memory.put(key, source).await,
        }
    }

    /// The size of a file in bytes; none when there is no such file.
    pub async fn size(&self, key: &MediaKey) -> Result<Option<u64>, Error> {
        match self {
            Self::Disk(disk) => disk.size(key).await,
            Self::S3(s3) => s3.size(key).await,
            Self::Memory(memory) => memory.size(key),
        }
    }

    /// Reads a file, or the bytes of `range`, whose end may be beyond the file's; none when there is no such file.
    pub async fn read(&self, key: &MediaKey, range: Option<Range<u64>>) -> Result<Option<Read>, Error> {
        match self {
            Self::Disk(disk) => disk.read(key, range).await,
            Self::S3(s3) => s3.read(key, range).await,
            Self::Memory(memory) => memory.read(key, range),
        }
    }

    /// Deletes a file; deleting one that does not exist succeeds.
    pub async fn delete(&self, key: &MediaKey) -> Result<(), Error> {
        match self {
            Self::Disk(disk) => disk.delete(key).await,
            Self::S3(s3) => s3.delete(key).await,
            Self::Memory(memory) => memory.delete(key),
        }
    }

    /// All files whose keys start with `prefix`, in no particular order; unfinished ones are not among them.
    pub fn list(&self, prefix: &str) -> BoxStream<'static, Result<Entry, Error>> {
        let prefix = prefix.to_owned();
        let all = match self {
            Self::Disk(disk) => disk.list(),
            Self::S3(s3) => s3.list(&prefix),
            Self::Memory(memory) => memory.list(),
        };
        all.try_filter(move |entry| std::future::ready(entry.key.as_str().starts_with(&prefix))).boxed()
    }

    /// Removes what crashes left of files that were being put, if it was last written before `before`; gives how many
    /// there were. Buckets hide unfinished uploads and want a lifecycle rule of their own, so there it is always 0.
    pub async fn sweep(&self, before: Timestamp) -> Result<u64, Error> {
        match self {
            Self::Disk(disk) => disk.sweep(before).await,
            Self::S3(_) | Self::Memory(_) => Ok(0),
        }
    }

    /// A link that gives anyone read access to the file for `expires_in`, under `filename`; none where the store serves no
    /// requests itself. The file need not exist. S3 allows seven days at most.
    pub async fn presign(
        &self,
        key: &MediaKey,
        expires_in: Duration,
        disposition: &Disposition<'_>,
    ) -> Result<Option<String>, Error> {
        match self {
            Self::S3(s3) => s3.presign(key, expires_in, disposition).await.map(Some),
            Self::Disk(_) | Self::Memory(_) => {
                names::check(key)?;
                Ok(None)
            }
        }
    }

    /// Writes a small file and removes it again, so that a full or read-only store is noticed.
    pub async fn ping(&self) -> Result<(), Error> {
        match self {
            Self::Disk(disk) => disk.ping().await,
            Self::S3(s3) => s3.ping().await,
            Self::Memory(memory) => memory.ping(),
        }
    }
}
