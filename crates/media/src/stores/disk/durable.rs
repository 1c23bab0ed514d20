//! Writing so that a crash leaves the old or the new: temporary names, and folders that are synced.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::stores::files::Source;

/// Ending of temporary names, which start with a dot.
const TEMPORARY: &str = ".tmp";

/// Whether a file of this name is one that a crash may have left.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY)
}

/// A file under a temporary name, synced; removed when it is dropped before it was placed.
pub(super) struct Temporary {
    path: Option<PathBuf>,
}

impl Temporary {
    pub(super) fn write(folder: &Path, source: &Source) -> io::Result<Self> {
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

    /// Gives it its name, unless another file has it by then.
    pub(super) fn place_new(self, path: &Path) -> io::Result<()> {
        let Some(temporary) = &self.path else { return Ok(()) };
        // A link, unlike a rename, replaces nothing. Dropped, the temporary name goes.
        match fs::hard_link(temporary, path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            // Some file systems have no links.
            Err(_) => self.place(path),
        }
    }

    /// Gives it its name.
    pub(super) fn place(mut self, path: &Path) -> io::Result<()> {
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
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
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

/// The folders of a store whose names this process has put on stable storage.
#[derive(Debug)]
pub(super) struct Folders(Mutex<HashSet<PathBuf>>);

impl Folders {
    /// Those of the store in `root`, whose own name is safe.
    pub(super) fn below(root: &Path) -> Self {
        Self(Mutex::new(HashSet::from([root.to_owned()])))
    }

    /// Makes a folder and those above it, and puts their names on stable storage before anybody uses them. A folder that is
    /// there says nothing of its name: a thread that has made it may not have synced it yet, and a process that was killed
    /// behind the one has not come to the other.
    pub(super) fn make(&self, folder: &Path) -> io::Result<()> {
        make_durable(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), folder)
    }
}

fn make_durable(durable: &mut HashSet<PathBuf>, folder: &Path) -> io::Result<()> {
    let is_durable = durable.contains(folder);
    if let Some(above) = folder.parent().filter(|_| !is_durable) {
        make_durable(durable, above)?;
    }
    if make_folder(folder)? || !is_durable {
        folder.parent().map_or(Ok(()), sync_folder)?;
        durable.insert(folder.to_owned());
    }
    Ok(())
}

/// Makes a folder and those above it, the names of the latter on stable storage; false when it is there.
pub(super) fn make_folder(folder: &Path) -> io::Result<bool> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let above = folder.parent().ok_or(error)?;
            if make_folder(above)? {
                above.parent().map_or(Ok(()), sync_folder)?;
            }
            make_folder(folder)
        }
        Err(error) => Err(error),
    }
}

pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
