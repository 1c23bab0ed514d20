//! What the weekly mail says that a photographer can act on. The badges of the event's screens count by the same rules:
//! [`ClientSelection::is_new`], [`Objection::is_new`].

use std::time::Duration;

use jiff::civil::Date;

use crate::accounts::User;
use crate::events::keeping::Keeping;
use crate::events::{Event, NOTICE};
use crate::guests::client_selections::ClientSelection;
use crate::guests::objections::Objection;
use crate::statistics::WEEK;
use crate::{ClientSelectionId, DAY, EventId, Paise, Timestamp};

/// How long before the removal of an event's photos it is told.
const REMOVAL_SOON: Duration = DAY.saturating_mul(14);
/// How long before a client's last day for choosing it is told.
const CHOOSING_SOON: Duration = DAY.saturating_mul(7);
/// Below this balance the overview asks for credits (`lowCreditThreshold` in `web/src/studio/overview/OverviewPage.tsx`), and so
/// does the mail.
const LOW_CREDITS: Paise = Paise::from_rupees(20);

/// What is to be done about one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matter {
    /// A client has finished choosing, and nobody has looked at it.
    Chosen {
        /// Whose choice.
        selection: ClientSelectionId,
        /// What the photographer calls the client.
        client: String,
        /// How many photos.
        photos: i64,
    },
    /// So many requests of guests about photos of them wait, or were not looked at.
    Requests(i64),
    /// So many photos from guests wait to be let in.
    GuestPhotos(i64),
    /// So many photos wait to be published.
    Held(i64),
    /// So many photos could not be processed, in an event to which photos came within the last seven days.
    Failed(i64),
    /// A client's last day for choosing is near.
    ChoosingEnds {
        /// What the photographer calls the client.
        client: String,
        /// The last day, where the event takes place.
        day: Date,
    },
    /// The photos will be removed.
    Removal {
        /// How many there are.
        photos: i64,
        /// The day, where the event takes place.
        day: Date,
    },
}

/// Under which heading it stands, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heading {
    /// Who has chosen.
    Chosen,
    /// Who asks.
    Asked,
    /// What waits.
    Waiting,
    /// What runs out.
    RunningOut,
}

impl Heading {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::Chosen, Self::Asked, Self::Waiting, Self::RunningOut];
}

impl Matter {
    /// Its heading.
    pub const fn heading(&self) -> Heading {
        match self {
            Self::Chosen { .. } => Heading::Chosen,
            Self::Requests(_) => Heading::Asked,
            Self::GuestPhotos(_) | Self::Held(_) | Self::Failed(_) => Heading::Waiting,
            Self::ChoosingEnds { .. } | Self::Removal { .. } => Heading::RunningOut,
        }
    }
}

/// A matter and its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which event.
    pub event: EventId,
    /// What it is called.
    pub event_name: String,
    /// What is to be done.
    pub matter: Matter,
}

/// What is to be done about all events of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// By heading, then in the order of the events.
    pub lines: Vec<Line>,
    /// The balance, where it is low and photos are to be uploaded.
    pub low_credits: Option<Paise>,
}

impl Digest {
    /// Whether there is nothing to be done, so that no mail is sent.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.low_credits.is_none()
    }
}

/// What belongs to an event beside its row.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// What clients were asked to choose, and how many photos each has chosen.
    pub selections: Vec<(ClientSelection, i64)>,
    /// What guests have asked for.
    pub requests: Vec<Objection>,
    /// How many photos from guests wait.
    pub guest_photos: i64,
}

