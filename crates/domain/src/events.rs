//! Events, and the validation of their fields.

pub mod changes;
pub mod covers;
pub mod download_policy;
pub mod flags;
mod guests;
pub mod invitations;
pub mod keeping;
pub mod pins;
pub mod publication;
pub mod slugs;
pub mod zones;

use std::time::Duration;

use jiff::civil::Date;

use crate::events::covers::Cover;
use crate::events::download_policy::Downloads;
use crate::events::flags::Flags;
use crate::events::invitations::Invitation;
use crate::events::keeping::Keeping;
use crate::events::pins::Pin;
use crate::events::publication::Publication;
use crate::events::zones::Zone;
use crate::operations::runtime::texts;
use crate::{DAY, EventId, JobId, Refusal, Timestamp, UserId};

/// Longest name of an event, in Unicode code points.
pub const NAME_LENGTH: usize = 200;
/// The first year that an event's date can have.
pub const FIRST_YEAR: i16 = 2000;
/// How many years ahead an event's date can be.
pub const YEARS_AHEAD: i16 = 5;
/// Longest description, in Unicode code points.
pub const DESCRIPTION_LENGTH: usize = 2_000;
/// How long before the removal of its photos an event's owner is warned at least.
pub const NOTICE: Duration = DAY.saturating_mul(7);

/// An event of one photographer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// The photographer.
    pub owner: UserId,
    /// Its name.
    pub name: String,
    /// The calendar day on which it takes place.
    pub date: Date,
    /// Its name in links, which cannot be guessed.
    pub slug: String,
    /// The photographer's description.
    pub description: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its deletion began.
    pub deleting_since: Option<Timestamp>,
    /// The job that deletes it; the contract's `task_id`.
    pub deletion_job: Option<JobId>,
    /// When its deletion was completed.
    pub deleted_at: Option<Timestamp>,
    /// Until when it can be restored, once it is deleted; none for one that is gone for good.
    pub restorable_until: Option<Timestamp>,
    /// All uploads that were ever accepted; deleting a photo does not reduce it.
    pub photos_uploaded: i64,
    /// When the last upload was accepted.
    pub last_upload_at: Option<Timestamp>,
    /// When its photos will be removed, as its owner was warned.
    pub removal_at: Option<Timestamp>,
    /// Incremented with every change of what a search can find, so that caches can be validated.
    pub revision: i64,
    /// The progress of indexing.
    pub indexing: Indexing,
    /// How many faces can be found.
    pub faces_indexed: i64,
    /// Its yes/no settings.
    pub flags: Flags,
    /// Where it takes place: its days are that zone's.
    pub time_zone: Zone,
    /// The day on which its owner wants its photos to be removed, where that is earlier than they would be.
    pub expires_on: Option<Date>,
    /// For how many days its owner wants its photos to be kept, 0 for ever; none where the installation's period counts.
    pub keep_days: Option<u32>,
    /// The photo that its page shows instead of the drawn sky; none while that one is not to be seen by all guests.
    pub cover: Option<Cover>,
    /// What its guests enter before they can search; none where the link is enough.
    pub pin: Option<Pin>,
    /// What its guests can save.
    pub downloads: Downloads,
    /// What its photographer sends to guests; none where they have written nothing of their own.
    pub invitation: Option<Invitation>,
    /// What becomes of photos that arrive.
    pub publication: Publication,
    /// Until which day more photos are coming, as its photographer says.
    pub more_until: Option<Date>,
    /// The photos that wait until they are published, which the other numbers have too.
    pub held: Held,
    /// How many photos one guest's device may add.
    pub guest_photo_limit: u32,
}

/// How long an event's date can prolong the retention of its photos, counted from their upload: a year, or the retention
/// period where that is longer.
pub fn longest_retention(period: Duration) -> Duration {
    period.max(DAY * 365)
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

/// How many of an event's photos can be found by a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indexing {
    /// Photos whose faces are stored as the model pack in use describes them.
    pub indexed: i64,
    /// Photos that cannot be indexed.
    pub failed: i64,
    /// All photos.
    pub total: i64,
}

impl Indexing {
    /// Photos that are still to be indexed, or to be indexed again.
    pub const fn waiting(self) -> i64 {
        self.total - self.indexed - self.failed
    }
}

