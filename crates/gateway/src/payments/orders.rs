//! Orders and payments as the provider keeps them.

use std::collections::BTreeMap;

use domain::{Paise, Timestamp};

/// The smallest amount of an order.
pub const ORDER_MIN: Paise = Paise::from_rupees(1);
/// Longest receipt, in characters.
pub const RECEIPT_LENGTH: usize = 40;
/// Most notes of an order.
pub const NOTES: usize = 15;
/// Longest name or text of a note, in characters.
pub const NOTE_LENGTH: usize = 256;

/// Prefix of the sandbox's order ids. Razorpay's have no second underscore.
pub(super) const SANDBOX_ORDER: &str = "order_sandbox_";
/// Longest id that is accepted; Razorpay's have 20 characters.
const ID_LENGTH: usize = 64;

/// An order as the provider keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderOrder {
    /// The provider's id, `order_…`.
    pub id: String,
    /// The amount to be paid.
    pub amount: Paise,
    /// The caller's own id of it.
    pub receipt: String,
}

/// The state of an order, with the payments for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderState {
    /// The amount to be paid; the sandbox does not keep it.
    pub amount: Option<Paise>,
    /// Whether somebody has tried to pay. Without an attempt no payment can arrive late.
    pub attempted: bool,
    /// The payments in Indian rupees that are authorised or captured, oldest first.
    pub payments: Vec<ProviderPayment>,
}

impl OrderState {
    /// The payments that are captured, oldest first, those that were refunded since included.
    pub fn captured(&self) -> impl Iterator<Item = &ProviderPayment> {
        self.payments.iter().filter(|payment| payment.is_captured)
    }

    /// The oldest payment that waits for its capture.
    pub fn authorised(&self) -> Option<&ProviderPayment> {
        self.payments.iter().find(|payment| !payment.is_captured)
    }
}

/// A payment that is authorised or captured, with its refunds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderPayment {
    /// The provider's id, `pay_…`.
    pub payment_id: String,
    /// What was paid, in Indian rupees; compare it with the order's own amount.
    pub amount: Paise,
    /// Whether it is captured. One that is only authorised is not received yet: the provider refunds it when nobody
    /// captures it.
    pub is_captured: bool,
    /// When it was made; the sandbox does not keep it.
    pub made_at: Option<Timestamp>,
    /// Its refunds, oldest first.
    pub refunds: Vec<ProviderRefund>,
}

/// A payment in the provider's list of all payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPayment {
    /// The provider's id, `pay_…`.
    pub payment_id: String,
    /// The order that it pays for, `order_…`.
    pub order_id: String,
    /// What was paid, in Indian rupees.
    pub amount: Paise,
    /// Whether it is captured, refunded since or not.
    pub is_captured: bool,
    /// What of it was refunded.
    pub refunded: Paise,
}

/// An order in the provider's list of all orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOrder {
    /// The provider's id, `order_…`.
    pub order_id: String,
    /// The amount to be paid, in Indian rupees.
    pub amount: Paise,
    /// The caller's own id of it.
    pub receipt: Option<String>,
    /// The caller's notes.
    pub notes: BTreeMap<String, String>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// How far a refund is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundState {
    /// The provider has accepted it.
    Pending,
    /// The money is on its way to the customer.
    Processed,
    /// The provider could not return the money.
    Failed,
}

/// A refund as the provider keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderRefund {
    /// The provider's id, `rfnd_…`.
    pub refund_id: String,
    /// The payment that it returns, `pay_…`.
    pub payment_id: String,
    /// What it returns, in Indian rupees.
    pub amount: Paise,
    /// The caller's own id of it; none for one that was made in the provider's dashboard.
    pub receipt: Option<String>,
    /// How far it is.
    pub state: RefundState,
}

/// What the provider's checkout passes to the page after a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentProof {
    /// `razorpay_order_id`.
    pub order_id: String,
    /// `razorpay_payment_id`.
    pub payment_id: String,
    /// `razorpay_signature`.
    pub signature: String,
}

/// Why a call to the provider failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// It rejected the request, and would reject it again.
    #[error("the payment provider refused: {0}")]
    Refused(String),
    /// It could not be reached, was busy, failed, or rejected the operator's keys.
    #[error("the payment provider is not available: {0}")]
    Unavailable(String),
}

/// Whether this is an order of the sandbox.
pub fn is_sandbox_order(order_id: &str) -> bool {
    order_id.starts_with(SANDBOX_ORDER)
}

/// Whether the text has the form of an id with this prefix, and is safe in a path.
pub(super) fn is_id(text: &str, prefix: &str) -> bool {
    text.len() <= ID_LENGTH
        && text.strip_prefix(prefix).is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

pub(super) fn validate_order(
    amount: Paise,
    receipt: &str,
    notes: &[(&str, &str)],
) -> Result<(), PaymentError> {
    let too_long = |text: &str, length| text.chars().count() > length;
    let reason = if amount < ORDER_MIN {
        "an order is over 1 rupee or more"
    } else if receipt.is_empty() || too_long(receipt, RECEIPT_LENGTH) {
        "a receipt has 1 to 40 characters"
    } else if notes.len() > NOTES {
        "an order has at most 15 notes"
    } else if notes.iter().any(|(name, text)| too_long(name, NOTE_LENGTH) || too_long(text, NOTE_LENGTH)) {
        "a note has at most 256 characters"
    } else {
        return Ok(());
    };
    Err(PaymentError::Refused(reason.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_safe_in_a_path() {
        for good in ["order_EKwxwAgItmmXdp", "order_sandbox_abc", "order_0"] {
            assert!(is_id(good, "order_"), "{good}");
        }
        let long = format!("order_{}", "a".repeat(ID_LENGTH));
        for bad in
            ["", "order_", "pay_1", "order_../x", "order_a/b", "order_a?b", "order_ä", "order_a b", &long]
        {
            assert!(!is_id(bad, "order_"), "{bad}");
        }
    }

    #[test]
    fn orders_beyond_the_providers_limits_are_refused_without_a_request() {
        let (long, receipt) = ("ü".repeat(257), "r".repeat(41));
        let many: Vec<_> = (0..16).map(|_| ("name", "text")).collect();
        assert!(validate_order(ORDER_MIN, &"ü".repeat(40), &many[..15]).is_ok());
        assert!(validate_order(Paise::new(99), "r", &[]).is_err());
        assert!(validate_order(Paise::new(-100), "r", &[]).is_err());
        assert!(validate_order(ORDER_MIN, &receipt, &[]).is_err());
        assert!(validate_order(ORDER_MIN, "", &[]).is_err());
        assert!(validate_order(ORDER_MIN, "r", &many).is_err());
        assert!(validate_order(ORDER_MIN, "r", &[("name", &long)]).is_err());
        assert!(validate_order(ORDER_MIN, "r", &[(&long, "text")]).is_err());
    }
}