/// What is to be done about an event; nothing about one that is deleted.
pub fn matters(event: &Event, around: &Around, keeping: Keeping, now: Timestamp) -> Vec<Matter> {
    if !event.is_open() {
        return Vec::new();
    }
    let mut matters = Vec::new();
    for (selection, photos) in around.selections.iter().filter(|(selection, _)| selection.is_new()) {
        matters.push(Matter::Chosen {
            selection: selection.id,
            client: selection.name.clone(),
            photos: *photos,
        });
    }
    let requests = around.requests.iter().filter(|request| request.waits || request.is_new()).count();
    if requests > 0 {
        matters.push(Matter::Requests(i64::try_from(requests).unwrap_or(i64::MAX)));
    }
    if around.guest_photos > 0 {
        matters.push(Matter::GuestPhotos(around.guest_photos));
    }
    if event.held.indexing.total > 0 {
        matters.push(Matter::Held(event.held.indexing.total));
    }
    // What failed stays so until the photo is deleted or replaced: it is told while the photographer works on the event.
    let is_recent = event.last_upload_at.is_some_and(|upload| upload > now.minus(WEEK));
    if event.indexing.failed > 0 && is_recent {
        matters.push(Matter::Failed(event.indexing.failed));
    }
    let last = event.time_zone.date(now.plus(CHOOSING_SOON));
    for (selection, _) in &around.selections {
        let day = selection.due_on.filter(|day| *day <= last);
        if let (Some(day), Ok(())) = (day, selection.check_open(event, now)) {
            matters.push(Matter::ChoosingEnds { client: selection.name.clone(), day });
        }
    }
    if let Some(at) = removal(event, keeping, now).filter(|at| *at <= now.plus(REMOVAL_SOON)) {
        matters.push(Matter::Removal { photos: event.indexing.total, day: event.time_zone.date(at) });
    }
    matters
}

/// When the photos of an event will be removed, as far as it is known: on the day that its owner was warned of, or [`NOTICE`] after a
/// warning that is still to come. None for an event without photos, and for one whose removal has begun.
fn removal(event: &Event, keeping: Keeping, now: Timestamp) -> Option<Timestamp> {
    let computed = event.computed_expiry(keeping).filter(|_| event.indexing.total > 0)?;
    match event.removal_at.filter(|warned| *warned >= computed) {
        Some(warned) => (warned > now).then_some(warned),
        None => Some(computed.max(now.plus(NOTICE))),
    }
}

