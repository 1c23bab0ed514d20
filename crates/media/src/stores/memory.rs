//! The test double: files in memory, and switches that break it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use domain::photos::MediaKey;
use domain::{Clock, Timestamp};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use tokio::sync::oneshot;

use super::error::{EIO, Error};
use super::files::{Entry, Read, Source, clamp};
use super::marker::Marker;
use super::names;

/// Bytes of a chunk: small, so that tests see more than one.
const CHUNK: usize = 1024;

/// What was put, and when.
type Files = BTreeMap<MediaKey, (Bytes, Timestamp)>;
/// Tells that a put has come, and lets it go on.
type Hold = (oneshot::Sender<()>, oneshot::Receiver<()>);

/// Files in memory; clones share them.
#[derive(Clone, Debug)]
pub struct Memory {
    files: Arc<Mutex<Files>>,
    trash: Arc<Mutex<Files>>,
    marker: Arc<Mutex<Option<Marker>>>,
    broken: Arc<AtomicBool>,
    /// What the next call panics with.
    panic: Arc<Mutex<Option<String>>>,
    /// Files whose bytes are lost.
    lost: Arc<Mutex<BTreeSet<MediaKey>>>,
    /// What holds the next put.
    hold: Arc<Mutex<Option<Hold>>>,
    clock: Clock,
}

impl Memory {
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            files: Arc::default(),
            trash: Arc::default(),
            marker: Arc::default(),
            broken: Arc::default(),
            panic: Arc::default(),
            lost: Arc::default(),
            hold: Arc::default(),
            clock,
        }
    }

    /// From now on every call fails like a broken disk, or works again.
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    /// From now on nobody has said which database the store belongs to, as in a store of an older version.
    pub fn forget_marker(&self) {
        *self.marker.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The next call panics with this message, as a bug would.
    pub fn panic_once(&self, message: &str) {
        *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(message.to_owned());
    }

    /// From now on the file is there and cannot be read, as if its sectors were lost, until it is put again.
    pub fn lose(&self, key: &MediaKey) {
        self.lost().insert(key.clone());
    }

    /// The next put waits: the receiver tells when it has come, and with the sender it goes on.
    pub fn hold_put(&self) -> (oneshot::Receiver<()>, oneshot::Sender<()>) {
        let ((tell, has_come), (go_on, wait)) = (oneshot::channel(), oneshot::channel());
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = Some((tell, wait));
        (has_come, go_on)
    }

    fn lost(&self) -> MutexGuard<'_, BTreeSet<MediaKey>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Always locked after the files, so that a move is one step.
    fn trash(&self) -> MutexGuard<'_, Files> {
        self.trash.lock().unwrap_or_else(PoisonError::into_inner)
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
        let hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((tell, wait)) = hold {
            // A test that waits for nothing more lets it go on.
            let _ = tell.send(());
            let _ = wait.await;
        }
        self.files()?.insert(key.clone(), (bytes, self.clock.now()));
        self.lost().remove(key);
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
        let lost = self.lost().contains(key).then(|| Err(Error::Io(std::io::Error::from_raw_os_error(EIO))));
        Ok(Some(Read { total, range, bytes: stream::iter(lost.into_iter().chain(chunks)).boxed() }))
    }

    pub(super) fn delete(&self, keys: &[MediaKey]) -> Result<(), Error> {
        let mut files = self.files()?;
        for key in keys {
            names::check(key)?;
            files.remove(key);
        }
        Ok(())
    }

    pub(super) fn discard(&self, keys: &[MediaKey], at: Timestamp) -> Result<(), Error> {
        let (mut files, mut trash) = (self.files()?, self.trash());
        for key in keys {
            names::check(key)?;
            trash.extend(files.remove_entry(key).map(|(key, (bytes, _))| (key, (bytes, at))));
        }
        Ok(())
    }

    pub(super) fn restore(&self, key: &MediaKey) -> Result<bool, Error> {
        names::check(key)?;
        let (mut files, mut trash) = (self.files()?, self.trash());
        let restored = trash.remove_entry(key);
        let found = restored.is_some();
        files.extend(restored);
        Ok(found)
    }

    pub(super) fn purge(&self, keys: &[MediaKey]) -> Result<(), Error> {
        let (_files, mut trash) = (self.files()?, self.trash());
        trash.retain(|key, _| !keys.contains(key));
        Ok(())
    }

    pub(super) fn list(&self) -> BoxStream<'static, Result<Entry, Error>> {
        entries(self.files().map(|files| entries_of(&files)))
    }

    pub(super) fn list_discarded(&self) -> BoxStream<'static, Result<Entry, Error>> {
        entries(self.files().map(|_files| entries_of(&self.trash())))
    }

    pub(super) fn marker(&self) -> Result<Option<Marker>, Error> {
        let _files = self.files()?;
        Ok(self.marker.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    pub(super) fn put_marker(&self, marker: &Marker, replace: bool) -> Result<(), Error> {
        let _files = self.files()?;
        let mut stored = self.marker.lock().unwrap_or_else(PoisonError::into_inner);
        if replace || stored.is_none() {
            *stored = Some(marker.clone());
        }
        Ok(())
    }

    pub(super) fn ping(&self) -> Result<(), Error> {
        self.files().map(drop)
    }
}

fn entries_of(files: &Files) -> Vec<Entry> {
    files
        .iter()
        .map(|(key, (bytes, modified))| Entry {
            key: key.clone(),
            size: bytes.len() as u64,
            modified: *modified,
        })
        .collect()
}

fn entries(listed: Result<Vec<Entry>, Error>) -> BoxStream<'static, Result<Entry, Error>> {
    match listed {
        Ok(entries) => stream::iter(entries.into_iter().map(Ok)).boxed(),
        Err(error) => stream::iter([Err(error)]).boxed(),
    }
}
