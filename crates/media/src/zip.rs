//! ZIP archives of stored files, and of small ones in memory, streamed without being assembled.

mod layout;

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use domain::photos::MediaKey;
use domain::photos::captures::Capture;
use domain::photos::file_times::FileTime;
use domain::photos::redactions::{Patch, Redaction};
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{StreamExt as _, TryStreamExt as _};
use tokio::task::spawn_blocking;

use crate::captures::tagged;
use crate::decoders::{Decoders, Priority};
use crate::metadata::overwritten;
use crate::pictures::PREVIEW_LONG_SIDE;
use crate::stores::{self, Store};
use crate::temp_files::Contents;
use crate::watermarks::{Mark, marked};

pub use layout::{Entry, Layout, Segment};

/// Headers that follow each other are sent in chunks of up to so many bytes.
const HEADER_CHUNK: usize = 32 * 1024;

/// An archive whose entries are files. Cheap to clone; of what a store has, only the layout is in memory.
#[derive(Clone)]
pub struct Archive {
    store: Store,
    decoders: Decoders,
    redactions: Arc<dyn Redactions>,
    layout: Arc<Layout>,
    /// One for each entry of the layout, in the same order.
    files: Arc<[File]>,
}

/// Where the bytes of an entry are.
#[derive(Clone, Debug)]
pub enum File {
    /// In a store.
    Stored {
        /// The file.
        key: MediaKey,
    },
    /// In a store, and overwritten as its redaction says when it is read.
    Redacted {
        /// The file.
        key: MediaKey,
        /// The CRC-32 of the result.
        crc32: u32,
    },
    /// A rendition in a store, into which its tags are written when it is read.
    Tagged {
        /// The rendition.
        key: MediaKey,
        /// What has the tags.
        capture: Capture,
        /// The CRC-32 of the result.
        crc32: u32,
    },
    /// A rendition in a store, with a watermark that is drawn when it is read, and its tags.
    Marked {
        /// The rendition.
        key: MediaKey,
        /// What is drawn.
        mark: Arc<Mark>,
        /// What has the tags.
        capture: Capture,
        /// The CRC-32 of the result.
        crc32: u32,
    },
    /// Here.
    Made(Bytes),
}

impl File {
    /// A file with these bytes, and its entry.
    pub fn made(name: &str, bytes: Bytes, modified: FileTime) -> (Entry, Self) {
        let (size, crc32) = (bytes.len() as u64, crc32fast::hash(&bytes));
        (Entry { name: name.to_owned(), size, crc32, modified }, Self::Made(bytes))
    }
}

/// Where redactions are. Those of all originals of an archive would be too much to hold.
pub trait Redactions: Send + Sync {
    /// That of an original; none when it has none any more.
    fn of<'a>(&'a self, original: &'a MediaKey) -> BoxFuture<'a, Found>;
}

/// What is found of a redaction.
pub type Found = Result<Option<Redaction>, Box<dyn std::error::Error + Send + Sync>>;

/// Why an archive could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] stores::Error),
    /// A watermark could not be drawn.
    #[error("the watermark of {key}: {reason}")]
    Mark {
        /// The rendition.
        key: MediaKey,
        /// What happened.
        reason: String,
    },
    /// What is overwritten in an original could not be read.
    #[error("the redaction of {key}")]
    Redaction {
        /// The original.
        key: MediaKey,
        /// What happened.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file is deleted, or its length differs from its entry's.
    #[error("{key} {change} while a ZIP with it was sent")]
    Changed {
        /// The file.
        key: MediaKey,
        /// What happened to it, as a predicate.
        change: &'static str,
    },
}

impl Archive {
    /// The archive of these files of `store`, in their order; `decoders` read what is to be marked.
    pub fn new(
        store: Store,
        decoders: Decoders,
        redactions: Arc<dyn Redactions>,
        files: impl IntoIterator<Item = (Entry, File)>,
    ) -> Self {
        let (entries, files): (Vec<Entry>, Vec<File>) = files.into_iter().unzip();
        Self { store, decoders, redactions, layout: Arc::new(Layout::new(entries)), files: files.into() }
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.layout.size()
    }