impl Event {
    /// Whether guests can see it and photos can be added: it is not being deleted.
    pub const fn is_open(&self) -> bool {
        self.deleting_since.is_none() && self.deleted_at.is_none()
    }

    /// The event without a cover that guests must not be shown: one that nobody has chosen is shown only where whoever has the link may
    /// look at all photos, without a PIN.
    #[must_use]
    pub fn seen_by_guests(self) -> Self {
        let shows_everybody = self.flags.browsable && self.pin.is_none();
        let cover = self.cover.filter(|cover| shows_everybody || !cover.is_automatic);
        Self { cover, ..self }
    }

    /// The first day on which it is past: the one after its own, or tomorrow if that is past too.
    pub fn next_day(&self, now: Timestamp) -> Date {
        let last = self.date.max(self.time_zone.date(now));
        last.tomorrow().unwrap_or(last)
    }

    /// Lets guests look at all photos.
    ///
    /// # Errors
    /// [`Refusal::BrowsingNotAllowed`].
    pub const fn check_browsable(&self) -> Result<(), Refusal> {
        if self.flags.browsable { Ok(()) } else { Err(Refusal::BrowsingNotAllowed) }
    }

    /// When its photos are deleted: on the day that its owner has chosen, or at [`Event::latest_expiry`] if that is earlier.
    /// A later date that the owner was warned of takes precedence.
    pub fn expires_at(&self, keeping: Keeping) -> Option<Timestamp> {
        let computed = self.computed_expiry(keeping)?;
        Some(self.removal_at.map_or(computed, |warned| warned.max(computed)))
    }

    /// [`Event::expires_at`] without the date that the owner was warned of.
    pub fn computed_expiry(&self, keeping: Keeping) -> Option<Timestamp> {
        let latest = self.latest_expiry(keeping);
        self.chosen_expiry().map_or(latest, |chosen| Some(latest.map_or(chosen, |latest| chosen.min(latest))))
    }

    /// When its photos are deleted unless an earlier day is chosen: its period after the later of its date and its last upload,
    /// but not later than [`longest_retention`] after the upload; never where they are kept for ever.
    pub fn latest_expiry(&self, keeping: Keeping) -> Option<Timestamp> {
        let days = keeping.days(self.keep_days);
        if days == 0 {
            return None;
        }
        let (from, period) = (self.retained_from(), DAY * days);
        let Some(upload) = self.last_upload_at else { return Some(from.plus(period)) };
        Some(from.plus(period).min(upload.plus(longest_retention(period))))
    }

    /// The later of its date and its last upload.
    pub fn retained_from(&self) -> Timestamp {
        keeping::retained_from(&self.time_zone, self.date, self.last_upload_at)
    }

    /// The beginning of the day that its owner has chosen. What is uploaded later than a week before stays for a week.
    fn chosen_expiry(&self) -> Option<Timestamp> {
        let day = self.time_zone.start_of_day(self.expires_on?);
        Some(self.last_upload_at.map_or(day, |upload| day.max(upload.plus(NOTICE))))
    }

    /// Whole days from its creation to its deletion, or to `now` when it is not deleted.
    pub fn lifetime_days(&self, now: Timestamp) -> i64 {
        let end = self.deleted_at.unwrap_or(now);
        i64::try_from(end.since(self.created_at).as_secs() / DAY.as_secs()).unwrap_or(i64::MAX)
    }
}

/// Parses an event's name: not empty after trimming, at most 200 characters.
///
/// # Errors
/// [`Refusal::EventNameRequired`] or [`Refusal::EventNameTooLong`].
pub fn parse_name(text: &str) -> Result<String, Refusal> {
    let name = texts::one_line(text);
    if name.is_empty() {
        Err(Refusal::EventNameRequired)
    } else if name.chars().count() > NAME_LENGTH {
        Err(Refusal::EventNameTooLong)
    } else {
        Ok(name)
    }
}

/// Parses an event's date: a calendar day as YYYY-MM-DD, which may be in the past.
///
/// # Errors
/// [`Refusal::EventDateRequired`] when it is empty, [`Refusal::EventDateInvalid`] when it is no day.
pub fn parse_date(text: &str) -> Result<Date, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::EventDateRequired);
    }
    // The parser would accept a time of day as well; the contract has days only.
    if text.len() != 10 {
        return Err(Refusal::EventDateInvalid);
    }
    text.parse().map_err(|_| Refusal::EventDateInvalid)
}

