//! What clients choose of an event's photos, by a secret address that their photographer has given them (decision 0094).

use jiff::civil::Date;

use crate::events::pins::Pin;
use crate::events::{Event, parse_date};
use crate::guests::walls::Secret;
use crate::operations::runtime::texts;
use crate::{AlbumId, ClientSelectionId, EventId, PhotoId, Refusal, Timestamp};

/// Most selections of an event.
pub const PER_EVENT: usize = 50;
/// Most characters of a client's name.
const NAME_LENGTH: usize = 60;
/// Most photos that a limit can be.
const LIMIT_MAX: u32 = 10_000;
/// Most characters of a comment on a photo.
const COMMENT_LENGTH: usize = 500;
/// Most characters of what a client writes at the end.
const MESSAGE_LENGTH: usize = 1_000;

/// Which photos a client sees, as far as guests may see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of the event.
    Event,
    /// Those of an album, and those that the client has marked, which may have been taken out of it.
    Album(AlbumId),
    /// Those alone that the client has marked: the album is deleted. All of the event would show what the client was not to see.
    DeletedAlbum,
}

/// A client's selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSelection {
    /// Its id.
    pub id: ClientSelectionId,
    /// Of whose photos.
    pub event: EventId,
    /// What the photographer calls the client.
    pub name: String,
    /// How many photos the client may choose; none for any number.
    pub limit: Option<u32>,
    /// The last day for choosing, where the event takes place; none for no end.
    pub due_on: Option<Date>,
    /// What the client enters first.
    pub pin: Option<Pin>,
    /// Which photos the client sees.
    pub scope: Scope,
    /// What its address ends with.
    pub secret: Secret,
    /// When it was made.
    pub created_at: Timestamp,
    /// When the client had finished; none while choosing.
    pub done_at: Option<Timestamp>,
    /// What the client wrote then, last.
    pub message: Option<String>,
    /// When somebody who manages the event has looked at what the client had finished.
    pub seen_at: Option<Timestamp>,
}

impl ClientSelection {
    /// Whether the last day for choosing is over, in the time zone of its event.
    pub fn is_over(&self, event: &Event, now: Timestamp) -> bool {
        self.due_on.is_some_and(|day| day < event.time_zone.date(now))
    }

    /// Whether the client has finished, and nobody who manages the event has looked at it.
    pub const fn is_new(&self) -> bool {
        self.done_at.is_some() && self.seen_at.is_none()
    }

    /// Checks that the client may change something.
    ///
    /// # Errors
    /// [`Refusal::ClientChoiceDone`] or [`Refusal::ClientChoiceOver`].
    pub fn check_open(&self, event: &Event, now: Timestamp) -> Result<(), Refusal> {
        if self.done_at.is_some() {
            Err(Refusal::ClientChoiceDone)
        } else if self.is_over(event, now) {
            Err(Refusal::ClientChoiceOver)
        } else {
            Ok(())
        }
    }

    /// Whether one photo more may be chosen beside so many.
    pub fn has_room(&self, chosen: i64) -> bool {
        self.limit.is_none_or(|limit| chosen < i64::from(limit))
    }

    /// Checks that a client who has chosen so many photos may finish.
    ///
    /// # Errors
    /// [`Refusal::ClientChoiceEmpty`] or [`Refusal::ClientChoiceTooLarge`].
    pub fn check_finished(&self, chosen: i64) -> Result<(), Refusal> {
        if chosen == 0 {
            Err(Refusal::ClientChoiceEmpty)
        } else if self.limit.is_some_and(|limit| chosen > i64::from(limit)) {
            Err(Refusal::ClientChoiceTooLarge)
        } else {
            Ok(())
        }
    }
}

/// What a client has marked a photo with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Whether it is chosen.
    pub chosen: bool,
    /// What the client says of it; empty for nothing.
    pub comment: String,
}

impl Mark {
    /// Whether it says nothing.
    pub const fn is_empty(&self) -> bool {
        !self.chosen && self.comment.is_empty()
    }
}

/// A mark on a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// By which selection.
    pub selection: ClientSelectionId,
    /// The photo.
    pub photo: PhotoId,
    /// The mark.
    pub mark: Mark,
}

/// By which selection photos are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionFilter {
    /// Those that its client has chosen.
    Chosen(ClientSelectionId),
    /// Those that its client has commented on, chosen or not.
    Commented(ClientSelectionId),
}

impl SelectionFilter {
    /// The selection with this id.
    ///
    /// # Errors
    /// [`Refusal::ClientSelectionNotFound`] for what is no id.
    pub fn parse(id: &str, commented: bool) -> Result<Self, Refusal> {
        let id = id.parse().map_err(|_| Refusal::ClientSelectionNotFound)?;
        Ok(if commented { Self::Commented(id) } else { Self::Chosen(id) })
    }

    /// Which selection.
    pub const fn selection(self) -> ClientSelectionId {
        match self {
            Self::Chosen(id) | Self::Commented(id) => id,
        }
    }
}

/// Parses a client's name: one line, not empty after trimming, at most 60 characters.
///
/// # Errors
/// [`Refusal::ClientNameRequired`] or [`Refusal::ClientNameTooLong`].
pub fn parse_name(text: &str) -> Result<String, Refusal> {
    let name = texts::one_line(text);
    if name.is_empty() {
        Err(Refusal::ClientNameRequired)
    } else if name.chars().count() > NAME_LENGTH {
        Err(Refusal::ClientNameTooLong)
    } else {
        Ok(name)
    }
}

/// Parses how many photos a client may choose.
///
/// # Errors
/// [`Refusal::ClientLimitInvalid`] for what is not from 1 to 10,000.
pub fn parse_limit(limit: i64) -> Result<u32, Refusal> {
    let limit = u32::try_from(limit).ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    limit.ok_or(Refusal::ClientLimitInvalid)
}

