//! Coupons, which reduce a price.

use crate::operations::runtime::texts::{folded, trimmed};
use crate::{CouponId, Paise, Timestamp};

/// Longest code of a coupon, in Unicode code points.
pub const CODE_LENGTH: usize = 50;

/// By how much a coupon reduces a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discount {
    /// By a percentage of it, 1 to 100.
    Percent(i64),
    /// By a fixed amount.
    Fixed(Paise),
}

impl Discount {
    /// What it takes off `price`: never more than the price; a percentage is rounded down to whole paise.
    pub fn of(self, price: Paise) -> Paise {
        let off = match self {
            Self::Percent(percent) => {
                let hundredths = i128::from(price.get()) * i128::from(percent.clamp(0, 100));
                i64::try_from(hundredths / 100).map_or(price, Paise::new)
            }
            Self::Fixed(amount) => amount,
        };
        off.clamp(Paise::ZERO, price.max(Paise::ZERO))
    }
}

/// A coupon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupon {
    /// Its id.
    pub id: CouponId,
    /// What a customer enters, spelled as it was created; codes are compared without case.
    pub code: String,
    /// By how much it reduces a price.
    pub discount: Discount,
    /// Valid from this moment on.
    pub valid_from: Option<Timestamp>,
    /// Not valid from this moment on.
    pub valid_until: Option<Timestamp>,
    /// How often it can be used in all.
    pub max_uses: Option<i64>,
    /// How often one account can use it.
    pub max_uses_per_user: Option<i64>,
    /// How often it was used, including orders that are still open.
    pub uses: i64,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Coupon {
    /// Whether it cannot be used any more for what is paid at this moment.
    pub fn has_ended(&self, at: Timestamp) -> bool {
        self.valid_until.is_some_and(|until| at >= until)
    }

    /// Whether an account that has used it `own` times can use it once more.
    pub fn has_use_left(&self, own: i64) -> bool {
        self.max_uses.is_none_or(|max| self.uses < max) && self.max_uses_per_user.is_none_or(|max| own < max)
    }
}

/// Normalizes a code for comparison.
pub fn normalize_code(code: &str) -> String {
    folded(trimmed(code))
}

/// As versions before did.
pub fn former_code(code: &str) -> String {
    code.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discount_never_exceeds_the_price() {
        // [PAY076] [PAY080]
        let price = Paise::new(99_900);
        for (discount, off) in [
            (Discount::Percent(10), 9_990),
            (Discount::Percent(33), 32_967),
            (Discount::Percent(100), 99_900),
            (Discount::Percent(900), 99_900),
            (Discount::Percent(-5), 0),
            (Discount::Fixed(Paise::new(5_000)), 5_000),
            (Discount::Fixed(Paise::new(500_000)), 99_900),
            (Discount::Fixed(Paise::new(-1)), 0),
        ] {
            assert_eq!(discount.of(price), Paise::new(off), "{discount:?}");
        }
        assert_eq!(Discount::Percent(50).of(Paise::new(1)), Paise::ZERO);
        assert_eq!(Discount::Percent(100).of(Paise::new(i64::MAX)), Paise::new(i64::MAX));
    }

    #[test]
    fn a_coupon_ends_at_a_moment_and_after_so_many_uses() {
        // [PAY077] [PAY078]
        let at = Timestamp::from_millis;
        let coupon = Coupon {
            id: "01936d2e-0000-7000-8000-000000000001".parse().unwrap(),
            code: String::from("NY"),
            discount: Discount::Percent(10),
            valid_from: Some(at(10)),
            valid_until: Some(at(20)),
            max_uses: Some(2),
            max_uses_per_user: Some(1),
            uses: 1,
            created_at: at(0),
        };
        assert_eq!([9, 19, 20].map(|moment| coupon.has_ended(at(moment))), [false, false, true]);
        assert!(coupon.has_use_left(0) && !coupon.has_use_left(1));
        assert!(!Coupon { uses: 2, ..coupon.clone() }.has_use_left(0));
        let unlimited = Coupon { valid_until: None, max_uses: None, uses: 99, ..coupon };
        assert!(!unlimited.has_ended(at(i64::MAX)) && unlimited.has_use_left(0));
    }

    #[test]
    fn codes_compare_without_case() {
        // [PAY075]
        assert_eq!(normalize_code(" Diwali26 "), normalize_code("DIWALI26"));
        assert_eq!(normalize_code("\u{feff}GRU\u{308}SSE\u{200b}"), normalize_code("Grüße"));
    }
}
