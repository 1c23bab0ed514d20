//! Why bytes are refused.

use serde::{Deserialize, Serialize};

use super::foreign::Foreign;

/// Why bytes are not a picture that can be taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error, Serialize, Deserialize)]
pub enum Unreadable {
    /// None of the formats that are taken in.
    #[error("not an image")]
    NotAnImage,
    /// Another kind of file, which is known.
    #[error("not an image but {0}")]
    Foreign(Foreign),
    /// The right format, in a form of it that is not read.
    #[error("the image is of a kind that is not read")]
    UnknownKind,
    /// The file ends before the picture does.
    #[error("the image ends too early")]
    Truncated,
    /// The right format, but it cannot be decoded.
    #[error("the image is damaged")]
    Damaged,
    /// More than [`domain::photos::MAX_PIXELS`] pixels, or than the limits of the caller allow.
    #[error("the image has too many pixels")]
    TooManyPixels,
    /// It would take more memory or time than any real photo does.
    #[error("the image is too complex")]
    TooComplex,
}
