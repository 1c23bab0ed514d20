//! Writing so that a crash leaves the old or the new: temporary names, and folders that are synced.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Makes a folder and those above it, and puts their names on stable storage.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => folder.parent().map_or(Ok(()), sync_folder),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_folder(folder.parent().ok_or(error)?)?;
            make_folder(folder)
        }
        Err(error) => Err(error),
    }
}

pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
