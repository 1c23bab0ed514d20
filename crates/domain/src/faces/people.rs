//! People of an event, as its photographer sees them: faces that were put together.

use crate::{EventId, FaceId, PersonId, PhotoId};

/// A person of an event. Nothing but their faces is known of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// Its id.
    pub id: PersonId,
    /// The event.
    pub event: EventId,
    /// Whether the photographer has put it aside.
    pub is_hidden: bool,
}

/// What is shown of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PersonSummary {
    /// Its id.
    pub id: PersonId,
    /// Whether the photographer has put it aside.
    pub is_hidden: bool,
    /// How many photos it is in.
    pub photos: i64,
    /// How many faces it has in them.
    pub faces: i64,
    /// The face to show, the largest and clearest one.
    pub face: FaceId,
    /// The photo that face is in.
    pub photo: PhotoId,
}

/// Most photos that one request takes out of a person.
pub const SPLIT_MAX: usize = 1_000;