/// Parses the last day for choosing, in the time zone of the event. One that was chosen before stays, though it is past.
///
/// # Errors
/// [`Refusal::ClientDayInvalid`] or [`Refusal::ClientDayPast`].
pub fn parse_day(text: &str, event: &Event, current: Option<Date>, now: Timestamp) -> Result<Date, Refusal> {
    let day = parse_date(text).map_err(|_| Refusal::ClientDayInvalid)?;
    let is_good = current == Some(day) || day >= event.time_zone.date(now);
    is_good.then_some(day).ok_or(Refusal::ClientDayPast)
}

/// Parses a comment on a photo, which may be empty.
///
/// # Errors
/// [`Refusal::ClientCommentTooLong`] beyond 500 characters.
pub fn parse_comment(text: &str) -> Result<String, Refusal> {
    let comment = text.trim();
    if comment.chars().count() > COMMENT_LENGTH {
        return Err(Refusal::ClientCommentTooLong);
    }
    Ok(storable(comment))
}

/// Parses what a client writes at the end; none for nothing.
///
/// # Errors
/// [`Refusal::ClientMessageTooLong`] beyond 1,000 characters.
pub fn parse_message(text: &str) -> Result<Option<String>, Refusal> {
    let message = text.trim();
    if message.chars().count() > MESSAGE_LENGTH {
        return Err(Refusal::ClientMessageTooLong);
    }
    Ok((!message.is_empty()).then(|| storable(message)))
}

/// PostgreSQL takes no text with a zero.
fn storable(text: &str) -> String {
    text.replace('\0', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Randomness;
    use crate::events::tests::event;
    use crate::events::zones::Zone;
    use crate::ids::Id as _;
    use jiff::civil::date;

    fn selection() -> ClientSelection {
        let at = Timestamp::from_millis(1);
        ClientSelection {
            id: ClientSelectionId::from_parts(at, [0; 10]),
            event: EventId::from_parts(at, [0; 10]),
            name: String::from("Asha"),
            limit: Some(2),
            due_on: None,
            pin: None,
            scope: Scope::Event,
            secret: Secret::generate(&Randomness::seeded(1)),
            created_at: at,
            done_at: None,
            message: None,
            seen_at: None,
        }
    }

    fn moment(text: &str) -> Timestamp {
        Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    #[test]
    fn fields_have_bounds() {
        // [EVT192]
        assert_eq!(parse_name("  Asha &\n Ravi ").unwrap(), "Asha &  Ravi");
        assert_eq!(parse_name(" \t"), Err(Refusal::ClientNameRequired));
        assert_eq!(parse_name(&"é".repeat(61)), Err(Refusal::ClientNameTooLong));
        assert_eq!((parse_limit(1), parse_limit(10_000)), (Ok(1), Ok(10_000)));
        for limit in [0, -1, 10_001, i64::MAX] {
            assert_eq!(parse_limit(limit), Err(Refusal::ClientLimitInvalid), "{limit}");
        }
        assert_eq!(parse_comment("  Crop\n it \0 ").unwrap(), "Crop\n it ");
        assert_eq!(parse_comment(" ").unwrap(), "");
        assert!(parse_comment(&"न".repeat(500)).is_ok());
        assert_eq!(parse_comment(&"न".repeat(501)), Err(Refusal::ClientCommentTooLong));
        assert_eq!(parse_message(" \n "), Ok(None));
        assert_eq!(parse_message(" Thanks "), Ok(Some(String::from("Thanks"))));
        assert_eq!(parse_message(&"न".repeat(1_001)), Err(Refusal::ClientMessageTooLong));
    }

    #[test]
    fn the_last_day_counts_as_a_whole_where_the_event_takes_place() {
        // [EVT196]
        let kolkata = Zone::parse("Asia/Kolkata").unwrap();
        let event = Event { time_zone: kolkata, ..event("2026-11-14", None) };
        let day = date(2026, 12, 12);
        let due = ClientSelection { due_on: Some(day), ..selection() };
        let (last, after) = (moment("2026-12-12T18:29:59Z"), moment("2026-12-12T18:30:00Z"));
        assert_eq!(due.check_open(&event, last), Ok(()));
        assert_eq!(due.check_open(&event, after), Err(Refusal::ClientChoiceOver));
        assert_eq!(selection().check_open(&event, after), Ok(()), "without a day it has no end");
        assert_eq!(parse_day("2026-12-12", &event, None, last), Ok(day));
        assert_eq!(parse_day("2026-12-12", &event, None, after), Err(Refusal::ClientDayPast));
        assert_eq!(parse_day("2026-12-12", &event, Some(day), after), Ok(day), "the one it has stays");
        assert_eq!(parse_day("12/12/2026", &event, None, last), Err(Refusal::ClientDayInvalid));
    }

    #[test]
    fn a_selection_has_room_up_to_its_limit_and_is_finished_within_it() {
        // [EVT195] [EVT198]
        let two = selection();
        assert!(two.has_room(1) && !two.has_room(2) && !two.has_room(3));
        assert!(ClientSelection { limit: None, ..selection() }.has_room(i64::MAX));
        assert_eq!(two.check_finished(0), Err(Refusal::ClientChoiceEmpty));
        assert_eq!((two.check_finished(1), two.check_finished(2)), (Ok(()), Ok(())));
        assert_eq!(two.check_finished(3), Err(Refusal::ClientChoiceTooLarge));
        let event = event("2026-11-14", None);
        let done = ClientSelection { done_at: Some(Timestamp::from_millis(2)), ..selection() };
        assert_eq!(done.check_open(&event, Timestamp::from_millis(3)), Err(Refusal::ClientChoiceDone));
    }
}
