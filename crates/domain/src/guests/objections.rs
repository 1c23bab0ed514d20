//! Guests who object: they want photos of them hidden, or not to be found any more.

pub mod live_capture;

use std::time::Duration;

use crate::faces::BoundingBox;
use crate::guests::subscriptions::parse_notice_version;
use crate::{EventId, FaceId, ObjectionId, PhotoId, Refusal, Timestamp};

/// How long a guest may look at what was found before the objection: long enough to read, short enough that the selfie is fresh.
pub const SEARCH_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// The least time between two mails that tell a photographer of the objections in one event.
pub const MAIL_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// How many photos a guest hides at once, without the photographer, of however small an event.
const HIDDEN_AT_ONCE: usize = 20;
/// The part of an event that a guest hides at once: the reciprocal of 5 %.
const PART_AT_ONCE: usize = 20;
/// How long after a photographer was told of a request that waits they are reminded of it.
pub const REMINDER_INTERVAL: Duration = crate::DAY;
/// For how long they are reminded.
pub const REMINDED_FOR: Duration = crate::DAY.saturating_mul(8);

/// Whether so many photos of an event with so many are hidden at once. More wait for the photographer: a picture of the bride from
/// the web must not empty a wedding.
pub const fn hides_at_once(photos: usize, in_event: usize) -> bool {
    photos <= HIDDEN_AT_ONCE || photos <= in_event / PART_AT_ONCE
}

/// What a guest wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Nobody finds these photos.
    Hide,
    /// Nobody finds this person. Their photos stay visible to the others in them.
    StopFinding,
}

impl Choice {
    /// Parses the name in the contract and in the database.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Hide, Self::StopFinding].into_iter().find(|choice| choice.as_str() == text)
    }

    /// Its name in the contract and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hide => "hide",
            Self::StopFinding => "stop_finding",
        }
    }
}

/// A guest's objection in one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// Its id.
    pub id: ObjectionId,
    /// The event.
    pub event: EventId,
    /// What the guest wants.
    pub choice: Choice,
    /// The version of the notice that the guest agreed to.
    pub notice_version: String,
    /// The template of the face, encrypted with the event's key; only of [`Choice::StopFinding`], until it is overruled.
    pub template: Option<Vec<u8>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When the photographer was told by mail.
    pub told_at: Option<Timestamp>,
    /// When the photographer saw it in the application.
    pub seen_at: Option<Timestamp>,
    /// Whether it waits for the photographer, and hides nothing until then.
    pub waits: bool,
    /// The request that waits for whose time this one holds.
    pub provisional_for: Option<ObjectionId>,
    /// Whether nobody has shown to be the person: it was made without a live capture. What the photographer decides about it does not
    /// bind who makes one.
    pub without_capture: bool,
}

impl Objection {
    /// Whether the photographer has not seen it.
    pub const fn is_new(&self) -> bool {
        self.seen_at.is_none()
    }
}

/// A face that an objection is about. Only its place is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectedFace {
    /// Whose objection.
    pub objection: ObjectionId,
    /// The id that the face has, or had.
    pub face: FaceId,
    /// The photo.
    pub photo: PhotoId,
    /// Where it is in the photo.
    pub bounds: BoundingBox,
    /// Whether the photographer has decided against the guest.
    pub overruled: bool,
}

/// Parses the version of the notice that a guest has agreed to.
///
/// # Errors
/// [`Refusal::ObjectionConsentRequired`] when there is none.
pub fn parse_consent(text: &str) -> Result<String, Refusal> {
    parse_notice_version(text).map_err(|_| Refusal::ObjectionConsentRequired)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_photos_or_a_twentieth_of_an_event_are_hidden_at_once() {
        // [FACE510]
        assert!(hides_at_once(20, 0) && !hides_at_once(21, 0));
        assert!(hides_at_once(20, 400) && !hides_at_once(21, 419));
        assert!(hides_at_once(21, 420) && hides_at_once(100, 2_000) && !hides_at_once(101, 2_000));
    }

    #[test]
    fn choices_round_trip_and_a_consent_is_needed() {
        for choice in [Choice::Hide, Choice::StopFinding] {
            assert_eq!(Choice::parse(choice.as_str()), Some(choice));
        }
        assert_eq!(Choice::parse("delete"), None);
        assert_eq!(parse_consent(" "), Err(Refusal::ObjectionConsentRequired));
        assert_eq!(parse_consent("2026-11"), Ok(String::from("2026-11")));
    }
}
