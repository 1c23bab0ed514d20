//! Passkeys: credentials of WebAuthn, as second factors beside the password (decision 0070).

use std::time::Duration;

use crate::Refusal;
use crate::operations::runtime::texts;

/// How many an account has at most.
pub const PER_ACCOUNT: usize = 10;
/// Longest name of a passkey, in Unicode code points.
pub const NAME_LENGTH: usize = 100;
/// For how long a challenge waits for its answer: a person looks for the key first.
pub const CHALLENGE_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// What a challenge is answered for: an answer for one is none for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A new passkey.
    Registration,
    /// A login, after the right password.
    Login,
    /// The question that administration asks a session.
    Administration,
}

impl Purpose {
    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Registration => "registration",
            Self::Login => "login",
            Self::Administration => "administration",
        }
    }
}

/// Parses the name of a passkey: not empty after trimming, at most 100 characters.
///
/// # Errors
/// [`Refusal::PasskeyNameRequired`] or [`Refusal::PasskeyNameTooLong`].
pub fn parse_name(text: &str) -> Result<String, Refusal> {
    let name = texts::one_line(text);
    if name.is_empty() {
        Err(Refusal::PasskeyNameRequired)
    } else if name.chars().count() > NAME_LENGTH {
        Err(Refusal::PasskeyNameTooLong)
    } else {
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_of_1_to_100_characters() {
        assert_eq!(parse_name("  My phone\n "), Ok(String::from("My phone")));
        assert_eq!(parse_name(" \t"), Err(Refusal::PasskeyNameRequired));
        assert!(parse_name(&"ल".repeat(100)).is_ok());
        assert_eq!(parse_name(&"ल".repeat(101)), Err(Refusal::PasskeyNameTooLong));
    }
}