/// Checks that the date of a new event is in the years from 2000 to five years ahead. A date field sends
/// others while it is typed: '26' is the year 26.
///
/// # Errors
/// [`Refusal::EventDateOutOfRange`].
pub fn check_year(date: Date, now: Timestamp) -> Result<(), Refusal> {
    let last = now.date().year().saturating_add(YEARS_AHEAD);
    if (FIRST_YEAR..=last).contains(&date.year()) { Ok(()) } else { Err(Refusal::EventDateOutOfRange) }
}

/// A part of an event's name that is looked for, whatever the case of its letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePart(String);

impl NamePart {
    /// None when the text is empty after trimming: every name has it.
    pub fn new(text: &str) -> Option<Self> {
        Some(comparable(text)).filter(|part| !part.is_empty()).map(Self)
    }

    /// Whether a name has this part.
    pub fn is_in(&self, name: &str) -> bool {
        comparable(name).contains(&self.0)
    }
}

/// A text by which texts are equal that differ in the case of letters alone, or in the spaces between words. Capitals come
/// first: some letters have two small ones, or are two letters as capitals ('ς' and 'σ', 'ß' and 'ss').
fn comparable(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Parses a description: none when it is empty after trimming, at most 2,000 characters.
///
/// # Errors
/// [`Refusal::EventDescriptionTooLong`].
pub fn parse_description(text: &str) -> Result<Option<String>, Refusal> {
    let description = text.trim();
    if description.chars().count() > DESCRIPTION_LENGTH {
        Err(Refusal::EventDescriptionTooLong)
    } else {
        Ok((!description.is_empty()).then(|| description.to_owned()))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ids::Id;

    pub(crate) fn event(date: &str, last_upload_at: Option<&str>) -> Event {
        let moment =
            |text: &str| Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
        Event {
            id: EventId::from_parts(Timestamp::from_millis(0), [0; 10]),
            owner: UserId::from_parts(Timestamp::from_millis(0), [0; 10]),
            name: String::from("Party"),
            date: parse_date(date).unwrap(),
            slug: String::from("party-aaaaaaaaaa"),
            description: None,
            created_at: moment("2026-11-01T10:00:00Z"),
            deleting_since: None,
            deletion_job: None,
            deleted_at: None,
            restorable_until: None,
            photos_uploaded: 0,
            last_upload_at: last_upload_at.map(moment),
            removal_at: None,
            revision: 0,
            indexing: Indexing::default(),
            faces_indexed: 0,
            flags: Flags::default(),
            time_zone: Zone::utc(),
            expires_on: None,
            keep_days: None,
            cover: None,
            pin: None,
            downloads: Downloads::Original,
            invitation: None,
            publication: Publication::AsTheyArrive,
            more_until: None,
            held: Held::default(),
            guest_photo_limit: crate::guests::guest_photos::PER_DEVICE,
        }
    }

    #[test]
    fn guests_see_a_cover_that_nobody_has_chosen_only_where_they_may_see_all_photos() {
        // [EVT161]
        for (browsable, pin, is_automatic, is_shown) in [
            (false, None, true, false),
            (false, None, false, true),
            (true, None, true, true),
            (true, Pin::parse("123456").ok(), true, false),
            (true, Pin::parse("123456").ok(), false, true),
        ] {
            let photo = crate::PhotoId::from_parts(Timestamp::from_millis(0), [0; 10]);
            let cover = Some(Cover { photo, revision: 0, focus: None, is_automatic });
            let flags = Flags { browsable, ..Flags::default() };
            let event = Event { cover, flags, pin, ..event("2026-11-14", None) };
            let seen = event.clone().seen_by_guests();
            assert_eq!(seen.cover.is_some(), is_shown, "{browsable} {:?} {is_automatic}", event.pin);
            assert_eq!(Event { cover, ..seen }, event, "nothing else changes");
        }
    }

    #[test]
    fn a_part_of_a_name_is_found_whatever_its_case() {
        for (name, part) in [
            ("Aanya & Rohan", "rohan"),
            ("Aanya & Rohan", " AANYA  &  r "),
            ("ÉTÉ À NÎMES", "été à nî"),
            ("Straßenfest", "STRASSE"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
            ("Свадьба", "СВАДЬ"),
            ("शादी 2026", "शादी"),
        ] {
            assert!(NamePart::new(part).unwrap().is_in(name), "{part} in {name}");
        }
        assert!(!NamePart::new("rohan").unwrap().is_in("Aanya"));
        assert!(!NamePart::new("_").unwrap().is_in("Aanya") && !NamePart::new("%").unwrap().is_in("Aanya"));
        assert_eq!(NamePart::new(" \t "), None);
    }

    #[test]
    fn a_new_event_is_in_the_years_from_2000_to_five_years_ahead() {
        // [EVT082]
        let noon: jiff::Timestamp = "2026-11-14T12:00:00Z".parse().unwrap();
        let now = Timestamp::from_millis(noon.as_millisecond());
        for date in ["2000-01-01", "2026-11-20", "2031-12-31"] {
            assert_eq!(check_year(parse_date(date).unwrap(), now), Ok(()), "{date}");
        }
        for date in ["0026-11-20", "1999-12-31", "2032-01-01", "9999-12-31"] {
            assert_eq!(
                check_year(parse_date(date).unwrap(), now),
                Err(Refusal::EventDateOutOfRange),
                "{date}"
            );
        }
    }

    #[test]
    fn retention_counts_from_the_later_of_date_and_last_upload() {
        // [EVT074] [EVT075] [EVT078] [EVT079] [EVT080]
        let at = |event: &Event, days| event.expires_at(Keeping::fixed(days)).map(Timestamp::to_rfc3339);
        assert_eq!(at(&event("2026-11-14", None), 30).as_deref(), Some("2026-12-14T00:00:00.000Z"));
        let early = event("2026-11-14", Some("2026-11-02T08:00:00Z"));
        assert_eq!(at(&early, 30).as_deref(), Some("2026-12-14T00:00:00.000Z"));
        let late = event("2026-11-14", Some("2026-11-20T08:00:00Z"));
        assert_eq!(at(&late, 30).as_deref(), Some("2026-12-20T08:00:00.000Z"));
        assert_eq!(at(&late, 0), None);
        let warned = |text: &str| {
            let at = text.parse::<jiff::Timestamp>().unwrap().as_millisecond();
            Event { removal_at: Some(Timestamp::from_millis(at)), ..late.clone() }
        };
        let moved = warned("2026-12-27T09:00:00Z");
        assert_eq!(
            at(&moved, 30).as_deref(),
            Some("2026-12-27T09:00:00.000Z"),
            "the later date takes precedence"
        );
        assert_eq!(at(&warned("2026-12-14T00:00:00Z"), 30).as_deref(), Some("2026-12-20T08:00:00.000Z"));
    }

    #[test]
    fn an_event_keeps_its_photos_for_as_long_as_its_owner_has_chosen() {
        // [EVT167]
        let at = |keep_days, keeping: Keeping| {
            let event = Event { keep_days, ..event("2026-11-14", Some("2026-11-20T08:00:00Z")) };
            event.expires_at(keeping).map(Timestamp::to_rfc3339)
        };
        let year = Keeping::of(30, 365);
        assert_eq!(at(None, year).as_deref(), Some("2026-12-20T08:00:00.000Z"));
        assert_eq!(at(Some(90), year).as_deref(), Some("2027-02-18T08:00:00.000Z"));
        assert_eq!(at(Some(365), year).as_deref(), Some("2027-11-20T08:00:00.000Z"));
        assert_eq!(at(Some(14), year).as_deref(), Some("2026-12-04T08:00:00.000Z"));
        assert_eq!(at(Some(365), Keeping::fixed(60)).as_deref(), Some("2027-01-19T08:00:00.000Z"));
        assert_eq!(at(Some(0), Keeping::of(30, 0)), None);
        assert_eq!(at(Some(14), Keeping::of(0, 0)).as_deref(), Some("2026-12-04T08:00:00.000Z"));
    }

    #[test]
    fn a_date_far_ahead_prolongs_retention_to_a_year_after_the_upload() {
        // [EVT082]
        let at = |date, days| {
            event(date, Some("2026-11-02T08:00:00Z"))
                .expires_at(Keeping::fixed(days))
                .map(Timestamp::to_rfc3339)
        };
        assert_eq!(at("2099-01-01", 30).as_deref(), Some("2027-11-02T08:00:00.000Z"));
        assert_eq!(at("2027-10-20", 30).as_deref(), Some("2027-11-02T08:00:00.000Z"));
        assert_eq!(at("2027-10-01", 30).as_deref(), Some("2027-10-31T00:00:00.000Z"));
        assert_eq!(at("2099-01-01", 400).as_deref(), Some("2027-12-07T08:00:00.000Z"));
    }

    #[test]
    fn a_chosen_day_ends_retention_earlier_but_not_within_a_week_of_an_upload() {
        // [EVT127]
        let at = |chosen: Option<&str>, upload: &str, days| {
            let expires_on = chosen.map(|day| parse_date(day).unwrap());
            let event = Event { expires_on, ..event("2026-11-14", Some(upload)) };
            event.computed_expiry(Keeping::fixed(days)).map(Timestamp::to_rfc3339)
        };
        for (chosen, upload, days, expiry) in [
            (None, "2026-11-20T08:00:00Z", 30, Some("2026-12-20T08:00:00.000Z")),
            (Some("2026-12-01"), "2026-11-20T08:00:00Z", 30, Some("2026-12-01T00:00:00.000Z")),
            (Some("2026-12-01"), "2026-11-28T08:00:00Z", 30, Some("2026-12-05T08:00:00.000Z")),
            (Some("2026-12-31"), "2026-11-20T08:00:00Z", 30, Some("2026-12-20T08:00:00.000Z")),
            (Some("2026-12-31"), "2026-11-20T08:00:00Z", 0, Some("2026-12-31T00:00:00.000Z")),
            (None, "2026-11-20T08:00:00Z", 0, None),
            // A period of less than a week holds: the operator's limit is not to be prolonged.
            (Some("2026-11-21"), "2026-11-20T08:00:00Z", 3, Some("2026-11-23T08:00:00.000Z")),
        ] {
            assert_eq!(at(chosen, upload, days).as_deref(), expiry, "{chosen:?} {upload} {days}");
        }
    }

    #[test]
    fn an_events_day_begins_in_its_time_zone() {
        let kolkata = Event { time_zone: Zone::parse("Asia/Kolkata").unwrap(), ..event("2026-11-14", None) };
        assert_eq!(kolkata.expires_at(Keeping::fixed(30)).unwrap().to_rfc3339(), "2026-12-13T18:30:00.000Z");
        let chosen = Event { expires_on: Some(parse_date("2026-12-01").unwrap()), ..kolkata };
        assert_eq!(chosen.expires_at(Keeping::fixed(30)).unwrap().to_rfc3339(), "2026-11-30T18:30:00.000Z");
    }

    #[test]
    fn a_lifetime_is_whole_days() {
        let mut event = event("2026-11-14", None);
        let day = |days: f64| event.created_at.plus(DAY.mul_f64(days));
        let (almost_two, three) = (day(1.99), day(3.0));
        assert_eq!(event.lifetime_days(almost_two), 1);
        event.deleted_at = Some(three);
        assert_eq!(event.lifetime_days(three.plus(DAY * 9)), 3);
    }

    #[test]
    fn names_dates_and_descriptions_are_validated() {
        // [EVT004] [EVT005] [EVT050] [EVT054] [EVT055]
        assert_eq!(parse_name("  "), Err(Refusal::EventNameRequired));
        assert!(parse_name(&"न".repeat(200)).is_ok());
        assert_eq!(parse_name(&"न".repeat(201)), Err(Refusal::EventNameTooLong));
        assert_eq!(parse_date(" "), Err(Refusal::EventDateRequired));
        for invalid in ["2026-02-30", "14/11/2026", "2026-11-14T10:00", "20261114", "soon", "2026-1-4"] {
            assert_eq!(parse_date(invalid), Err(Refusal::EventDateInvalid), "{invalid}");
        }
        assert_eq!(parse_date("1999-12-31").unwrap().to_string(), "1999-12-31");
        assert_eq!(parse_description("  "), Ok(None));
        assert!(parse_description(&"न".repeat(2_000)).is_ok());
        assert_eq!(parse_description(&"न".repeat(2_001)), Err(Refusal::EventDescriptionTooLong));
    }
}
