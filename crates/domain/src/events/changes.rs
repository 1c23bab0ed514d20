//! Changes of an event by its photographer.

use jiff::civil::Date;

use crate::events::download_policy::Downloads;
use crate::events::pins::Pin;
use crate::events::zones::Zone;
use crate::events::{self, Event, NOTICE};
use crate::{PhotoId, Refusal, Timestamp};

/// What of an event is to change; what is none stays as it is. Its slug never changes: its link is on paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Its name.
    pub name: Option<String>,
    /// Its date.
    pub date: Option<Date>,
    /// Its description, or none.
    pub description: Option<Option<String>>,
    /// Its time zone.
    pub time_zone: Option<Zone>,
    /// The day on which its photos are to be removed, or none.
    pub expires_on: Option<Option<Date>>,
    /// The photo that is its cover, or the drawn sky.
    pub cover: Option<Option<PhotoId>>,
    /// Whether guests can ask to be told of new photos.
    pub subscriptions_allowed: Option<bool>,
    /// Whether guests get originals byte for byte.
    pub keeps_metadata: Option<bool>,
    /// Whether it takes no more photos.
    pub uploads_closed: Option<bool>,
    /// Whether its guests can write to its owner about photos.
    pub takes_questions: Option<bool>,
    /// Whether its guests may look at all of its photos.
    pub browsable: Option<bool>,
    /// What its guests enter before they can search, or none.
    pub pin: Option<Option<Pin>>,
    /// What its guests can save.
    pub downloads: Option<Downloads>,
}

/// Parses the day of a removal: a calendar day as YYYY-MM-DD.
///
/// # Errors
/// [`Refusal::EventExpiryInvalid`].
pub fn parse_expiry(text: &str) -> Result<Date, Refusal> {
    events::parse_date(text).map_err(|_| Refusal::EventExpiryInvalid)
}

impl Changes {
    /// The event with these changes. Whether a photo can be its cover is not asked here. `days` is the retention period.
    ///
    /// # Errors
    /// [`Refusal::EventDateOutOfRange`], or those of a new day of removal: [`Refusal::EventExpiryTooSoon`] and
    /// [`Refusal::EventExpiryTooLate`].
    pub fn applied(self, event: &Event, days: u32, now: Timestamp) -> Result<Event, Refusal> {
        let mut changed = event.clone();
        if let Some(date) = self.date.filter(|date| *date != event.date) {
            events::check_year(date, now)?;
            changed.date = date;
        }
        changed.name = self.name.unwrap_or(changed.name);
        changed.description = self.description.unwrap_or(changed.description);
        changed.time_zone = self.time_zone.unwrap_or(changed.time_zone);
        changed.expires_on = self.expires_on.unwrap_or(changed.expires_on);
        changed.cover = self.cover.unwrap_or(changed.cover);
        changed.subscriptions_allowed = self.subscriptions_allowed.unwrap_or(changed.subscriptions_allowed);
        changed.keeps_metadata = self.keeps_metadata.unwrap_or(changed.keeps_metadata);
        changed.uploads_closed = self.uploads_closed.unwrap_or(changed.uploads_closed);
        changed.takes_questions = self.takes_questions.unwrap_or(changed.takes_questions);
        changed.browsable = self.browsable.unwrap_or(changed.browsable);
        changed.pin = self.pin.unwrap_or(changed.pin);
        changed.downloads = self.downloads.unwrap_or(changed.downloads);
        if changed.expires_on != event.expires_on {
            changed.check_expiry(days, now)?;
        }
        Ok(changed)
    }
}

impl Event {
    /// Checks that the chosen day leaves time for a warning, and is not later than the photos are kept anyway.
    fn check_expiry(&self, days: u32, now: Timestamp) -> Result<(), Refusal> {
        let Some(day) = self.expires_on else { return Ok(()) };
        let start = self.time_zone.start_of_day(day);
        if start < now.plus(NOTICE) {
            return Err(Refusal::EventExpiryTooSoon);
        }
        match self.latest_expiry(days) {
            Some(latest) if start > latest => Err(Refusal::EventExpiryTooLate),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn moment(text: &str) -> Timestamp {
        Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    fn event() -> Event {
        let description = Some(String::from("Fun"));
        let pin = Pin::parse("1234").ok();
        let event = crate::events::tests::event("1999-11-14", Some("2026-11-20T08:00:00Z"));
        Event { description, pin, ..event }
    }

    const NOW: &str = "2026-11-20T09:00:00Z";

    #[test]
    fn only_what_is_given_changes() {
        let apply = |changes: Changes| changes.applied(&event(), 30, moment(NOW));
        assert_eq!(apply(Changes::default()), Ok(event()), "a date that is out of range by now stays");
        let name =
            Changes { name: Some(String::from("Ball")), date: Some(event().date), ..Changes::default() };
        assert_eq!(apply(name), Ok(Event { name: String::from("Ball"), ..event() }));
        let without = Changes { description: Some(None), keeps_metadata: Some(true), ..Changes::default() };
        assert_eq!(apply(without), Ok(Event { description: None, keeps_metadata: true, ..event() }));
        let web = Changes { downloads: Some(Downloads::Web), ..Changes::default() };
        assert_eq!(apply(web), Ok(Event { downloads: Downloads::Web, ..event() }));
        let shown = Changes { browsable: Some(true), ..Changes::default() };
        assert_eq!(apply(shown), Ok(Event { browsable: true, ..event() }));
        let open = Changes { pin: Some(None), ..Changes::default() };
        assert_eq!(apply(open), Ok(Event { pin: None, ..event() }));
        let far = Changes { date: Some(date(2032, 1, 1)), ..Changes::default() };
        assert_eq!(apply(far), Err(Refusal::EventDateOutOfRange));
    }

    #[test]
    fn a_chosen_day_leaves_time_for_a_warning_and_is_within_the_retention_period() {
        // [EVT125]
        let choose = |day: &str, days| {
            let day = parse_expiry(day).unwrap();
            let changes = Changes { expires_on: Some(Some(day)), ..Changes::default() };
            changes.applied(&event(), days, moment(NOW)).map(|event| event.expires_on)
        };
        assert_eq!(choose("2026-11-27", 30), Err(Refusal::EventExpiryTooSoon));
        for day in ["2026-11-28", "2026-12-20"] {
            assert_eq!(choose(day, 30), Ok(Some(parse_expiry(day).unwrap())));
        }
        assert_eq!(choose("2026-12-21", 30), Err(Refusal::EventExpiryTooLate));
        assert!(choose("2040-12-21", 0).is_ok());
        assert_eq!(parse_expiry("tomorrow"), Err(Refusal::EventExpiryInvalid));
        assert_eq!(parse_expiry(""), Err(Refusal::EventExpiryInvalid));
        // What was chosen before stays, whatever else changes.
        let soon = Event { expires_on: Some(date(2026, 11, 21)), ..event() };
        let renamed = Changes { name: Some(String::from("Ball")), ..Changes::default() };
        assert!(renamed.applied(&soon, 30, moment(NOW)).is_ok());
    }
}
