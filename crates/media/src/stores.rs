//! The stores of photos' bytes: a folder, an S3 bucket, or, in tests, memory.

mod disk;
mod error;
mod files;
mod marker;
mod memory;
mod names;
mod place;
mod s3;

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use domain::photos::MediaKey;
use domain::{Clock, Timestamp};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};

pub use disk::Disk;
pub use error::Error;
pub use files::{Disposition, Entry, Read, Source};
pub use marker::Marker;
pub use memory::Memory;
pub use place::Place;
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

    /// A file of at most `limit` bytes in one piece; none when there is no such file, or it is larger.
    pub async fn read_small(&self, key: &MediaKey, limit: u64) -> Result<Option<Bytes>, Error> {
        if let Self::Disk(disk) = self {
            return disk.read_small(key, limit).await;
        }
        match self.read(key, None).await? {
            Some(read) if read.total <= limit => read.whole().await.map(Some),
            _ => Ok(None),
        }
    }

    /// Deletes a file; deleting one that does not exist succeeds.
    pub async fn delete(&self, key: &MediaKey) -> Result<(), Error> {
        self.delete_many(std::slice::from_ref(key)).await
    }

    /// Removes files for good, with as few requests as the store allows; those that are not there are removed already.
    /// When it fails, some may be removed.
    pub async fn delete_many(&self, keys: &[MediaKey]) -> Result<(), Error> {
        match self {
            Self::Disk(disk) => disk.delete(keys).await,
            Self::S3(s3) => s3.delete(keys).await,
            Self::Memory(memory) => memory.delete(keys),
        }
    }

    /// Moves files to the trash, in place of those that lie there under the same keys; those that are not there are left
    /// out. They count as discarded at `at`; a bucket takes its own clock.
    pub async fn discard(&self, keys: &[MediaKey], at: Timestamp) -> Result<(), Error> {
        match self {
            Self::Disk(disk) => disk.discard(keys, at).await,
            Self::S3(s3) => s3.discard(keys).await,
            Self::Memory(memory) => memory.discard(keys, at),
        }
    }

    /// Moves a file back from the trash; false when it does not lie there.
    pub async fn restore(&self, key: &MediaKey) -> Result<bool, Error> {
        match self {
            Self::Disk(disk) => disk.restore(key).await,
            Self::S3(s3) => s3.restore(key).await,
            Self::Memory(memory) => memory.restore(key),
        }
    }

    /// Removes files from the trash for good.
    pub async fn purge(&self, keys: &[MediaKey]) -> Result<(), Error> {
        match self {
            Self::Disk(disk) => disk.purge(keys).await,
            Self::S3(s3) => s3.purge(keys).await,
            Self::Memory(memory) => memory.purge(keys),
        }
    }

    /// The files in the trash, under the keys they had; they were modified when they were discarded.
    pub fn list_discarded(&self) -> BoxStream<'static, Result<Entry, Error>> {
        match self {
            Self::Disk(disk) => disk.list_discarded(),
            Self::S3(s3) => s3.list_discarded(),
            Self::Memory(memory) => memory.list_discarded(),
        }
    }

    /// Which database the store belongs to; none when nobody has said.
    pub async fn marker(&self) -> Result<Option<Marker>, Error> {
        match self {
            Self::Disk(disk) => disk.marker().await,
            Self::S3(s3) => s3.marker().await,
            Self::Memory(memory) => memory.marker(),
        }
    }

    /// Says which database the store belongs to, unless that is said already.
    pub async fn put_marker_if_absent(&self, marker: &Marker) -> Result<(), Error> {
        self.put_marker(marker, false).await
    }

    /// Says which database the store belongs to, whatever was said before.
    pub async fn replace_marker(&self, marker: &Marker) -> Result<(), Error> {
        self.put_marker(marker, true).await
    }

    async fn put_marker(&self, marker: &Marker, replace: bool) -> Result<(), Error> {
        match self {
            Self::Disk(disk) => disk.put_marker(marker, replace).await,
            Self::S3(s3) => s3.put_marker(marker, replace).await,
            Self::Memory(memory) => memory.put_marker(marker, replace),
        }
    }

    /// All files whose keys start with `prefix`, in no particular order; unfinished ones and those in the trash are not
    /// among them.
    pub fn list(&self, prefix: &str) -> BoxStream<'static, Result<Entry, Error>> {
        let prefix = prefix.to_owned();
        let all = match self {
            Self::Disk(disk) => disk.list(),
            Self::S3(s3) => s3.list(&prefix),
            Self::Memory(memory) => memory.list(),
        };
        all.try_filter(move |entry| std::future::ready(entry.key.as_str().starts_with(&prefix))).boxed()
    }

    /// Removes what crashes left of files that were being put, if it was last written, or begun, before `before`; gives
    /// how many there were.
    pub async fn remove_unfinished(&self, before: Timestamp) -> Result<u64, Error> {
        match self {
            Self::Disk(disk) => disk.remove_unfinished(before).await,
            Self::S3(s3) => s3.abort_uploads(before).await,
            Self::Memory(_) => Ok(0),
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

    /// Where its address leads to at this moment.
    pub async fn place(&self) -> Result<Place, Error> {
        match self {
            Self::Disk(disk) => disk.place().await,
            Self::S3(_) | Self::Memory(_) => Ok(Place::Fixed),
        }
    }

    /// The folder of a store on the local disk.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Disk(disk) => Some(disk.root()),
            Self::S3(_) | Self::Memory(_) => None,
        }
    }

    /// Writes a small file, reads it, and removes it again; answers what time it was by the clock of a bucket's server, in
    /// whole seconds.
    pub async fn probe(&self) -> Result<Option<Timestamp>, Error> {
        match self {
            Self::S3(s3) => s3.probe().await.map(Some),
            // What a disk has taken it gives.
            Self::Disk(_) | Self::Memory(_) => self.ping().await.map(|()| None),
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
