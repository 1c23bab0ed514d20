//! API tokens: by which programs act for a photographer.

use std::time::Duration;

use crate::accounts::tokens::Token;
use crate::operations::runtime::texts;
use crate::{DAY, Refusal};

/// How each of them begins, so that those who look for secrets in published files know it.
const PREFIX: &str = "afterglow_";
/// Longest name of a token, in Unicode code points.
pub const NAME_LENGTH: usize = 100;
/// How many an account has at most.
pub const PER_ACCOUNT: usize = 50;
/// For how many days a token that expires may be good, and so may the login of a camera.
pub const LIFETIME_DAYS: u32 = 3_650;
/// For how many days either is good where nothing is said.
const USUAL_LIFETIME_DAYS: u32 = 365;
/// A use is recorded only this long after the one before, so that not every request writes.
pub const RECORD_USE_AFTER: Duration = Duration::from_secs(60);

/// What a token opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The calls that an upload needs.
    Upload,
    /// What its photographer can do, but for what needs a login.
    All,
}

impl Scope {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Upload, Self::All];

    /// Its name, in the database and for callers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::All => "all",
        }
    }

    /// The scope of a name.
    pub fn from_stored(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }

    /// Parses a name that a caller gives.
    ///
    /// # Errors
    /// [`Refusal::ApiTokenScopeUnknown`]
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        Self::from_stored(name.trim()).ok_or(Refusal::ApiTokenScopeUnknown)
    }
}

/// What a call asks of whoever makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It belongs to an upload: every token does.
    Upload,
    /// A token for everything.
    All,
    /// A session, which a password has opened.
    Session,
}

impl Reach {
    /// Checks that a token of this scope suffices.
    ///
    /// # Errors
    /// [`Refusal::SessionRequired`], or [`Refusal::ApiTokenForUploads`].
    pub const fn check(self, scope: Scope) -> Result<(), Refusal> {
        match (self, scope) {
            (Self::Upload, _) | (Self::All, Scope::All) => Ok(()),
            (Self::All, Scope::Upload) => Err(Refusal::ApiTokenForUploads),
            (Self::Session, _) => Err(Refusal::SessionRequired),
        }
    }
}

/// The text that its owner holds, once.
pub fn reveal(token: &Token) -> String {
    format!("{PREFIX}{}", token.reveal())
}

/// Whether a text that a caller presents is meant as an API token.
pub fn is_one(presented: &str) -> bool {
    presented.starts_with(PREFIX)
}

/// Parses the name of a token: not empty after trimming, at most 100 characters.
///
/// # Errors
/// [`Refusal::ApiTokenNameRequired`] or [`Refusal::ApiTokenNameTooLong`].
pub fn parse_name(text: &str) -> Result<String, Refusal> {
    let name = texts::one_line(text);
    if name.is_empty() {
        Err(Refusal::ApiTokenNameRequired)
    } else if name.chars().count() > NAME_LENGTH {
        Err(Refusal::ApiTokenNameTooLong)
    } else {
        Ok(name)
    }
}

/// For how long something is good that outlives a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lifetime {
    /// A year: nothing was said.
    #[default]
    Usual,
    /// So many days.
    Days(i64),
    /// Until somebody ends it, on purpose.
    Endless,
}

impl Lifetime {
    /// The duration; none where it does not end by itself.
    ///
    /// # Errors
    /// [`Refusal::ApiTokenLifetimeInvalid`]
    pub fn parse(self) -> Result<Option<Duration>, Refusal> {
        match self {
            Self::Usual => Ok(Some(DAY.saturating_mul(USUAL_LIFETIME_DAYS))),
            Self::Days(days) => {
                let days = u32::try_from(days).ok().filter(|days| (1..=LIFETIME_DAYS).contains(days));
                days.map(|days| Some(DAY.saturating_mul(days))).ok_or(Refusal::ApiTokenLifetimeInvalid)
            }
            Self::Endless => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_how_it_begins() {
        // [AUTH132]
        let text = reveal(&Token::from_bytes([7; 32]));
        assert_eq!(text.len(), "afterglow_".len() + 43);
        assert!(is_one(&text));
        assert!(!is_one(&Token::from_bytes([7; 32]).reveal()));
    }

    #[test]
    fn a_scope_reaches_its_calls_alone() {
        // [AUTH121] [AUTH135]
        let table = [
            (Reach::Upload, Scope::Upload, Ok(())),
            (Reach::Upload, Scope::All, Ok(())),
            (Reach::All, Scope::Upload, Err(Refusal::ApiTokenForUploads)),
            (Reach::All, Scope::All, Ok(())),
            (Reach::Session, Scope::Upload, Err(Refusal::SessionRequired)),
            (Reach::Session, Scope::All, Err(Refusal::SessionRequired)),
        ];
        for (reach, scope, expected) in table {
            assert_eq!(reach.check(scope), expected, "{reach:?} by {scope:?}");
        }
    }

    #[test]
    fn what_is_asked_of_a_new_token_is_checked() {
        // [AUTH119] [AUTH123]
        assert_eq!(parse_name("  Lightroom\n at home ").unwrap(), "Lightroom  at home");
        assert_eq!(parse_name(" \n"), Err(Refusal::ApiTokenNameRequired));
        assert_eq!(parse_name(&"é".repeat(100)).unwrap().chars().count(), 100);
        assert_eq!(parse_name(&"é".repeat(101)), Err(Refusal::ApiTokenNameTooLong));
        assert_eq!(Scope::parse(" upload "), Ok(Scope::Upload));
        assert_eq!(Scope::parse("all"), Ok(Scope::All));
        assert_eq!(Scope::parse("admin"), Err(Refusal::ApiTokenScopeUnknown));
        assert_eq!(Lifetime::default().parse(), Ok(Some(DAY * 365)));
        assert_eq!(Lifetime::Endless.parse(), Ok(None));
        assert_eq!(Lifetime::Days(1).parse(), Ok(Some(DAY)));
        assert_eq!(Lifetime::Days(3_650).parse(), Ok(Some(DAY * 3_650)));
        for days in [-1, 0, 3_651, i64::MAX] {
            assert_eq!(Lifetime::Days(days).parse(), Err(Refusal::ApiTokenLifetimeInvalid), "{days}");
        }
    }
}
