//! The photos that stand for events.

use crate::PhotoId;
use crate::photos::focus::Focus;

/// The photo that an event's page shows instead of the drawn sky.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The photo.
    pub photo: PhotoId,
    /// How often its original was replaced.
    pub revision: u32,
    /// Where its faces are; none where no face is known.
    pub focus: Option<Focus>,
}

impl Cover {
    /// Something that changes with the picture.
    pub fn version(&self) -> String {
        match self.revision {
            0 => self.photo.to_string(),
            revision => format!("{}-{revision}", self.photo),
        }
    }
}
