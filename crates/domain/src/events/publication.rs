//! What of an event's photos guests are shown, and when.

use crate::Refusal;

/// What becomes of photos that arrive, as guests see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Publication {
    /// Guests see them at once.
    #[default]
    AsTheyArrive,
    /// They are held until they are published: the event's team alone sees them.
    Held,
    /// As they arrive; guests are told that no more are expected.
    Complete,
}

impl Publication {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AsTheyArrive, Self::Held, Self::Complete];

    /// Its name in the contract and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AsTheyArrive => "as_they_arrive",
            Self::Held => "held",
            Self::Complete => "complete",
        }
    }

    /// What has this name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|publication| publication.as_str() == text)
    }

    /// What a photographer has chosen.
    ///
    /// # Errors
    /// [`Refusal::EventPublicationUnknown`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        Self::from_stored(text).ok_or(Refusal::EventPublicationUnknown)
    }

    /// Lets an event become so of which `held` photos are left that guests do not see. Those that are held stay so where photos
    /// are shown as they arrive from now on; that an event is complete would not be true of them.
    ///
    /// # Errors
    /// [`Refusal::EventPhotosHeld`].
    pub fn check_left(self, held: i64) -> Result<(), Refusal> {
        if self == Self::Complete && held > 0 { Err(Refusal::EventPhotosHeld) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_complete_event_has_no_held_photo() {
        // [EVT178]
        for publication in Publication::ALL {
            assert_eq!(Publication::parse(publication.as_str()), Ok(publication));
            assert_eq!(publication.check_left(0), Ok(()));
            let left = publication.check_left(1);
            assert_eq!(left.is_err(), publication == Publication::Complete, "{publication:?}");
        }
        assert_eq!(Publication::Complete.check_left(2), Err(Refusal::EventPhotosHeld));
        assert_eq!(Publication::parse("open"), Err(Refusal::EventPublicationUnknown));
    }
}