/// Whether an account's credits are low while it has an event to which photos may come: of this week or to come, or with an
/// upload of the last seven days. The premium plan needs none.
pub fn needs_credits(user: &User, events: &[Event], now: Timestamp) -> bool {
    let begun = now.minus(WEEK);
    let is_used = |event: &Event| {
        event.is_open()
            && (event.last_upload_at.is_some_and(|upload| upload > begun)
                || event.date >= event.time_zone.date(begun))
    };
    user.premium_since.is_none() && user.credits < LOW_CREDITS && events.iter().any(is_used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::EmailAddress;
    use crate::accounts::languages::AccountLanguage;
    use crate::events::{Held, Indexing};
    use crate::guests::client_selections::Scope;
    use crate::guests::objections::Choice;
    use crate::guests::walls::Secret;
    use crate::ids::Id as _;
    use crate::{ObjectionId, UserId};
    use jiff::civil::date;

    fn at(text: &str) -> Timestamp {
        Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    const NOW: &str = "2026-11-23T06:00:00Z";

    /// An event with ten photos, the last of which came on the 20th, at eight.
    fn event() -> Event {
        let indexing = Indexing { indexed: 10, failed: 0, total: 10 };
        Event { indexing, ..crate::events::tests::event("2026-11-14", Some("2026-11-20T08:00:00Z")) }
    }

    fn selection(due_on: Option<Date>, done: bool) -> ClientSelection {
        ClientSelection {
            id: ClientSelectionId::from_parts(at(NOW), [7; 10]),
            event: event().id,
            name: String::from("Asha"),
            limit: None,
            due_on,
            pin: None,
            scope: Scope::Event,
            secret: Secret::from_trusted(String::from("s")),
            created_at: at(NOW),
            done_at: done.then(|| at(NOW)),
            message: None,
            seen_at: None,
        }
    }

    fn request(waits: bool, seen: bool) -> Objection {
        Objection {
            id: ObjectionId::from_parts(at(NOW), [7; 10]),
            event: event().id,
            choice: Choice::Hide,
            notice_version: String::from("1"),
            template: None,
            created_at: at(NOW),
            told_at: None,
            seen_at: seen.then(|| at(NOW)),
            waits,
            provisional_for: None,
            without_capture: false,
        }
    }

    fn found(event: &Event, around: &Around, days: u32) -> Vec<Matter> {
        matters(event, around, Keeping::fixed(days), at(NOW))
    }

    #[test]
    fn an_event_without_anything_to_do_has_no_matter() {
        let quiet = Around {
            selections: vec![
                (ClientSelection { seen_at: Some(at(NOW)), ..selection(None, true) }, 4),
                (selection(None, false), 2),
            ],
            requests: vec![request(false, true)],
            guest_photos: 0,
        };
        assert_eq!(found(&event(), &quiet, 365), []);
    }

    #[test]
    fn who_chose_who_asked_and_what_waits_is_told() {
        let around = Around {
            selections: vec![(selection(None, true), 4)],
            requests: vec![request(true, true), request(false, false), request(false, true)],
            guest_photos: 3,
        };
        let held = Held { indexing: Indexing { total: 5, ..event().indexing }, ..Held::default() };
        let event = Event { held, indexing: Indexing { failed: 2, ..event().indexing }, ..event() };
        let matters = found(&event, &around, 365);
        assert!(matches!(&matters[0], Matter::Chosen { client, photos: 4, .. } if client == "Asha"));
        assert_eq!(
            matters[1..],
            [Matter::Requests(2), Matter::GuestPhotos(3), Matter::Held(5), Matter::Failed(2)]
        );
        assert!(matters.is_sorted_by_key(Matter::heading));
        let old = Event { last_upload_at: Some(at("2026-11-16T06:00:00Z")), ..event.clone() };
        assert!(!found(&old, &around, 365).contains(&Matter::Failed(2)), "it is not told for ever");
        let deleted = Event { deleted_at: Some(at(NOW)), ..event };
        assert_eq!(found(&deleted, &around, 365), []);
    }

    #[test]
    fn a_clients_last_day_is_told_in_its_week() {
        let ends = |due_on: Date, done: bool| {
            let selections = vec![(selection(Some(due_on), done), 0)];
            let matters = found(&event(), &Around { selections, ..Around::default() }, 365);
            matters.iter().any(|matter| matches!(matter, Matter::ChoosingEnds { .. }))
        };
        assert!(ends(date(2026, 11, 23), false));
        assert!(ends(date(2026, 11, 30), false));
        assert!(!ends(date(2026, 12, 1), false));
        assert!(!ends(date(2026, 11, 22), false), "it is over");
        assert!(!ends(date(2026, 11, 23), true), "the client has finished");
    }

    #[test]
    fn a_removal_is_told_two_weeks_before() {
        let told = |event: &Event, days| match found(event, &Around::default(), days)[..] {
            [] => None,
            [Matter::Removal { photos: 10, day }] => Some(day),
            ref other => panic!("{other:?}"),
        };
        let event = event();
        assert_eq!(told(&event, 16), Some(date(2026, 12, 6)));
        assert_eq!(told(&event, 17), None, "it is the 7th, at eight");
        assert_eq!(told(&event, 1), Some(date(2026, 11, 30)), "a warning comes first");
        let warned = Event { removal_at: Some(at("2026-11-25T12:00:00Z")), ..event.clone() };
        assert_eq!(told(&warned, 1), Some(date(2026, 11, 25)));
        let begun = Event { removal_at: Some(at("2026-11-22T12:00:00Z")), ..event.clone() };
        assert_eq!(told(&begun, 1), None);
        assert_eq!(told(&Event { indexing: Indexing::default(), ..event }, 1), None, "there are no photos");
    }

    #[test]
    fn credits_are_low_where_photos_are_to_come() {
        let user = |credits: i64, premium: bool| User {
            id: UserId::from_parts(at(NOW), [7; 10]),
            email: EmailAddress::parse("meera@example.com").unwrap(),
            pending_email: None,
            pending_confirmed: false,
            pending_needs_agreement: false,
            name: String::from("Meera"),
            is_photographer: true,
            is_admin: false,
            email_verified_at: None,
            credits: Paise::new(credits),
            premium_since: premium.then(|| at(NOW)),
            locked_at: None,
            language: AccountLanguage::English,
            created_at: at(NOW),
        };
        let needs = |user: &User, event: Event| needs_credits(user, &[event], at(NOW));
        assert!(needs(&user(1_999, false), event()));
        assert!(!needs(&user(2_000, false), event()));
        assert!(!needs(&user(0, true), event()), "uploads are free");
        let past = Event { last_upload_at: Some(at("2026-11-01T00:00:00Z")), ..event() };
        assert!(!needs(&user(0, false), past.clone()), "nothing is to come");
        assert!(needs(&user(0, false), Event { date: date(2026, 12, 24), ..past }));
        assert!(!needs_credits(&user(0, false), &[], at(NOW)));
    }
}
