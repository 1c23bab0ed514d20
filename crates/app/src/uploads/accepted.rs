//! What is answered to an upload.

use domain::photos::Photo;
use domain::{EventId, PhotoId, Timestamp};

/// What became of an upload.
#[derive(Debug)]
pub enum Accepted {
    /// A new photo, charged and on its way into the index.
    New(Photo),
    /// It has taken the place of a photo of the same name, and is on its way into the index.
    Replaced(Photo),
    /// The same bytes were there; nothing was charged.
    Duplicate(Photo),
    /// The same with a photo of somebody else that the uploader does not see: nothing is told of it but that its bytes are there.
    OfSomebodyElse(Box<OfSomebodyElse>),
}

/// What the uploader of a file is told of a photo that it is, or was before it was replaced, where they do not see that.
#[derive(Debug)]
pub struct OfSomebodyElse {
    /// The photo.
    pub id: PhotoId,
    /// Its event.
    pub event: Option<EventId>,
    /// The name that the file was sent with.
    pub filename: String,
    /// The size of the file.
    pub size_bytes: i64,
    /// When it was sent.
    pub at: Timestamp,
}
