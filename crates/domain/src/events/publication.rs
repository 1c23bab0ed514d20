//! What of an event's photos guests are shown, and when.

use jiff::civil::Date;

use crate::Refusal;
use crate::events::{self, Event, Indexing};

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

/// Photos of an event that wait until they are published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// They, as they are indexed.
    pub indexing: Indexing,
    /// The faces in them.
    pub faces: i64,
    /// How many of all uploads were held and never published, those deleted since too.
    pub uploads: i64,
    /// The number of the last photo that was held: each has the next one, in the order in which the team can see them.
    pub last: i64,
}

/// Parses the day until which more photos are coming.
///
/// # Errors
/// [`Refusal::EventMoreUntilInvalid`].
pub fn parse_more_until(text: &str) -> Result<Date, Refusal> {
    events::parse_date(text).map_err(|_| Refusal::EventMoreUntilInvalid)
}

impl Event {
    /// The event as if it had no photo that is held, which is all that guests are told of it.
    #[must_use]
    pub fn without_held(self) -> Self {
        let Held { indexing, faces, uploads, .. } = self.held;
        Self {
            photos_uploaded: self.photos_uploaded - uploads,
            indexing: Indexing {
                indexed: self.indexing.indexed - indexing.indexed,
                failed: self.indexing.failed - indexing.failed,
                total: self.indexing.total - indexing.total,
            },
            faces_indexed: self.faces_indexed - faces,
            held: Held::default(),
            ..self
        }
    }

    /// The day until which guests are told that more photos are coming: none once it is past, or the event is complete.
    pub fn coming_until(&self, now: crate::Timestamp) -> Option<Date> {
        let today = self.time_zone.date(now);
        self.more_until.filter(|day| self.publication != Publication::Complete && *day >= today)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::events::zones::Zone;
    use jiff::civil::date;

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

    #[test]
    fn guests_are_told_of_nothing_that_is_held() {
        // [SAFE425]
        let indexing = Indexing { indexed: 7, failed: 1, total: 10 };
        let held =
            Held { indexing: Indexing { indexed: 2, failed: 1, total: 4 }, faces: 5, uploads: 6, last: 9 };
        let event = events::tests::event("2026-11-14", None);
        let event = Event { photos_uploaded: 12, indexing, faces_indexed: 11, held, ..event };
        let seen = event.clone().without_held();
        assert_eq!(seen.indexing, Indexing { indexed: 5, failed: 0, total: 6 });
        assert_eq!((seen.photos_uploaded, seen.faces_indexed, seen.held), (6, 6, Held::default()));
        let none = Event { held: Held::default(), ..event };
        assert_eq!(none.clone().without_held(), none);
    }

    #[test]
    fn more_photos_are_coming_until_the_end_of_the_day_where_the_event_takes_place() {
        // [EVT184]
        let moment =
            |text: &str| Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
        let day = date(2026, 12, 12);
        let event = events::tests::event("2026-11-14", None);
        let kolkata = Zone::parse("Asia/Kolkata").unwrap();
        let event = Event { more_until: Some(day), time_zone: kolkata, ..event };
        assert_eq!(event.coming_until(moment("2026-12-12T18:29:59Z")), Some(day));
        assert_eq!(event.coming_until(moment("2026-12-12T18:30:00Z")), None);
        let held = Event { publication: Publication::Held, ..event.clone() };
        assert_eq!(held.coming_until(moment("2026-12-01T00:00:00Z")), Some(day));
        let complete = Event { publication: Publication::Complete, ..event };
        assert_eq!(complete.coming_until(moment("2026-12-01T00:00:00Z")), None);
    }
}
