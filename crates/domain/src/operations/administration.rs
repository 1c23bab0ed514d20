//! The rules of administration: what administrators look for, what they may lock, and the reasons that they give.

use std::str::FromStr;

use uuid::Uuid;

use crate::accounts::EmailAddress;
use crate::operations::runtime::texts;
use crate::{EventId, Refusal, UserId};

/// Longest text that accounts are looked for by, in Unicode code points.
pub const SEARCH_LENGTH: usize = 200;
/// Longest reason, in Unicode code points.
pub const REASON_LENGTH: usize = 500;

/// What accounts are looked for by: a part of the address or of the name, whatever its case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountSearch(String);

impl AccountSearch {
    /// None when the text is empty.
    ///
    /// # Errors
    /// A refusal of a text that is too long.
    pub fn parse(text: &str) -> Result<Option<Self>, Refusal> {
        let line = texts::one_line(text);
        let text = texts::trimmed(&line);
        if text.chars().count() > SEARCH_LENGTH {
            return Err(Refusal::AccountSearchTooLong);
        }
        Ok((!text.is_empty()).then(|| Self(texts::folded(text))))
    }

    /// The whole address that it may be.
    pub fn address(&self) -> Option<EmailAddress> {
        EmailAddress::parse(&self.0).ok()
    }

    /// Whether an account is one of those.
    pub fn finds(&self, address: &EmailAddress, name: &str) -> bool {
        [address.key().as_str(), address.as_str(), name]
            .iter()
            .any(|text| texts::folded(text).contains(&self.0))
    }
}

/// Why an administrator does something, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// Parses a reason.
    ///
    /// # Errors
    /// [`Refusal::ReasonRequired`] and [`Refusal::ReasonTooLong`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let text = texts::one_line(text);
        match text.chars().count() {
            0 => Err(Refusal::ReasonRequired),
            length if length > REASON_LENGTH => Err(Refusal::ReasonTooLong),
            _ => Ok(Self(text)),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// By which a change of credits happens once, however often it is asked for: a UUID that the client has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeKey(Uuid);

impl FromStr for ChangeKey {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        Uuid::parse_str(text).map(Self).map_err(|_| Refusal::CreditsKeyInvalid)
    }
}

impl std::fmt::Display for ChangeKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether an account may be locked by an administrator, or from the machine itself (none). `administrators` are those who
/// can log in.
///
/// # Errors
/// [`Refusal::LockingOneself`] and [`Refusal::LastAdministrator`].
pub fn check_lock(account: UserId, by: Option<UserId>, administrators: &[UserId]) -> Result<(), Refusal> {
    if by == Some(account) {
        return Err(Refusal::LockingOneself);
    }
    check_not_last(account, administrators)
}

/// Whether somebody who can log in is left to administer without this account. `administrators` are those who can.
///
/// # Errors
/// [`Refusal::LastAdministrator`]
pub fn check_not_last(account: UserId, administrators: &[UserId]) -> Result<(), Refusal> {
    if administrators == [account] { Err(Refusal::LastAdministrator) } else { Ok(()) }
}

/// Where an event stands among the largest; larger ones are greater. Its text is the cursor of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SizePosition {
    /// The bytes of its originals.
    pub bytes: i64,
    /// Tells events of one size apart.
    pub event: EventId,
}

impl std::fmt::Display for SizePosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.bytes, self.event)
    }
}

impl FromStr for SizePosition {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let (bytes, event) = text.split_once('.').ok_or(Refusal::CursorInvalid)?;
        let bytes = bytes.parse().map_err(|_| Refusal::CursorInvalid)?;
        let event = event.parse().map_err(|_| Refusal::CursorInvalid)?;
        Ok(Self { bytes, event })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::ids::Id as _;

    #[test]
    fn accounts_are_found_by_parts_of_address_and_name_whatever_their_case() {
        let search = |text: &str| AccountSearch::parse(text).unwrap().unwrap();
        let address = EmailAddress::parse("Meera.Kapoor@Example.com").unwrap();
        for text in ["meera", "KAPOOR@", "example.com", " कपूर ", "Ärzte"] {
            assert!(search(text).finds(&address, "मीरा कपूर, ÄRZTE"), "{text}");
        }
        let international = EmailAddress::parse("info@Müller.example").unwrap();
        for text in ["MU\u{308}LLER", "xn--mller-kva", "\u{feff}info@\u{200b}"] {
            assert!(search(text).finds(&international, ""), "{text}");
        }
        assert!(!search("ravi").finds(&address, "Meera"));
        assert_eq!(search("MEERA.kapoor@example.com").address().unwrap().key(), address.key());
        assert_eq!(search("meera").address(), None);
        assert_eq!(AccountSearch::parse(" \n"), Ok(None));
        assert_eq!(AccountSearch::parse(&"é".repeat(201)), Err(Refusal::AccountSearchTooLong));
        assert!(AccountSearch::parse(&"é".repeat(200)).is_ok());
    }

    #[test]
    fn a_reason_is_one_line_of_bounded_length() {
        assert_eq!(Reason::parse(" \t\n"), Err(Refusal::ReasonRequired));
        assert_eq!(Reason::parse(" Chargeback\nof May ").unwrap().as_str(), "Chargeback of May");
        assert!(Reason::parse(&"é".repeat(500)).is_ok());
        assert_eq!(Reason::parse(&"é".repeat(501)), Err(Refusal::ReasonTooLong));
    }

    #[test]
    fn a_key_is_a_uuid_in_whatever_form() {
        // [ADMIN043]
        let key: ChangeKey = "3F0C1E0A-77D5-4F7B-9D0C-8F6D6D3C5B11".parse().unwrap();
        assert_eq!(key.to_string(), "3f0c1e0a-77d5-4f7b-9d0c-8f6d6d3c5b11");
        for text in ["", "1", "3f0c1e0a-77d5-4f7b-9d0c-8f6d6d3c5b1"] {
            assert_eq!(text.parse::<ChangeKey>(), Err(Refusal::CreditsKeyInvalid), "{text}");
        }
    }

    #[test]
    fn neither_oneself_nor_the_last_administrator_can_be_locked() {
        // [ADMIN013] [ADMIN038]
        let user = |n| UserId::from_parts(Timestamp::from_millis(n), [0; 10]);
        let (meera, ravi, photographer) = (user(1), user(2), user(3));
        assert_eq!(check_lock(meera, Some(meera), &[meera, ravi]), Err(Refusal::LockingOneself));
        assert_eq!(check_lock(meera, None, &[meera]), Err(Refusal::LastAdministrator));
        for (account, by, administrators) in [
            (meera, Some(ravi), &[meera, ravi][..]),
            (meera, None, &[meera, ravi]),
            (photographer, None, &[meera]),
            (photographer, Some(meera), &[meera]),
            // It is locked already.
            (ravi, Some(meera), &[meera]),
        ] {
            assert_eq!(check_lock(account, by, administrators), Ok(()));
        }
    }

    #[test]
    fn positions_among_the_largest_round_trip_through_text() {
        let event = EventId::from_parts(Timestamp::from_millis(1), [7; 10]);
        let position = SizePosition { bytes: 5_000_000_000, event };
        assert_eq!(position.to_string().parse(), Ok(position));
        for text in ["", "5", "5.", ".x", "x.y", "5.0"] {
            assert_eq!(text.parse::<SizePosition>(), Err(Refusal::CursorInvalid), "{text}");
        }
    }
}