    /// The bytes of `range`, read from the store while they are consumed.
    ///
    /// A file that cannot be read, or is not as long as it was, ends the stream with an error, so that the caller
    /// aborts the connection instead of sending an archive that looks complete.
    pub fn read(&self, range: Range<u64>) -> BoxStream<'static, Result<Bytes, Error>> {
        stream::try_unfold((self.clone(), range), async |(archive, rest)| {
            let Some(segment) = archive.first_segment(rest.clone()) else { return Ok(None) };
            let after = rest.start + segment.size()..rest.end;
            let bytes = archive.read_segment(segment).await?;
            Ok::<_, Error>(Some((bytes, (archive, after))))
        })
        .try_flatten()
        .boxed()
    }

    /// The first segment of `range`; consecutive headers are merged into one.
    fn first_segment(&self, range: Range<u64>) -> Option<Segment> {
        let mut segments = self.layout.segments(range);
        let mut first = segments.next()?;
        if let Segment::Bytes(bytes) = &mut first {
            while bytes.len() < HEADER_CHUNK
                && let Some(Segment::Bytes(more)) = segments.next()
            {
                bytes.extend(more);
            }
        }
        Some(first)
    }

    /// A rendition with its tags. One that is not what the layout was made of ends the archive.
    async fn read_tagged(&self, key: &MediaKey, capture: &Capture, crc32: u32) -> Result<Bytes, Error> {
        let changed = |change| Error::Changed { key: key.clone(), change };
        let read = self.store.read(key, None).await?.ok_or_else(|| changed("was removed"))?;
        let bytes = Bytes::from(tagged(read.whole().await?.into(), capture));
        if crc32fast::hash(&bytes) == crc32 { Ok(bytes) } else { Err(changed("became another file")) }
    }

    /// A rendition with its watermark. One that is not what the layout was made of ends the archive.
    async fn read_marked(
        &self,
        key: &MediaKey,
        mark: &Arc<Mark>,
        capture: &Capture,
        crc32: u32,
    ) -> Result<Bytes, Error> {
        let changed = |change| Error::Changed { key: key.clone(), change };
        let failed = |reason: String| Error::Mark { key: key.clone(), reason };
        let read = self.store.read(key, None).await?.ok_or_else(|| changed("was removed"))?;
        let mark = mark.clone();
        let mut rendition = self.decoders.open(Contents::InMemory(read.whole().await?), Priority::Foreground);
        let drawn = spawn_blocking(move || {
            let pixels = rendition.decode(PREVIEW_LONG_SIDE, None).map_err(|error| error.to_string())?;
            let pixels = pixels.map_err(|unreadable| unreadable.to_string())?;
            marked(pixels, &mark).map_err(|error| error.to_string())
        });
        let drawn = drawn.await.map_err(|error| failed(error.to_string()))?;
        let bytes = Bytes::from(tagged(drawn.map_err(failed)?, capture));
        if crc32fast::hash(&bytes) == crc32 { Ok(bytes) } else { Err(changed("became another file")) }
    }

    /// What is overwritten in an original. One that is not what the layout was made of ends the archive.
    async fn patches(&self, key: &MediaKey, crc32: u32) -> Result<Arc<[Patch]>, Error> {
        let found = self.redactions.of(key).await;
        let found = found.map_err(|source| Error::Redaction { key: key.clone(), source })?;
        match found {
            Some(redaction) if redaction.crc32 == crc32 => Ok(redaction.patches.into()),
            _ => Err(Error::Changed { key: key.clone(), change: "became another file" }),
        }
    }

    /// A part of a file as it is in the store, but for what `patches` overwrite.
    async fn read_stored(
        &self,
        key: &MediaKey,
        patches: Arc<[Patch]>,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
        let changed = |change| Error::Changed { key: key.clone(), change };
        let read = self.store.read(key, Some(range.clone())).await?;
        let read = read.ok_or_else(|| changed("was removed"))?;
        if read.range != range {
            return Err(changed("got shorter"));
        }
        let size = range.end - range.start;
        let bytes = read.bytes.map_err(Error::Store).boxed();
        Ok(require_size(overwritten(bytes, range.start, patches), size, changed("ended early")))
    }

    async fn read_segment(
        &self,
        segment: Segment,
    ) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
        let (entry, range) = match segment {
            Segment::Bytes(bytes) => return Ok(stream::iter([Ok(Bytes::from(bytes))]).boxed()),
            Segment::File { entry, range } => (entry, range),
        };
        let whole = match &self.files[entry] {
            File::Stored { key } => return self.read_stored(key, Arc::default(), range).await,
            File::Redacted { key, crc32 } => {
                let patches = self.patches(key, *crc32).await?;
                return self.read_stored(key, patches, range).await;
            }
            File::Tagged { key, capture, crc32 } => self.read_tagged(key, capture, *crc32).await?,
            File::Marked { key, mark, capture, crc32 } => {
                self.read_marked(key, mark, capture, *crc32).await?
            }
            File::Made(bytes) => bytes.clone(),
        };
        let range = range.start as usize..range.end as usize;
        Ok(stream::iter([Ok(whole.slice(range))]).boxed())
    }
}

/// A stream that fails with `truncated` when it ends before `size` bytes.
fn require_size(
    bytes: BoxStream<'static, Result<Bytes, Error>>,
    size: u64,
    truncated: Error,
) -> BoxStream<'static, Result<Bytes, Error>> {
    stream::try_unfold((bytes, size, Some(truncated)), async |(mut bytes, left, mut truncated)| {
        match bytes.try_next().await? {
            Some(chunk) => {
                let left = left.saturating_sub(chunk.len() as u64);
                Ok(Some((chunk, (bytes, left, truncated))))
            }
            None if left == 0 => Ok(None),
            None => match truncated.take() {
                Some(truncated) => Err(truncated),
                None => Ok(None),
            },
        }
    })
    .boxed()
}
