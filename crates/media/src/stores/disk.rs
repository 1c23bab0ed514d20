//! A folder: `originals/7hq…x.jpg` is `originals/7h/7hq…x.jpg`.
//!
//! A file is written under a temporary name beside its place, synced, renamed, and its folder synced, so that a crash at
//! any moment leaves the old file, the new one, or a temporary that [`Disk::sweep`] finds.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::Timestamp;
use domain::photos::MediaKey;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use super::error::Error;
use super::files::{Entry, Read, Source, clamp};
use super::names;
use crate::local_disk::{blocking, found, modified};

/// Bytes that are read at a time.
const CHUNK: usize = 64 * 1024;
/// Ending of temporary names, which start with a dot.
const TEMPORARY: &str = ".tmp";

/// A folder of a local or mounted disk.
#[derive(Clone, Debug)]
pub struct Disk {
    root: Arc<Path>,
}

impl Disk {
    /// The store in `folder`, which is made when it is missing.
    pub(super) fn open(folder: &str) -> Result<Self, Error> {
        // A later change of the working directory must not move the store.
        let root = std::path::absolute(folder)?;
        fs::create_dir_all(&root)?;
        Ok(Self { root: root.into() })
    }

    fn path(&self, key: &MediaKey) -> Result<PathBuf, Error> {
        let (folder, name) = names::check(key)?;
        Ok(self.root.join(folder).join(names::shard(name)).join(name))
    }

    pub(super) async fn put(&self, key: &MediaKey, source: Source) -> Result<(), Error> {
        let (path, root) = (self.path(key)?, self.root.clone());
        let put = move || {
            let folder = path.parent().unwrap_or(&root);
            make_folder(folder)?;
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

    pub(super) async fn delete(&self, key: &MediaKey) -> Result<(), Error> {
        let path = self.path(key)?;
        let delete = move || match (found(fs::remove_file(&path))?, path.parent()) {
            (Some(()), Some(folder)) => sync_folder(folder),
            _ => Ok(()),
        };
        Ok(blocking(delete).await?)
    }

    pub(super) fn list(&self) -> BoxStream<'static, Result<Entry, Error>> {
        self.files()
            .try_filter_map(async |file| {
                let folder = file.folder.to_string_lossy();
                if !names::is_safe(&folder)
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

    pub(super) async fn sweep(&self, before: Timestamp) -> Result<u64, Error> {
        let stale = |file: &FileEntry| {
            file.name.starts_with('.') && file.name.ends_with(TEMPORARY) && file.modified < before
        };
        self.files()
            .try_filter(|file| std::future::ready(stale(file)))
            .try_fold(0, async |swept, file| {
                // Its writer may have finished meanwhile.
                Ok(swept + found(tokio::fs::remove_file(&file.path).await)?.map_or(0, |()| 1))
            })
            .await
    }

    pub(super) async fn ping(&self) -> Result<(), Error> {
        let root = self.root.clone();
        // Dropped, it is removed.
        let probe =
            move || Temporary::write(&root, &Source::Bytes(bytes::Bytes::from_static(b"ping"))).map(drop);
        Ok(blocking(probe).await?)
    }

    /// Every file two folders deep, and in the root itself, where probes are written.
    fn files(&self) -> BoxStream<'static, Result<FileEntry, Error>> {
        let root = self.root.to_path_buf();
        stream::try_unfold(vec![(root, 0)], async |mut folders: Vec<(PathBuf, u8)>| {
            let Some((folder, depth)) = folders.pop() else { return Ok(None) };
            // One folder's names at a time: some thousands.
            let (files, deeper) = blocking(move || read_folder(&folder, depth)).await?;
            folders.extend(deeper.into_iter().map(|folder| (folder, depth + 1)));
            Ok::<_, Error>(Some((stream::iter(files.into_iter().map(Ok)), folders)))
        })
        .try_flatten()
        .boxed()
    }
}

/// A file in the store's folder, whatever it is.
struct FileEntry {
    path: PathBuf,
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
            folders.push(entry.path());
        } else if kind.is_file() {
            // A file may be renamed or removed while the folder is read.
            let Some(metadata) = found(entry.metadata())? else { continue };
            files.push(FileEntry {
                path: entry.path(),
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

/// A file under a temporary name, synced; removed when it is dropped before it was placed.
struct Temporary {
    path: Option<PathBuf>,
}

impl Temporary {
    fn write(folder: &Path, source: &Source) -> io::Result<Self> {
        let (temporary, mut file) = Self::create(folder)?;
        match source {
            Source::Bytes(bytes) => file.write_all(bytes)?,
            Source::File(path) => {
                io::copy(&mut File::open(path)?, &mut file)?;
            }
        }
        file.sync_all()?;
        Ok(temporary)
    }

    /// Gives it its name.
    fn place(mut self, path: &Path) -> io::Result<()> {
        if let Some(temporary) = &self.path {
            fs::rename(temporary, path)?;
        }
        self.path = None;
        Ok(())
    }

    fn create(folder: &Path) -> io::Result<(Self, File)> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".{}-{number}{TEMPORARY}", std::process::id()));
            match File::create_new(&path) {
                Ok(file) => return Ok((Self { path: Some(path) }, file)),
                // Another machine that mounts the same disk, or a crash before.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // What cannot be removed is left to the sweeper.
            let _ = fs::remove_file(path);
        }
    }
}

/// Makes a folder and those above it, and puts their names on stable storage.
fn make_folder(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Ok(()) => folder.parent().map_or(Ok(()), sync_folder),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_folder(folder.parent().ok_or(error)?)?;
            make_folder(folder)
        }
        Err(error) => Err(error),
    }
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
