//! Orders, and what they are for.

use std::time::Duration;

use crate::{CouponId, OrderId, Paise, Timestamp, UserId};

/// How many open orders an account may have.
pub const MAX_OPEN_ORDERS: i64 = 10;
/// For how long an order reserves the use of its coupon.
pub const COUPON_RESERVATION: Duration = Duration::from_secs(30 * 60);
/// How long after its creation an order is first reconciled: until then the browser and the webhook report its payment.
pub const FIRST_CHECK_AFTER: Duration = Duration::from_secs(5 * 60);
/// The longest interval between two checks of an open order.
pub const MAX_CHECK_INTERVAL: Duration = Duration::from_secs(3 * 60 * 60);
/// The shortest interval between two checks of an open order.
const MIN_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// When an order that was checked with the provider `now` is to be checked again: the older the order, the less likely a
/// payment, and the longer the interval.
pub fn next_check(created_at: Timestamp, now: Timestamp) -> Timestamp {
    now.plus((now.since(created_at) / 4).clamp(MIN_CHECK_INTERVAL, MAX_CHECK_INTERVAL))
}

/// What a payment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Credits for uploads.
    Credits,
    /// The premium plan, once.
    PremiumPlan,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Credits, Self::PremiumPlan];

    /// Its name in the contract and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credits => "credits",
            Self::PremiumPlan => "premium_plan",
        }
    }

    /// Parses the name in the contract and the database.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.as_str() == text)
    }
}

/// The state of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderStatus {
    /// No payment is known.
    Open,
    /// It is paid, and the account has received what it is for.
    Paid,
    /// It was abandoned; a payment that comes late still counts.
    Abandoned,
    /// The provider does not know it, or over another amount, or its coupon had no use left when it was paid; an operator
    /// has to decide. A payment that is found later still counts.
    Failed,
}

impl OrderStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Paid, Self::Abandoned, Self::Failed];

    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Abandoned => "abandoned",
            Self::Failed => "failed",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// An order of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its id; the provider's `receipt`.
    pub id: OrderId,
    /// The account that ordered.
    pub user: UserId,
    /// The payment provider.
    pub provider: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The amount to be paid, after the discount.
    pub amount: Paise,
    /// What a coupon took off the price.
    pub discount: Paise,
    /// The coupon.
    pub coupon: Option<CouponId>,
    /// Its state.
    pub status: OrderStatus,
    /// The provider's id; none until the provider has answered.
    pub provider_order_id: Option<String>,
    /// The provider's id of the payment.
    pub payment_id: Option<String>,
    /// What the payment added to the balance.
    pub credits_received: Paise,
    /// Whether it was the account's first recharge.
    pub was_first_recharge: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last checked with the provider.
    pub checked_at: Option<Timestamp>,
    /// When it was paid or abandoned, or failed.
    pub settled_at: Option<Timestamp>,
    /// Why it failed, for operators.
    pub failure: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_interval_grows_with_the_age_of_an_order() {
        let created = Timestamp::from_millis(0);
        let interval = |minutes: u64| {
            let now = created.plus(Duration::from_secs(minutes * 60));
            next_check(created, now).since(now).as_secs()
        };
        assert_eq!([1, 5, 60, 24 * 60, 72 * 60].map(interval), [60, 75, 900, 10_800, 10_800]);
        let (mut now, mut checks) = (created.plus(FIRST_CHECK_AFTER), 0);
        while now.since(created) < Duration::from_secs(4 * 24 * 60 * 60) {
            now = next_check(created, now);
            checks += 1;
        }
        assert!(checks < 60, "{checks} checks in four days");
    }

    #[test]
    fn stored_names_round_trip() {
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::parse(purpose.as_str()), Some(purpose));
        }
        for status in OrderStatus::ALL {
            assert_eq!(OrderStatus::from_stored(status.as_str()), Some(status));
        }
        assert_eq!(Purpose::parse("Credits"), None);
        assert_eq!(OrderStatus::from_stored(""), None);
    }
}
