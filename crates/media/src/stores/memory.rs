//! The test double: files in memory, and a switch that breaks it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use domain::photos::MediaKey;
use domain::{Clock, Timestamp};
use futures::StreamExt;
use futures::stream::{self, BoxStream};

use super::error::Error;
use super::files::{Entry, Read, Source, clamp};
use super::names;

/// Bytes of a chunk: small, so that tests see more than one.
const CHUNK: usize = 1024;

/// What was put, and when.
type Files = BTreeMap<MediaKey, (Bytes, Timestamp)>;

/// Files in memory; clones share them.
#[derive(Clone, Debug)]
pub struct Memory {
    files: Arc<Mutex<Files>>,
    broken: Arc<AtomicBool>,
    /// What the next call panics with.
    panic: Arc<Mutex<Option<String>>>,
    clock: Clock,
}

impl Memory {
    pub(super) fn new(clock: Clock) -> Self {
        Self { files: Arc::default(), broken: Arc::default(), panic: Arc::default(), clock }
    }

    /// From now on every call fails like a broken disk, or works again.
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    /// The next call panics with this message, as a bug would.
    pub fn panic_once(&self, message: &str) {
        *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(message.to_owned());
    }

    fn files(&self) -> Result<MutexGuard<'_, Files>, Error> {
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(message) = panic {
            panic!("{message}");
        }
        if self.broken.load(Ordering::SeqCst) {
            return Err(Error::Io(std::io::Error::other("the store is broken, as the test wished")));
        }
        Ok(self.files.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn file(&self, key: &MediaKey) -> Result<Option<Bytes>, Error> {
        names::check(key)?;
        Ok(self.files()?.get(key).map(|(bytes, _)| bytes.clone()))
    }

    pub(super) async fn put(&self, key: &MediaKey, source: Source) -> Result<(), Error> {
        names::check(key)?;
        let bytes = match source {
            Source::Bytes(bytes) => bytes,
            Source::File(path) => tokio::fs::read(path).await?.into(),
        };
        self.files()?.insert(key.clone(), (bytes, self.clock.now()));
        Ok(())
    }

    pub(super) fn size(&self, key: &MediaKey) -> Result<Option<u64>, Error> {
        Ok(self.file(key)?.map(|bytes| bytes.len() as u64))
    }

    pub(super) fn read(&self, key: &MediaKey, range: Option<Range<u64>>) -> Result<Option<Read>, Error> {
        let Some(bytes) = self.file(key)? else { return Ok(None) };
        let total = bytes.len() as u64;
        let range = clamp(range, total)?;
        // Both ends are within a length that is a usize.
        let mut rest = bytes.slice(range.start as usize..range.end as usize);
        let chunks =
            std::iter::from_fn(move || (!rest.is_empty()).then(|| Ok(rest.split_to(rest.len().min(CHUNK)))));
        Ok(Some(Read { total, range, bytes: stream::iter(chunks).boxed() }))
    }

    pub(super) fn delete(&self, key: &MediaKey) -> Result<(), Error> {
        names::check(key)?;
        self.files()?.remove(key);
        Ok(())
    }

    pub(super) fn list(&self) -> BoxStream<'static, Result<Entry, Error>> {
        let entries: Vec<_> = match self.files() {
            Ok(files) => files
                .iter()
                .map(|(key, (bytes, modified))| {
                    Ok(Entry { key: key.clone(), size: bytes.len() as u64, modified: *modified })
                })
                .collect(),
            Err(error) => vec![Err(error)],
        };
        stream::iter(entries).boxed()
    }

    pub(super) fn ping(&self) -> Result<(), Error> {
        self.files().map(drop)
    }
}
