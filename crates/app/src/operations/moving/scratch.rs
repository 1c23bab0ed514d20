//! The folder of a move's snapshot.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use domain::Refusal;

use crate::Result;

/// A folder that its owner alone can read, locked against a second move and removed with this value. It holds
/// embeddings, addresses and secrets.
pub(super) struct Scratch {
    path: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes it; what an interrupted move has left in it goes.
    ///
    /// # Errors
    /// A refusal when another move is under way.
    pub(super) fn create(path: &Path) -> Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(
                    Refusal::Malformed(String::from("This installation is being moved already.")).into()
                );
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let scratch = Self { path: path.to_owned(), _lock: lock };
        scratch.clear()?;
        Ok(scratch)
    }

    /// Where the snapshot's database is to be.
    pub(super) fn database(&self) -> PathBuf {
        self.path.join("snapshot.sqlite")
    }

    /// Removes the database and the files that SQLite keeps beside it.
    fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name != "lock") {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            let folder = self.path.display();
            tracing::warn!(%error, %folder, "the folder of a move's snapshot cannot be removed; it holds personal data");
        }
    }
}
