//! Changes of an event by its photographer.

use jiff::civil::Date;

use crate::events::download_policy::Downloads;
use crate::events::flags::FlagChanges;
use crate::events::invitations::Invitation;
use crate::events::keeping::Keeping;
use crate::events::pins::Pin;
use crate::events::zones::Zone;
use crate::events::{self, Event, NOTICE};
use crate::guests::guest_photos;
use crate::{PhotoId, Refusal, Timestamp};

/// What of an event is to change, as it was entered; what is none stays as it is. Its slug never changes: its link is on paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Its name.
    pub name: Option<String>,
    /// Its date.
    pub date: Option<String>,
    /// What it is about; none or an empty text removes it.
    pub description: Option<Option<String>>,
    /// The IANA name of its time zone.
    pub time_zone: Option<String>,
    /// The day on which its photos are to be removed; none removes it.
    pub expires_on: Option<Option<String>>,
    /// For how many days its photos are to be kept; none is the installation's period.
    pub keep_days: Option<Option<u32>>,
    /// The id of the photo that is its cover; none is the drawn sky.
    pub cover: Option<Option<String>>,
    /// Its yes/no settings.
    pub flags: FlagChanges,
    /// What its guests enter before they can search; none or an empty text removes it.
    pub pin: Option<Option<String>>,
    /// What its guests can save.
    pub downloads: Option<String>,
    /// What is sent to its guests; none or an empty text brings the usual words back.
    pub invitation: Option<Option<NewInvitation>>,
    /// The day until which more photos are coming; none removes it.
    pub more_until: Option<Option<String>>,
    /// How many photos one guest's device may add.
    pub guest_photo_limit: Option<u32>,
}

/// A message to guests as it was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvitation {
    /// The tag of the language that it is in.
    pub language: String,
    /// Its words.
    pub text: String,
}

impl Changes {
    /// The photo that is to be its cover, or none, where that changes. Whether it can be is not asked here.
    ///
    /// # Errors
    /// [`Refusal::EventCoverUnfit`] for what is no id.
    pub fn chosen_cover(&self) -> Result<Option<Option<PhotoId>>, Refusal> {
        let parse = |id: &String| id.parse().map_err(|_| Refusal::EventCoverUnfit);
        self.cover.as_ref().map(|cover| cover.as_ref().map(parse).transpose()).transpose()
    }

    /// The event with these changes, but for its cover.
    ///
    /// # Errors
    /// The refusals of the fields; [`Refusal::EventDateOutOfRange`] for a new date; for a new day of removal
    /// [`Refusal::EventExpiryTooSoon`] and [`Refusal::EventExpiryTooLate`]; those of [`Keeping::check`] for a new period.
    pub fn applied(self, event: &Event, keeping: Keeping, now: Timestamp) -> Result<Event, Refusal> {
        let mut changed = event.clone();
        if let Some(name) = self.name {
            changed.name = events::parse_name(&name)?;
        }
        if let Some(date) = self.date {
            changed.date = events::parse_date(&date)?;
        }
        if let Some(description) = self.description {
            changed.description = events::parse_description(&description.unwrap_or_default())?;
        }
        if let Some(name) = self.time_zone {
            changed.time_zone = Zone::parse(&name)?;
        }
        if let Some(day) = self.expires_on {
            changed.expires_on = day.map(|day| parse_expiry(&day)).transpose()?;
        }
        if let Some(days) = self.keep_days {
            changed.keep_days = days;
        }
        changed.flags = self.flags.applied(changed.flags);
        if let Some(pin) = self.pin {
            let pin = pin.filter(|pin| !pin.trim().is_empty());
            changed.pin = pin.map(|pin| Pin::parse_new(&pin, event.pin.as_ref())).transpose()?;
        }
        if let Some(downloads) = self.downloads {
            changed.downloads = Downloads::parse(&downloads)?;
        }
        if let Some(invitation) = self.invitation {
            let parse = |entered: NewInvitation| Invitation::parse(&entered.language, &entered.text);
            changed.invitation = invitation.map(parse).transpose()?.flatten();
        }
        if let Some(day) = self.more_until {
            changed.more_until = day.map(|day| parse_more_until(&day)).transpose()?;
        }
        if let Some(limit) = self.guest_photo_limit {
            changed.guest_photo_limit = guest_photos::parse_limit(limit)?;
        }
        if changed.date != event.date {
            events::check_year(changed.date, now)?;
        }
        if let Some(days) = changed.keep_days.filter(|_| changed.keep_days != event.keep_days) {
            keeping.check(days)?;
        }
        if changed.more_until != event.more_until {
            changed.check_more_until(now)?;
        }
        if changed.expires_on != event.expires_on {
            changed.check_expiry(keeping, now)?;
        }
        Ok(changed)
    }
}

fn parse_more_until(text: &str) -> Result<Date, Refusal> {
    events::parse_date(text).map_err(|_| Refusal::EventMoreUntilInvalid)
}

fn parse_expiry(text: &str) -> Result<Date, Refusal> {
    events::parse_date(text).map_err(|_| Refusal::EventExpiryInvalid)
}

impl Event {
    /// Checks that the day until which more photos are coming is not past: guests would be told nothing of it.
    fn check_more_until(&self, now: Timestamp) -> Result<(), Refusal> {
        match self.more_until {
            Some(day) if day < self.time_zone.date(now) => Err(Refusal::EventMoreUntilPast),
            _ => Ok(()),
        }
    }

