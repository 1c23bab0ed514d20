//! A folder: `originals/7hq…x.jpg` is `originals/7h/7hq…x.jpg`.
//!
//! A file is written under a temporary name beside its place, synced, renamed, and its folder synced, so that a crash at
//! any moment leaves the old file, the new one, or a temporary that [`Disk::remove_unfinished`] finds. The trash is a folder of the
//! same form in the store's own, so that a file moves there by a rename.

mod durable;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use domain::Timestamp;
use domain::photos::MediaKey;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use super::error::Error;
use super::files::{Entry, Read, Source, clamp};
use super::marker::{self, Marker};
use super::names::{self, TRASH};
use super::place::Place;
use crate::local_disk::{blocking, found, modified};
use durable::{Folders, Temporary, is_temporary, make_folder, sync_folder};

/// Bytes that are read at a time.
const CHUNK: usize = 64 * 1024;

/// A folder of a local or mounted disk.
#[derive(Clone, Debug)]
pub struct Disk {
    root: Arc<Path>,
    folders: Arc<Folders>,
}

impl Disk {
    /// The store in `folder`, which is made when it is missing.
    pub(super) fn open(folder: &str) -> Result<Self, Error> {
        // A later change of the working directory must not move the store.
        let root = std::path::absolute(folder)?;
        make_folder(&root)?;
        match root.parent().map(sync_folder) {
            // It is in a folder of somebody else's, who has made it.
            Some(Err(error)) if error.kind() == io::ErrorKind::PermissionDenied => {}
            synced => synced.transpose().map(drop)?,
        }
        Ok(Self { folders: Folders::below(&root).into(), root: root.into() })
    }

    fn path(&self, key: &MediaKey) -> Result<PathBuf, Error> {
        path_in(&self.root, key)
    }

    fn trash(&self) -> PathBuf {
        self.root.join(TRASH)
    }

    pub(super) async fn put(&self, key: &MediaKey, source: Source) -> Result<(), Error> {
        let (path, root, folders) = (self.path(key)?, self.root.clone(), self.folders.clone());
        let put = move || {
            let folder = path.parent().unwrap_or(&root);
            folders.make(folder)?;
            Temporary::write(folder, &source)?.place(&path)?;
            sync_folder(folder)
        };
        Ok(blocking(put).await?)
    }

    pub(super) async fn size(&self, key: &MediaKey) -> Result<Option<u64>, Error> {
        Ok(found(tokio::fs::metadata(self.path(key)?).await)?.map(|metadata| metadata.len()))
    }

    pub(super) async fn read(
        &self,
        key: &MediaKey,
        range: Option<Range<u64>>,
    ) -> Result<Option<Read>, Error> {
        let Some(mut file) = found(tokio::fs::File::open(self.path(key)?).await)? else { return Ok(None) };
        let total = file.metadata().await?.len();
        let range = clamp(range, total)?;
        if range.start > 0 {
            file.seek(io::SeekFrom::Start(range.start)).await?;
        }
        let bytes = ReaderStream::with_capacity(file.take(range.end - range.start), CHUNK).map_err(Error::Io);
        Ok(Some(Read { total, range, bytes: bytes.boxed() }))
    }

    /// With one change to a thread for blocking work, where a stream has one for each of its steps.
    pub(super) async fn read_small(&self, key: &MediaKey, limit: u64) -> Result<Option<Bytes>, Error> {
        let path = self.path(key)?;
        let read = move || {
            let Some(mut file) = found(File::open(path))? else { return Ok(None) };
            let size = file.metadata()?.len();
            if size > limit {
                return Ok(None);
            }
            // In one piece: `read_to_end` begins with small ones where it is not told the size.
            let mut bytes = vec![0; usize::try_from(size).unwrap_or_default()];
            file.read_exact(&mut bytes)?;
            Ok(Some(bytes.into()))
        };
        Ok(blocking(read).await?)
    }

    pub(super) async fn delete(&self, keys: &[MediaKey]) -> Result<(), Error> {
        self.remove(&self.root, keys).await
    }

    async fn remove(&self, base: &Path, keys: &[MediaKey]) -> Result<(), Error> {
        let paths: Vec<PathBuf> = keys.iter().map(|key| path_in(base, key)).collect::<Result<_, _>>()?;
        let remove = move || {
            let mut changed = BTreeSet::new();
            for path in &paths {
                if found(fs::remove_file(path))?.is_some() {
                    changed.extend(path.parent());
                }
            }
            // Each once, however many of its files are gone.
            changed.into_iter().try_for_each(sync_folder)
        };
        Ok(blocking(remove).await?)
    }

