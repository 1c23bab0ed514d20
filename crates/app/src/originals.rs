//! Originals as decoders want them: all bytes in one slice, without taking as much memory as they have bytes.

use std::ops::Deref;

use bytes::Bytes;
use domain::photos::MediaKey;
use futures::TryStreamExt as _;
use media::mappings::Mapped;
use tokio::io::AsyncWriteExt as _;

use crate::{App, Result, tasks};

/// Originals up to this size are held in memory, in bytes: nearly all photos, which then cost no copy on the disk.
const HELD: u64 = 16 * 1_048_576;

/// The bytes of an original.
pub(crate) enum Original {
    /// In memory.
    Held(Bytes),
    /// In a copy of its own on the local disk, gone when dropped. The store's file itself is not mapped: it may lie on a
    /// mounted disk, whose failure would end the process instead of the job, or in a bucket.
    Copied(Mapped),
}

impl Original {
    /// Reads an original; none when it is not in the store.
    ///
    /// # Errors
    /// When the store or the local disk fails.
    pub(crate) async fn open(app: &App, key: &MediaKey) -> Result<Option<Self>> {
        let Some(mut read) = app.store.read(key, None).await? else { return Ok(None) };
        if read.total <= HELD {
            return Ok(Some(Self::Held(read.whole().await?)));
        }
        let folder = app.settings.incoming_dir.clone();
        let copy = tasks::blocking(move || tempfile::Builder::new().prefix("original-").tempfile_in(folder))
            .await??;
        let (file, path) = copy.into_parts();
        let mut file = tokio::fs::File::from_std(file);
        while let Some(chunk) = read.bytes.try_next().await? {
            file.write_all(&chunk).await?;
        }
        file.flush().await?;
        // Its name goes at once, so that a crash leaves nothing; its bytes stay for as long as they are mapped.
        Ok(Some(Self::Copied(tasks::blocking(move || Mapped::private(&path)).await??)))
    }
}

impl Deref for Original {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Held(bytes) => bytes,
            Self::Copied(mapped) => mapped,
        }
    }
}
