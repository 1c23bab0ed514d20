//! Orders: what a person set out to pay for.

use crate::{CouponId, OrderId, Paise, Timestamp, UserId};

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

    /// As the contract and the database spell it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credits => "credits",
            Self::PremiumPlan => "premium_plan",
        }
    }

    /// Reads the contract's and the database's spelling.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.as_str() == text)
    }
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderStatus {
    /// Nothing is known to be paid.
    Open,
    /// It is paid, and what it is for was given.
    Paid,
    /// It was abandoned; a payment that comes late still counts.
    Abandoned,
}

impl OrderStatus {
    /// As the database spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Abandoned => "abandoned",
        }
    }

    /// Reads the database's spelling.
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Open, Self::Paid, Self::Abandoned].into_iter().find(|status| status.as_str() == text)
    }
}

/// An order of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its id; the provider's `receipt`.
    pub id: OrderId,
    /// Whose it is.
    pub user: UserId,
    /// Which provider takes the money.
    pub provider: String,
    /// What it is for.
    pub purpose: Purpose,
    /// What is to be paid, after the discount.
    pub amount: Paise,
    /// What a coupon took off the price.
    pub discount: Paise,
    /// The coupon.
    pub coupon: Option<CouponId>,
    /// How far it is.
    pub status: OrderStatus,
    /// The provider's id; none until the provider has answered.
    pub provider_order_id: Option<String>,
    /// The provider's id of the payment.
    pub payment_id: Option<String>,
    /// What the payment added to the balance.
    pub credits_received: Paise,
    /// Whether it was the account's first recharge.
    pub was_first_recharge: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was paid or abandoned.
    pub settled_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_read_back() {
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::parse(purpose.as_str()), Some(purpose));
        }
        for status in [OrderStatus::Open, OrderStatus::Paid, OrderStatus::Abandoned] {
            assert_eq!(OrderStatus::from_stored(status.as_str()), Some(status));
        }
        assert_eq!(Purpose::parse("Credits"), None);
        assert_eq!(OrderStatus::from_stored(""), None);
    }
}