    pub(super) async fn discard(&self, keys: &[MediaKey], at: Timestamp) -> Result<(), Error> {
        let (trash, folders) = (self.trash(), self.folders.clone());
        let moves: Vec<(PathBuf, PathBuf)> = keys
            .iter()
            .map(|key| Ok((self.path(key)?, path_in(&trash, key)?)))
            .collect::<Result<_, Error>>()?;
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(at.as_millis()).unwrap_or(0));
        let discard = move || {
            let mut changed = BTreeSet::new();
            for (from, to) in &moves {
                // Its time comes first: a file that a crash keeps from moving is young, and moves another day.
                let Some(file) = found(File::open(from))? else { continue };
                file.set_modified(at)?;
                if let Some(folder) = to.parent() {
                    folders.make(folder)?;
                }
                found(fs::rename(from, to))?;
                changed.extend([from.parent(), to.parent()].into_iter().flatten());
            }
            changed.into_iter().try_for_each(sync_folder)
        };
        Ok(blocking(discard).await?)
    }

    pub(super) async fn restore(&self, key: &MediaKey) -> Result<bool, Error> {
        let (from, to, folders) = (path_in(&self.trash(), key)?, self.path(key)?, self.folders.clone());
        let restore = move || {
            if found(fs::metadata(&from))?.is_none() {
                return Ok(false);
            }
            if let Some(folder) = to.parent() {
                folders.make(folder)?;
            }
            fs::rename(&from, &to)?;
            [to.parent(), from.parent()].into_iter().flatten().try_for_each(sync_folder)?;
            Ok(true)
        };
        Ok(blocking(restore).await?)
    }

    pub(super) async fn purge(&self, keys: &[MediaKey]) -> Result<(), Error> {
        self.remove(&self.trash(), keys).await
    }

    pub(super) async fn marker(&self) -> Result<Option<Marker>, Error> {
        match found(tokio::fs::read(self.root.join(marker::NAME)).await)? {
            Some(bytes) => Marker::read(&bytes).map(Some),
            None => Ok(None),
        }
    }

    pub(super) async fn put_marker(&self, marker: &Marker, replace: bool) -> Result<(), Error> {
        let (root, source) = (self.root.clone(), Source::Bytes(marker.to_bytes()));
        let put = move || {
            let temporary = Temporary::write(&root, &source)?;
            let path = root.join(marker::NAME);
            if replace {
                temporary.place(&path)?
            } else {
                temporary.place_new(&path)?
            }
            sync_folder(&root)
        };
        Ok(blocking(put).await?)
    }

    pub(super) fn list(&self) -> BoxStream<'static, Result<Entry, Error>> {
        entries(files(self.root.to_path_buf()))
    }

    pub(super) fn list_discarded(&self) -> BoxStream<'static, Result<Entry, Error>> {
        let trash = self.trash();
        // It is made when the first file goes there.
        if trash.is_dir() { entries(files(trash)) } else { stream::empty().boxed() }
    }

    pub(super) async fn remove_unfinished(&self, before: Timestamp) -> Result<u64, Error> {
        let stale = |file: &FileEntry| is_temporary(&file.name) && file.modified < before;
        files(self.root.to_path_buf())
            .try_filter(|file| std::future::ready(stale(file)))
            .try_fold(0, async |swept, file| {
                // Its writer may have finished meanwhile.
                Ok(swept + found(tokio::fs::remove_file(&file.path).await)?.map_or(0, |()| 1))
            })
            .await
    }

    pub(super) async fn place(&self) -> Result<Place, Error> {
        match found(tokio::fs::metadata(&self.root).await)? {
            Some(metadata) => Ok(Place::of(&metadata)),
            None => Ok(Place::Missing),
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) async fn ping(&self) -> Result<(), Error> {
        let root = self.root.clone();
        // Dropped, it is removed.
        let probe =
            move || Temporary::write(&root, &Source::Bytes(bytes::Bytes::from_static(b"ping"))).map(drop);
        Ok(blocking(probe).await?)
    }
}

fn path_in(base: &Path, key: &MediaKey) -> Result<PathBuf, Error> {
    let (folder, name) = names::check(key)?;
    Ok(base.join(folder).join(names::shard(name)).join(name))
}

/// Everything that lies at most two folders deep; the trash is left out.
fn files(base: PathBuf) -> BoxStream<'static, Result<FileEntry, Error>> {
    stream::try_unfold(vec![(base, 0)], async |mut folders: Vec<(PathBuf, u8)>| {
        let Some((folder, depth)) = folders.pop() else { return Ok(None) };
        // One folder's names at a time: some thousands.
        let (files, deeper) = blocking(move || read_folder(&folder, depth)).await?;
        folders.extend(deeper.into_iter().map(|folder| (folder, depth + 1)));
        Ok::<_, Error>(Some((stream::iter(files.into_iter().map(Ok)), folders)))
    })
    .try_flatten()
    .boxed()
}

/// Those files that lie where their keys say.
fn entries(files: BoxStream<'static, Result<FileEntry, Error>>) -> BoxStream<'static, Result<Entry, Error>> {
    files
        .try_filter_map(async |file| {
            let folder = file.folder.to_string_lossy();
            if file.depth != 2
                || !names::is_safe(&folder)
                || !names::is_safe(&file.name)
                || file.shard != names::shard(&file.name)
            {
                return Ok(None);
            }
            let key = MediaKey::from_trusted(format!("{folder}/{}", file.name));
            Ok(Some(Entry { key, size: file.size, modified: file.modified }))
        })
        .boxed()
}

/// A file in the store's folder, whatever it is.
struct FileEntry {
    path: PathBuf,
    /// In how many folders of the base it lies.
    depth: u8,
    /// Name of the folder of its folder.
    folder: PathBuf,
    /// Name of its folder.
    shard: String,
    name: String,
    size: u64,
    modified: Timestamp,
}

fn read_folder(path: &Path, depth: u8) -> io::Result<(Vec<FileEntry>, Vec<PathBuf>)> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && depth < 2 {
            if depth > 0 || entry.file_name() != TRASH {
                folders.push(entry.path());
            }
        } else if kind.is_file() {
            // A file may be renamed or removed while the folder is read.
            let Some(metadata) = found(entry.metadata())? else { continue };
            files.push(FileEntry {
                path: entry.path(),
                depth,
                folder: path.parent().and_then(Path::file_name).map(PathBuf::from).unwrap_or_default(),
                shard: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                name: entry.file_name().to_string_lossy().into_owned(),
                size: metadata.len(),
                modified: modified(&metadata)?,
            });
        }
    }
    Ok((files, folders))
}
