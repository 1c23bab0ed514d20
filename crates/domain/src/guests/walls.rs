//! Walls: pages for a screen at the venue that show an event's photos as they arrive (decision 0090).

use std::fmt;

use crate::operations::runtime::randomness::ALPHABET;
use crate::{AlbumId, EventId, Randomness, Timestamp};

/// Characters of a secret: 99 random bits, which can be typed with the remote control of a television.
const SECRET_LENGTH: usize = 20;
/// How many photos a wall shows at most: the newest.
pub const PHOTOS: u32 = 2_000;

/// What the address of a wall, or of a client's selection, ends with. Whoever knows it sees the photos, so that nothing prints it; it
/// is kept as it is, since its photographer is shown the address again.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one, in small letters and digits none of which is easily mistaken for another.
    pub fn generate(randomness: &Randomness) -> Self {
        Self(randomness.alphanumeric(SECRET_LENGTH))
    }

    /// One as it stands in an address, where keyboards on screens write capital letters; none where none can be so.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let is_known = |byte| ALPHABET.contains(&byte);
        (text.len() == SECRET_LENGTH && text.bytes().all(is_known)).then_some(Self(text))
    }

    /// One that is stored.
    pub const fn from_trusted(text: String) -> Self {
        Self(text)
    }

    /// The text, for an address.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// The wall of an event, which has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Whose photos it shows.
    pub event: EventId,
    /// What its address ends with.
    pub secret: Secret,
    /// The album whose photos alone it shows; none for all of the event.
    pub album: Option<AlbumId>,
    /// When it was made.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_typed_in_any_case_and_printed_nowhere() {
        // [SAFE430] [GAL461]
        let secret = Secret::generate(&Randomness::seeded(5));
        assert_eq!(secret.reveal().len(), 20);
        assert_eq!(Secret::parse(&secret.reveal().to_uppercase()), Some(secret.clone()));
        assert_eq!(Secret::from_trusted(secret.reveal().to_owned()), secret);
        assert_ne!(secret, Secret::generate(&Randomness::seeded(6)));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        let cut = &secret.reveal()[1..];
        for text in
            ["", cut, &format!("x{}", secret.reveal()), &format!("1{cut}"), &format!("{}é", &cut[..18])]
        {
            assert_eq!(Secret::parse(text), None, "{text}");
        }
    }
}
