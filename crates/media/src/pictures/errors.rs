//! Why bytes are refused.

use serde::{Deserialize, Serialize};

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

/// A kind of files that is known and not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Foreign {
    /// What a camera's sensor saw, before it is developed.
    Raw,
    /// JPEG 2000 (ISO/IEC 15444), a file or a bare stream.
    Jpeg2000,
    /// JPEG XL (ISO/IEC 18181), a file or a bare stream.
    JpegXl,
    /// A document of Photoshop, large ones too.
    Photoshop,
    /// Black and white as fax machines code it (ITU-T T.4).
    Fax,
    /// A film.
    Video,
}

impl std::fmt::Display for Foreign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Raw => "a camera's raw data",
            Self::Jpeg2000 => "JPEG 2000",
            Self::JpegXl => "JPEG XL",
            Self::Photoshop => "a document of Photoshop",
            Self::Fax => "a fax",
            Self::Video => "a film",
        })
    }
}
