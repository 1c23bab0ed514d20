//! Stored files as decoders want them: one byte slice, without taking as much memory as a large file has bytes.

use std::io;
use std::ops::Deref;
use std::path::Path;

use bytes::Bytes;
use domain::photos::MediaKey;
use futures::TryStreamExt as _;
use tokio::io::AsyncWriteExt as _;

use super::{MappedFile, create};
use crate::local_disk::blocking;
use crate::stores::{self, Store};

/// Files up to this size are read into memory, in bytes: nearly all photos, which then need no copy on the disk.
const MAX_IN_MEMORY: u64 = 16 * 1_048_576;

/// All bytes of a stored file.
#[derive(Debug)]
pub enum Contents {
    /// Held in memory.
    InMemory(Bytes),
    /// Mapped from a private copy on the local disk, which is deleted when dropped. The store's own file is never mapped:
    /// it may be on a network file system, whose failure would kill the process (SIGBUS) instead of the job, or in a
    /// bucket.
    Mapped(MappedFile),
}

/// Why a stored file could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] stores::Error),
    /// The local disk failed.
    #[error("the local disk failed")]
    Disk(#[from] io::Error),
}

impl Contents {
    /// Loads a file of `store`, by way of the folder `dir` when it is large; none when it is not in the store.
    pub async fn load(store: &Store, key: &MediaKey, dir: &Path) -> Result<Option<Self>, LoadError> {
        let Some(mut read) = store.read(key, None).await? else { return Ok(None) };
        if read.total <= MAX_IN_MEMORY {
            return Ok(Some(Self::InMemory(read.whole().await?)));
        }
        let (mut file, path) = create(dir, "original-").await?;
        while let Some(chunk) = read.bytes.try_next().await? {
            file.write_all(&chunk).await?;
        }
        file.flush().await?;
        // `path` is unlinked right after mapping, so that a crash leaves nothing behind; the bytes stay mapped.
        Ok(Some(Self::Mapped(blocking(move || MappedFile::open(&path)).await?)))
    }
}

impl Deref for Contents {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::InMemory(bytes) => bytes,
            Self::Mapped(mapped) => mapped,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{Clock, Timestamp};

    use super::*;
    use crate::stores::Source;

    #[tokio::test]
    async fn small_files_are_held_and_large_ones_mapped() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::memory(Clock::fixed(Timestamp::from_millis(0)));
        let key = MediaKey::from_trusted(String::from("originals/a.jpg"));
        assert!(Contents::load(&store, &key, dir.path()).await.unwrap().is_none());
        for (size, is_mapped) in [(MAX_IN_MEMORY, false), (MAX_IN_MEMORY + 1, true)] {
            let bytes = Bytes::from_iter((0..size).map(|at| (at % 251) as u8));
            store.put(&key, Source::Bytes(bytes.clone())).await.unwrap();
            let contents = Contents::load(&store, &key, dir.path()).await.unwrap().unwrap();
            assert_eq!(matches!(contents, Contents::Mapped(_)), is_mapped);
            assert!(*contents == *bytes);
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "no file is left under a name");
        }
    }
}