    /// Checks that the chosen day leaves time for a warning, and is not later than the photos are kept anyway.
    fn check_expiry(&self, keeping: Keeping, now: Timestamp) -> Result<(), Refusal> {
        let Some(day) = self.expires_on else { return Ok(()) };
        let start = self.time_zone.start_of_day(day);
        if start < now.plus(NOTICE) {
            return Err(Refusal::EventExpiryTooSoon);
        }
        match self.latest_expiry(keeping) {
            Some(latest) if start > latest => Err(Refusal::EventExpiryTooLate),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::flags::Flags;
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
        let apply = |changes: Changes| changes.applied(&event(), Keeping::fixed(30), moment(NOW));
        assert_eq!(apply(Changes::default()), Ok(event()), "a date that is out of range by now stays");
        let name = Changes {
            name: Some(String::from(" Ball ")),
            date: Some(String::from("1999-11-14")),
            ..Changes::default()
        };
        assert_eq!(apply(name), Ok(Event { name: String::from("Ball"), ..event() }));
        let flags = FlagChanges { keeps_metadata: Some(true), ..FlagChanges::default() };
        let without = Changes { description: Some(None), flags, ..Changes::default() };
        let flags = Flags { keeps_metadata: true, ..Flags::default() };
        assert_eq!(apply(without), Ok(Event { description: None, flags, ..event() }));
        let web = Changes { downloads: Some(String::from("web")), ..Changes::default() };
        assert_eq!(apply(web), Ok(Event { downloads: Downloads::Web, ..event() }));
        for none in [None, Some(String::from(" "))] {
            let open = Changes { pin: Some(none), ..Changes::default() };
            assert_eq!(apply(open), Ok(Event { pin: None, ..event() }));
        }
        let written = |language: &str, text: &str| {
            let entered = NewInvitation { language: language.to_owned(), text: text.to_owned() };
            Changes { invitation: Some(Some(entered)), ..Changes::default() }
        };
        let invited = Invitation::parse("ta", "Come").unwrap();
        assert_eq!(apply(written("ta", " Come ")), Ok(Event { invitation: invited.clone(), ..event() }));
        let before = Event { invitation: invited, ..event() };
        for usual in [written("ta", " "), Changes { invitation: Some(None), ..Changes::default() }] {
            assert_eq!(usual.applied(&before, Keeping::fixed(30), moment(NOW)), Ok(event()));
        }
        let far = Changes { date: Some(String::from("2032-01-01")), ..Changes::default() };
        assert_eq!(apply(far), Err(Refusal::EventDateOutOfRange));
    }

    #[test]
    fn a_chosen_day_leaves_time_for_a_warning_and_is_within_the_retention_period() {
        // [EVT125]
        let choose = |day: &str, days| {
            let changes = Changes { expires_on: Some(Some(day.to_owned())), ..Changes::default() };
            changes.applied(&event(), Keeping::fixed(days), moment(NOW)).map(|event| event.expires_on)
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
        assert!(renamed.applied(&soon, Keeping::fixed(30), moment(NOW)).is_ok());
    }

    #[test]
    fn the_day_until_which_more_are_coming_is_today_or_later_when_it_is_chosen() {
        // [EVT183]
        let apply = |event: &Event, day: Option<&str>, name: Option<&str>| {
            let more_until = Some(day.map(str::to_owned)).filter(|_| name.is_none());
            let changes = Changes { more_until, name: name.map(str::to_owned), ..Changes::default() };
            changes.applied(event, Keeping::fixed(30), moment(NOW))
        };
        let chosen = apply(&event(), Some("2026-11-20"), None).unwrap();
        assert_eq!(chosen, Event { more_until: Some(date(2026, 11, 20)), ..event() });
        assert_eq!(apply(&chosen, None, None), Ok(event()));
        assert_eq!(apply(&event(), Some("2026-11-19"), None), Err(Refusal::EventMoreUntilPast));
        assert_eq!(apply(&event(), Some("soon"), None), Err(Refusal::EventMoreUntilInvalid));
        let past = Event { more_until: Some(date(2026, 11, 1)), ..event() };
        assert!(apply(&past, None, Some("Ball")).is_ok(), "what is past stays, whatever else changes");
    }

    #[test]
    fn a_period_is_checked_when_it_is_chosen_and_moves_the_latest_day_of_removal() {
        // [EVT168]
        let apply = |event: &Event, keep_days, day: Option<&str>| {
            let expires_on = day.map(|day| Some(day.to_owned()));
            let changes = Changes { keep_days, expires_on, ..Changes::default() };
            changes.applied(event, Keeping::of(30, 365), moment(NOW))
        };
        let chosen = apply(&event(), Some(Some(180)), None).unwrap();
        assert_eq!(chosen, Event { keep_days: Some(180), ..event() });
        assert_eq!(apply(&chosen, Some(None), None), Ok(event()));
        assert_eq!(apply(&chosen, None, None), Ok(chosen.clone()));
        assert_eq!(apply(&event(), Some(Some(366)), None), Err(Refusal::EventKeepingTooLong));
        assert_eq!(apply(&event(), Some(Some(6)), None), Err(Refusal::EventKeepingTooShort));
        assert!(apply(&event(), Some(Some(90)), Some("2027-02-01")).is_ok());
        assert_eq!(apply(&event(), None, Some("2027-02-01")), Err(Refusal::EventExpiryTooLate));
        // What was chosen before the operator allowed less stays, and is capped where it counts.
        let longer = Event { keep_days: Some(400), ..event() };
        assert_eq!(apply(&longer, Some(Some(400)), None), Ok(longer.clone()));
    }
}
