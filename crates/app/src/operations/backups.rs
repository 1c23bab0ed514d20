//! Backups: snapshots of the database beside the files of its photos, in a folder.
//!
//! ```text
//! FOLDER/media/ab/ab12…           a file by the BLAKE3 of its bytes, shared by all snapshots
//! FOLDER/index.jsonl              which file has which bytes, one line for each; a backup appends to it
//! FOLDER/snapshots/2026-11-22T01-45-00.000Z/
//!     database.sqlite             all rows as of one moment, whatever the engine
//!     files.jsonl                 the files that belong to them
//!     manifest.json               checksums of the two, written last
//! ```
//!
//! A backup that is interrupted leaves the snapshots before it as they are; the next one copies only what is missing.

mod create;
mod folder;
mod restore;

use domain::PhotoId;
use domain::photos::MediaKey;

pub use create::{Options, create};
pub use restore::{find, restore};

/// What a backup or a restoration did.
#[derive(Debug, Default)]
pub struct Summary {
    /// The name of the snapshot.
    pub snapshot: String,
    /// Files that belong to the snapshot.
    pub files: usize,
    /// Those of them that were copied; the others were there.
    pub copied: usize,
    /// Bytes that were copied.
    pub bytes: u64,
    /// Files that are not as the database says, in the order of their photos.
    pub problems: Vec<Problem>,
}

/// A file that could not be copied as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// An original is gone from the media store.
    #[error("photo {0}: its original {1} is not in the media store")]
    OriginalMissing(PhotoId, MediaKey),
    /// An original does not have the bytes that were uploaded.
    #[error("photo {0}: its original {1} does not have the bytes that were uploaded")]
    OriginalChanged(PhotoId, MediaKey),
    /// A file of the backup is gone or damaged.
    #[error("file {0}: its copy in the backup is missing or damaged")]
    CopyDamaged(MediaKey),
    /// A snapshot of the folder is damaged, or of a later version.
    #[error(
        "snapshot {0}: it cannot be read. Nothing that it may refer to is deleted; look at its disk, and remove its folder when it is of no use"
    )]
    SnapshotDamaged(String),
    /// A snapshot of the folder is named by a later time than the one that was just written.
    #[error(
        "snapshot {0}: it is from the future, so that a clock was or is wrong, and `restore` takes it for the newest. Name another one there, or remove its folder when it is of no use"
    )]
    SnapshotOfFuture(String),
    /// A table of the restored database does not have the rows of the backup.
    #[error("table {0}: its {2} rows are not the {1} of the backup")]
    RowsDiffer(String, u64, u64),
    /// A copy does not have the bytes that were written.
    #[error("file {0}: its copy in the target does not have the bytes that were written")]
    NotAsWritten(MediaKey),
}
