//! The error of a store.

/// Why a store did not do what it was asked for. That a key has no file is no error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An invalid key.
    #[error("{0:?} is no name for a file in the media store")]
    Key(String),
    /// The store's address cannot be understood.
    #[error("{0:?} is no address of a media store: file:///folder or s3://bucket/prefix is")]
    Address(String),
    /// The first byte asked for is beyond the last one of the file.
    #[error("the range starts behind the end of the file of {total} bytes")]
    OutOfRange {
        /// Size of the file in bytes.
        total: u64,
    },
    /// Other bytes were read than were written.
    #[error("the media store gives other bytes than it took")]
    Changed,
    /// The marker in the store is not one that this program has written.
    #[error("the media store's marker cannot be read")]
    Marker,
    /// The disk, or the file to be put, failed.
    #[error("the media store's disk failed")]
    Io(#[from] std::io::Error),
    /// The bucket failed.
    #[error("the media store's bucket failed")]
    Bucket(#[from] object_store::Error),
}
