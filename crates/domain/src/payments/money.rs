//! Money: whole paise, never a fraction.

use serde::{Deserialize, Serialize};

use crate::Refusal;

/// An amount of Indian paise; 100 paise are one rupee, which is one credit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Paise(i64);

/// What one photo costs.
pub const PHOTO_PRICE: Paise = Paise::from_rupees(1);
/// What the premium plan costs, once.
pub const PREMIUM_PRICE: Paise = Paise::from_rupees(999);
/// The smallest payment.
pub const ORDER_MIN: Paise = Paise::from_rupees(1);
/// The largest payment.
pub const ORDER_MAX: Paise = Paise::from_rupees(500_000);
/// The free credits of a new account.
pub const SIGNUP_CREDIT: Paise = Paise::from_rupees(100);

impl Paise {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// From an amount of paise.
    pub const fn new(paise: i64) -> Self {
        Self(paise)
    }

    /// From whole rupees.
    pub const fn from_rupees(rupees: i64) -> Self {
        Self(rupees * 100)
    }

    /// From a number of rupees, rounded to paise.
    ///
    /// # Errors
    /// [`Refusal::AmountInvalid`] when it is not finite, negative, or above ten million rupees.
    pub fn from_rupees_rounded(rupees: f64) -> Result<Self, Refusal> {
        if !(0.0..=10_000_000.0).contains(&rupees) {
            return Err(Refusal::AmountInvalid);
        }
        #[allow(clippy::cast_possible_truncation, reason = "bounded above")]
        let paise = (rupees * 100.0).round() as i64;
        Ok(Self(paise))
    }

    /// The amount of paise.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum; none when it overflows.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The same amount with the other sign.
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// Rupees as the contract's JSON number: at most two decimals, exact for every amount below 2^53 paise.
    #[allow(clippy::cast_precision_loss, reason = "balances are far below 2^53 paise")]
    pub fn as_rupees(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

impl std::fmt::Display for Paise {
    /// Rupees with two decimals, such as `-12.05`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let paise = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", paise / 100, paise % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn constants_match_the_specification() {
        // [CONST001] [CONST002] [CONST003] [CONST005] [PAY032]
        assert_eq!(PHOTO_PRICE, Paise::new(100));
        assert_eq!(SIGNUP_CREDIT, Paise::new(10_000));
        assert_eq!(PREMIUM_PRICE, Paise::new(99_900));
        assert_eq!((ORDER_MIN, ORDER_MAX), (Paise::new(100), Paise::new(50_000_000)));
    }

    proptest! {
        #[test]
        fn rupees_have_at_most_two_decimals(paise in -9_000_000_000_000_i64..9_000_000_000_000) {
            // [PAY033]
            let text = serde_json::to_string(&Paise::new(paise).as_rupees()).unwrap();
            let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            prop_assert!(decimals <= 2, "{text}");
            let back: f64 = text.parse().unwrap();
            #[allow(clippy::cast_possible_truncation, reason = "the range above")]
            let paise_again = (back * 100.0).round() as i64;
            prop_assert_eq!(paise_again, paise);
        }
    }

    #[test]
    fn rupees_are_rounded_to_paise_and_bounded() {
        assert_eq!(Paise::from_rupees_rounded(19.99), Ok(Paise::new(1_999)));
        for invalid in [-0.01, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(Paise::from_rupees_rounded(invalid), Err(Refusal::AmountInvalid), "{invalid}");
        }
    }

    #[test]
    fn display_shows_rupees() {
        assert_eq!(Paise::new(-1_205).to_string(), "-12.05");
        assert_eq!(Paise::new(7).to_string(), "0.07");
    }
}
