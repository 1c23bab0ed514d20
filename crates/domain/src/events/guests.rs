//! What guests are told of an event.

use jiff::civil::Date;

use crate::Timestamp;
use crate::events::publication::Publication;
use crate::events::{Event, Held, Indexing};

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

    /// The event as it is told to whoever has not entered its PIN: what it is about is for those who have.
    #[must_use]
    pub fn before_pin_entry(self) -> Self {
        let description = self.description.filter(|_| self.pin.is_none());
        Self { description, ..self }
    }

    /// The day until which guests are told that more photos are coming: none once it is past, or the event is complete.
    pub fn coming_until(&self, now: Timestamp) -> Option<Date> {
        let today = self.time_zone.date(now);
        self.more_until.filter(|day| self.publication != Publication::Complete && *day >= today)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events;
    use crate::events::pins::Pin;
    use crate::events::zones::Zone;
    use jiff::civil::date;

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
    fn what_an_event_with_a_pin_is_about_is_told_after_it_is_entered() {
        // [EVT214]
        let description = Some(String::from("At the lake"));
        let event = Event { description, ..events::tests::event("2026-11-14", None) };
        assert_eq!(event.clone().before_pin_entry(), event);
        let event = Event { pin: Some(Pin::parse("482915").unwrap()), ..event };
        assert_eq!(event.clone().before_pin_entry(), Event { description: None, ..event });
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
