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

/// What Linux says of bytes that a disk has lost.
pub(super) const EIO: i32 = 5;

impl Error {
    /// Whether bytes of a file are lost while the disk itself may work: what is put again lies elsewhere.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Self::Io(error) if error.raw_os_error() == Some(EIO))
    }

    /// What a store gave of a file; none where bytes of that file are lost ([`Error::is_unreadable`]).
    pub fn unless_unreadable<T>(given: Result<T, Self>) -> Result<Option<T>, Self> {
        match given {
            Ok(given) => Ok(Some(given)),
            Err(error) if error.is_unreadable() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_lost_sector_is_told_from_a_disk_that_is_gone() {
        assert!(Error::Io(io::Error::from_raw_os_error(EIO)).is_unreadable());
        for error in [io::Error::from(io::ErrorKind::PermissionDenied), io::Error::other("gone")] {
            assert!(!Error::Io(error).is_unreadable());
        }
        assert!(!Error::Changed.is_unreadable());
        let lost: Result<(), Error> = Err(Error::Io(io::Error::from_raw_os_error(EIO)));
        assert!(matches!(Error::unless_unreadable(lost), Ok(None)));
        assert!(matches!(Error::unless_unreadable(Ok(7)), Ok(Some(7))));
        assert!(Error::unless_unreadable::<()>(Err(Error::Changed)).is_err());
    }
}
