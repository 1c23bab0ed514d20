//! The `tiff` crate's errors.

use std::io::ErrorKind;

use ::tiff::TiffError;

use super::super::errors::Unreadable;

pub(super) fn unreadable(error: TiffError) -> Unreadable {
    match error {
        TiffError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => Unreadable::Truncated,
        TiffError::UnsupportedError(_) => Unreadable::UnknownKind,
        TiffError::LimitsExceeded => Unreadable::TooComplex,
        _ => Unreadable::Damaged,
    }
}
