//! Payments that were captured, and their refunds.

pub mod billing;
pub mod coupons;
pub mod gst;
pub mod history;
pub mod invoices;
pub mod ledger;
pub mod money;
pub mod orders;

use crate::{OrderId, Paise, RefundId, Timestamp, UserId};

/// What a captured payment bought, or why it bought nothing and is to be refunded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentOutcome {
    /// Credits.
    Credits,
    /// The premium plan.
    PremiumPlan,
    /// Nothing: another payment has paid for the order.
    OrderAlreadyPaid,
    /// Nothing: the account had the premium plan.
    AlreadyPremium,
    /// Nothing: the account was closed.
    AccountClosed,
    /// Nothing: it is not over the order's amount.
    AmountMismatch,
    /// Nothing: the coupon of its order had no use left, or had ended.
    CouponUsedUp,
}

impl PaymentOutcome {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Credits,
        Self::PremiumPlan,
        Self::OrderAlreadyPaid,
        Self::AlreadyPremium,
        Self::AccountClosed,
        Self::AmountMismatch,
        Self::CouponUsedUp,
    ];

    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credits => "credits",
            Self::PremiumPlan => "premium_plan",
            Self::OrderAlreadyPaid => "order_was_paid",
            Self::AlreadyPremium => "had_premium",
            Self::AccountClosed => "account_closed",
            Self::AmountMismatch => "amount_differs",
            Self::CouponUsedUp => "coupon_used_up",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == text)
    }

    /// Why a refund is due, for operators; none when the payment bought something.
    pub const fn refund_reason(self) -> Option<&'static str> {
        match self {
            Self::Credits | Self::PremiumPlan => None,
            Self::OrderAlreadyPaid => Some("the order was paid already"),
            Self::AlreadyPremium => Some("the account had the premium plan"),
            Self::AccountClosed => Some("the account was closed"),
            Self::AmountMismatch => Some("the amount is not the order's"),
            Self::CouponUsedUp => Some("the coupon had no use left"),
        }
    }
}

/// A captured payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The payment provider.
    pub provider: String,
    /// The provider's id.
    pub payment_id: String,
    /// The order for which it was made.
    pub order: OrderId,
    /// The account that ordered.
    pub user: UserId,
    /// What was paid.
    pub amount: Paise,
    /// What it bought.
    pub outcome: PaymentOutcome,
    /// What it added to the balance.
    pub credits: Paise,
    /// When it was credited, or found to buy nothing.
    pub captured_at: Timestamp,
}

/// The state of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefundStatus {
    /// The provider is to be asked, or its answer was lost.
    Requested,
    /// The provider has accepted it.
    Pending,
    /// The money is on its way to the customer.
    Processed,
    /// It was refused, or the money could not be returned. What it took from the balance is given back.
    Failed,
}

impl RefundStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Requested, Self::Pending, Self::Processed, Self::Failed];

    /// Its name in the contract and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Pending => "pending",
            Self::Processed => "processed",
            Self::Failed => "failed",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether it returns money, so that what that bought is taken back.
    pub const fn returns_money(self) -> bool {
        matches!(self, Self::Pending | Self::Processed)
    }

    /// Whether a report of `next` changes a refund in this state: reports arrive in any order, and the last states stay.
    pub const fn can_become(self, next: Self) -> bool {
        match self {
            Self::Requested => !matches!(next, Self::Requested),
            Self::Pending => matches!(next, Self::Processed | Self::Failed),
            // A refund that was sent may still come back.
            Self::Processed => matches!(next, Self::Failed),
            Self::Failed => false,
        }
    }
}

/// A refund of one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// Its id, and the idempotency key at the provider.
    pub id: RefundId,
    /// The payment provider.
    pub provider: String,
    /// The provider's id of the payment.
    pub payment_id: String,
    /// The provider's id of the refund; none until it has answered.
    pub refund_id: Option<String>,
    /// What is returned.
    pub amount: Paise,
    /// Its state.
    pub status: RefundStatus,
    /// Why it failed.
    pub failure: Option<String>,
    /// What it took from the balance.
    pub credits_taken: Paise,
    /// What it should have taken and the balance did not hold.
    pub credits_missing: Paise,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub settled_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_round_trip() {
        for outcome in PaymentOutcome::ALL {
            assert_eq!(PaymentOutcome::from_stored(outcome.as_str()), Some(outcome));
        }
        for status in RefundStatus::ALL {
            assert_eq!(RefundStatus::from_stored(status.as_str()), Some(status));
        }
        assert_eq!((PaymentOutcome::from_stored("gift"), RefundStatus::from_stored("")), (None, None));
    }

    #[test]
    fn a_refund_never_returns_to_an_earlier_state() {
        use RefundStatus::{Failed, Pending, Processed, Requested};
        for (now, next) in [
            (Requested, Pending),
            (Requested, Processed),
            (Requested, Failed),
            (Pending, Processed),
            (Pending, Failed),
            (Processed, Failed),
        ] {
            assert!(now.can_become(next), "{now:?} {next:?}");
            assert!(!next.can_become(now), "{next:?} {now:?}");
        }
        for status in RefundStatus::ALL {
            assert!(!status.can_become(status));
        }
    }

    #[test]
    fn an_outcome_without_a_purchase_has_a_refund_reason() {
        let due: Vec<_> =
            PaymentOutcome::ALL.into_iter().filter(|outcome| outcome.refund_reason().is_some()).collect();
        assert_eq!(
            due,
            [
                PaymentOutcome::OrderAlreadyPaid,
                PaymentOutcome::AlreadyPremium,
                PaymentOutcome::AccountClosed,
                PaymentOutcome::AmountMismatch,
                PaymentOutcome::CouponUsedUp,
            ]
        );
    }
}
