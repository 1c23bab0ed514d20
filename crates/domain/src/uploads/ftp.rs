//! Logins by which cameras send the photos of an event over FTP.

use std::fmt;
use std::time::Duration;

use crate::Randomness;
use crate::accounts::tokens::{self, TokenHash};

/// Characters of a login's name.
const NAME_LENGTH: usize = 8;
/// Characters of a password: 59 random bits, which can be typed on a camera.
const PASSWORD_LENGTH: usize = 12;
/// A use is recorded only this long after the one before, so that not every photo writes.
pub const RECORD_USE_AFTER: Duration = Duration::from_secs(60);

/// What a camera logs in with, when it is made.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The name. It is random too: whoever does not know it cannot even try passwords for it.
    pub name: String,
    /// The password, which only its owner is told.
    pub password: String,
}

impl Credentials {
    /// New ones, in small letters and digits none of which is easily mistaken for another.
    pub fn generate(randomness: &Randomness) -> Self {
        let name = randomness.alphanumeric(NAME_LENGTH);
        Self { name, password: randomness.alphanumeric(PASSWORD_LENGTH) }
    }

    /// The hash under which the password is stored.
    pub fn hash(&self) -> TokenHash {
        hash(&self.name, &self.password)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Credentials(…)")
    }
}

/// The hash of a password under the name that it belongs to.
pub fn hash(name: &str, password: &str) -> TokenHash {
    tokens::hash_token(&format!("ftp {name} {password}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_can_be_typed_and_are_printed_nowhere() {
        // [FTP002]
        let made = Credentials::generate(&Randomness::seeded(3));
        for (text, length) in [(&made.name, 8), (&made.password, 12)] {
            assert_eq!(text.len(), length);
            assert!(text.bytes().all(|byte| b"abcdefghjkmnpqrstuvwxyz23456789".contains(&byte)), "{text}");
        }
        assert_ne!(made, Credentials::generate(&Randomness::seeded(4)));
        assert_eq!(format!("{made:?}"), "Credentials(…)");
        assert_eq!(made.hash(), hash(&made.name, &made.password));
        assert_ne!(made.hash(), hash("another", &made.password));
    }
}
