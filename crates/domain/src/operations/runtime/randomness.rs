//! The source of randomness.

use std::sync::{Arc, Mutex};

use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};

use crate::Clock;
use crate::accounts::tokens;
use crate::ids::Id;

/// The characters of slugs and other random texts: no vowels but a and e, and none that is easily mistaken for another.
pub(crate) const ALPHABET: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";

/// The source of random bits.
#[derive(Clone)]
pub enum Randomness {
    /// The operating system's cryptographic generator.
    System,
    /// The same bits in every run, so that a test can compare ids and slugs.
    Seeded(Arc<Mutex<StdRng>>),
}

impl std::fmt::Debug for Randomness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::System => "Randomness::System",
            Self::Seeded(_) => "Randomness::Seeded",
        })
    }
}

impl Randomness {
    /// A generator that is determined by `seed`.
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// Random bytes.
    ///
    /// # Panics
    /// When the operating system's generator fails: nothing would be secret any more.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Self::System => {
                SysRng.try_fill_bytes(&mut bytes).expect("the operating system's generator works");
            }
            Self::Seeded(generator) => {
                generator.lock().unwrap_or_else(std::sync::PoisonError::into_inner).fill_bytes(&mut bytes);
            }
        }
        bytes
    }

    /// A new identifier.
    pub fn id<I: Id>(&self, clock: &Clock) -> I {
        I::from_parts(clock.now(), self.bytes())
    }

    /// A new secret of 256 bits, for sessions and links.
    pub fn token(&self) -> tokens::Token {
        tokens::Token::from_bytes(self.bytes())
    }

    /// `length` random characters of `ALPHABET`, each equally likely: about 4.95 bits a character.
    pub fn alphanumeric(&self, length: usize) -> String {
        let unbiased = (256 / ALPHABET.len()) * ALPHABET.len();
        let mut text = String::with_capacity(length);
        let mut push = |byte: u8| {
            if text.len() < length && usize::from(byte) < unbiased {
                text.push(char::from(ALPHABET[usize::from(byte) % ALPHABET.len()]));
            }
            text.len() < length
        };
        // Each request has such a text, and the system is asked once for several characters.
        while match self {
            Self::System => self.bytes::<20>().into_iter().all(&mut push),
            Self::Seeded(_) => self.bytes::<1>().into_iter().all(&mut push),
        } {}
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeded_randomness_repeats_and_system_randomness_does_not() {
        assert_eq!(Randomness::seeded(7).bytes::<16>(), Randomness::seeded(7).bytes::<16>());
        assert_ne!(Randomness::System.bytes::<16>(), Randomness::System.bytes::<16>());
    }

    #[test]
    fn random_texts_use_the_whole_alphabet_and_nothing_else() {
        let text = Randomness::seeded(1).alphanumeric(4_000);
        assert!(text.bytes().all(|byte| ALPHABET.contains(&byte)));
        assert!(ALPHABET.iter().all(|byte| text.as_bytes().contains(byte)));
    }
}
