//! Orders, and what they are for.

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
}

impl OrderStatus {
    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Abandoned => "abandoned",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Open, Self::Paid, Self::Abandoned].into_iter().find(|status| status.as_str() == text)
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
    /// When it was paid or abandoned.
    pub settled_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_back() {
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
