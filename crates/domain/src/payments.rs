//! Payments that were captured, and their refunds.

use crate::{OrderId, Paise, RefundId, Timestamp, UserId};

/// What a captured payment bought, or why it bought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bought {
    /// Credits.
    Credits,
    /// The premium plan.
    PremiumPlan,
    /// Nothing: another payment had paid for the order.
    OrderWasPaid,
    /// Nothing: the account had the premium plan.
    HadPremium,
    /// Nothing: the account was closed.
    AccountClosed,
    /// Nothing: it is not over the order's amount.
    AmountDiffers,
}

impl Bought {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Credits,
        Self::PremiumPlan,
        Self::OrderWasPaid,
        Self::HadPremium,
        Self::AccountClosed,
        Self::AmountDiffers,
    ];

    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credits => "credits",
            Self::PremiumPlan => "premium_plan",
            Self::OrderWasPaid => "order_was_paid",
            Self::HadPremium => "had_premium",
            Self::AccountClosed => "account_closed",
            Self::AmountDiffers => "amount_differs",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bought| bought.as_str() == text)
    }

    /// Why a refund is due, for operators; none when the payment bought something.
    pub const fn refund_reason(self) -> Option<&'static str> {
        match self {
            Self::Credits | Self::PremiumPlan => None,
            Self::OrderWasPaid => Some("the order was paid already"),
            Self::HadPremium => Some("the account had the premium plan"),
            Self::AccountClosed => Some("the account was closed"),
            Self::AmountDiffers => Some("the amount is not the order's"),
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
    pub bought: Bought,
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

    /// Whether news of `next` changes a refund in this state: reports arrive in any order, and the last states stay.
    pub const fn becomes(self, next: Self) -> bool {
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
    fn names_are_parsed_back() {
        for bought in Bought::ALL {
            assert_eq!(Bought::from_stored(bought.as_str()), Some(bought));
        }
        for status in RefundStatus::ALL {
            assert_eq!(RefundStatus::from_stored(status.as_str()), Some(status));
        }
        assert_eq!((Bought::from_stored("gift"), RefundStatus::from_stored("")), (None, None));
    }

    #[test]
    fn a_refund_only_moves_on() {
        use RefundStatus::{Failed, Pending, Processed, Requested};
        for (now, next) in [
            (Requested, Pending),
            (Requested, Processed),
            (Requested, Failed),
            (Pending, Processed),
            (Pending, Failed),
            (Processed, Failed),
        ] {
            assert!(now.becomes(next), "{now:?} {next:?}");
            assert!(!next.becomes(now), "{next:?} {now:?}");
        }
        for status in RefundStatus::ALL {
            assert!(!status.becomes(status));
        }
    }

    #[test]
    fn what_bought_nothing_has_a_reason_to_be_refunded() {
        let due: Vec<_> = Bought::ALL.into_iter().filter(|bought| bought.refund_reason().is_some()).collect();
        assert_eq!(
            due,
            [Bought::OrderWasPaid, Bought::HadPremium, Bought::AccountClosed, Bought::AmountDiffers]
        );
    }
}
