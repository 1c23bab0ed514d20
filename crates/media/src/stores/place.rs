//! Which folder it is that a store's address leads to.

use std::fs::Metadata;

/// Where a store's address leads to at this moment. A disk that is unmounted leaves an empty folder under the same path, into
/// which files would go that nobody finds again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A bucket, or memory: its address always leads to the same store.
    Fixed,
    /// A folder, by its device and inode; both are 0 where the platform has none.
    Folder {
        /// The device that the folder is on.
        device: u64,
        /// Its number there.
        inode: u64,
    },
    /// There is no such folder.
    Missing,
}

impl Place {
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self::Folder { device: metadata.dev(), inode: metadata.ino() }
    }

    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Self {
        Self::Folder { device: 0, inode: 0 }
    }
}
