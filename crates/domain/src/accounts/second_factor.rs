//! A second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for the day on which it is lost.

use std::fmt;
use std::time::Duration;

use crate::accounts::tokens::{self, TokenHash};
use crate::{Randomness, Timestamp, UserId};

/// Bytes of a secret: as long as the SHA-1 with which its codes are made (RFC 4226, 4).
pub const SECRET_LENGTH: usize = 20;
/// Seconds for which a code is shown.
pub const PERIOD_SECONDS: u64 = 30;
/// Digits of a code.
pub const DIGITS: usize = 6;
/// How many recovery codes there are at first.
pub const RECOVERY_CODES: usize = 10;
/// Characters of a recovery code: 59 random bits.
const RECOVERY_LENGTH: usize = 12;
/// For how long a secret waits to be confirmed: a person installs the app first.
pub const SET_UP_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// For how long administration is open after a code.
pub const ADMINISTRATION_OPEN: Duration = Duration::from_secs(12 * 60 * 60);

/// What is entered as a second factor.
#[derive(Clone, PartialEq, Eq)]
pub enum Code {
    /// Of an authenticator app.
    Digits(String),
    /// One of the recovery codes.
    Recovery(String),
}

impl Code {
    /// Reads it as people write it, with spaces and dashes; none for what can be neither.
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        if text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) {
            Some(Self::Digits(text))
        } else if text.len() == RECOVERY_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            Some(Self::Recovery(text.to_ascii_lowercase()))
        } else {
            None
        }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Code(…)")
    }
}

/// The step of a moment: codes change with it.
pub fn step(now: Timestamp) -> i64 {
    now.as_millis().div_euclid(1_000).div_euclid(i64::try_from(PERIOD_SECONDS).unwrap_or(i64::MAX))
}

/// The steps whose codes are taken at a moment: that of now, and one to either side, since clocks differ and people take their
/// time.
pub fn steps(now: Timestamp) -> [i64; 3] {
    let step = step(now);
    [step, step - 1, step + 1]
}

/// New recovery codes, as they are written down: in small letters and digits none of which is easily mistaken for another.
pub fn recovery_codes(randomness: &Randomness) -> Vec<String> {
    let code = || {
        let text = randomness.alphanumeric(RECOVERY_LENGTH);
        let (first, rest) = text.split_at(RECOVERY_LENGTH / 3);
        let (second, third) = rest.split_at(RECOVERY_LENGTH / 3);
        format!("{first}-{second}-{third}")
    };
    (0..RECOVERY_CODES).map(|_| code()).collect()
}

/// The hash under which a recovery code of an account is stored, whatever its dashes.
pub fn recovery_hash(user: UserId, code: &str) -> TokenHash {
    let code: String = code.chars().filter(|c| *c != '-').collect();
    tokens::hash_token(&format!("recovery {user} {code}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id;

    #[test]
    fn codes_are_read_as_people_write_them() {
        // [AUTH207]
        let digits = Some(Code::Digits(String::from("012345")));
        for text in ["012345", " 012 345\n", "012-345"] {
            assert_eq!(Code::parse(text), digits, "{text}");
        }
        let recovery = Some(Code::Recovery(String::from("abcd2345efgh")));
        for text in ["abcd-2345-efgh", "ABCD 2345 EFGH", "abcd2345efgh"] {
            assert_eq!(Code::parse(text), recovery, "{text}");
        }
        for text in ["", "12345", "1234567", "１２３４５６", "abcd-2345-efg", "abcd-2345-efgé"] {
            assert_eq!(Code::parse(text), None, "{text}");
        }
        assert_eq!(format!("{:?}", Code::parse("012345").unwrap()), "Code(…)");
    }

    #[test]
    fn a_code_is_good_for_its_step_and_one_to_either_side() {
        // [AUTH206]
        let at = |seconds: i64| steps(Timestamp::from_millis(seconds * 1_000));
        assert_eq!(at(0), [0, -1, 1]);
        assert_eq!(at(29), [0, -1, 1]);
        assert_eq!(at(30), [1, 0, 2]);
        assert_eq!(at(59), [1, 0, 2]);
    }

    #[test]
    fn recovery_codes_differ_and_belong_to_one_account() {
        // [AUTH207]
        let codes = recovery_codes(&Randomness::seeded(3));
        assert_eq!(codes.len(), 10);
        let user = |n: u8| UserId::from_parts(Timestamp::from_millis(0), [n; 10]);
        let mut hashes: Vec<_> = codes.iter().map(|code| recovery_hash(user(1), code)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 10);
        assert_eq!(codes[0].len(), 14);
        let Some(Code::Recovery(read)) = Code::parse(&codes[0].to_uppercase()) else {
            panic!("{}", codes[0])
        };
        assert_eq!(recovery_hash(user(1), &read), recovery_hash(user(1), &codes[0]));
        assert_ne!(recovery_hash(user(2), &read), recovery_hash(user(1), &codes[0]));
    }
}
