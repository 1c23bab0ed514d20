//! Card payments: Razorpay, or a sandbox that answers the same calls with the same signatures.
//!
//! Facts of the provider are from its public documentation of the orders API, of Standard Checkout and of webhooks.

mod razorpay;
mod sandbox;
mod signatures;
mod webhooks;

use domain::{Paise, Randomness};
use secrecy::SecretString;

pub use razorpay::{Patience, RAZORPAY_API_URL, Razorpay, RazorpaySettings, SettingsError};
pub use sandbox::Sandbox;
#[cfg(feature = "testing")]
pub(crate) use signatures::{sign, sign_payment};
pub use webhooks::{WebhookEvent, WebhookKind, parse_webhook};

/// The smallest order the provider takes.
pub const ORDER_MIN: Paise = Paise::from_rupees(1);
/// Longest receipt, in characters.
pub const RECEIPT_LENGTH: usize = 40;
/// Most notes of an order.
pub const NOTES: usize = 15;
/// Longest name or text of a note, in characters.
pub const NOTE_LENGTH: usize = 256;

/// What every id of a sandbox order begins with. The provider's own ids have no second underscore.
const SANDBOX_ORDER: &str = "order_sandbox_";
/// Longest id that is believed to be one; the provider's have 20 characters.
const ID_LENGTH: usize = 64;

/// Who takes the money.
#[derive(Clone, Debug)]
pub enum Payments {
    /// Razorpay, with keys of the operator.
    Razorpay(Razorpay),
    /// Nobody: for trying the product out, and the test double.
    Sandbox(Sandbox),
}

/// An order as the provider keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderOrder {
    /// The provider's id, `order_…`.
    pub id: String,
    /// What is to be paid.
    pub amount: Paise,
    /// The caller's own name for it.
    pub receipt: String,
}

/// How far the payment of an order is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// Not paid, or not paid for good; it may be later.
    Open,
    /// The money is taken.
    Paid(CapturedPayment),
}

/// A payment whose money is taken and not given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedPayment {
    /// The provider's id, `pay_…`.
    pub payment_id: String,
    /// What was paid, in Indian rupees; compare it with the order's own amount.
    pub amount: Paise,
}

/// What the provider's checkout hands to the page after a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentProof {
    /// `razorpay_order_id`.
    pub order_id: String,
    /// `razorpay_payment_id`.
    pub payment_id: String,
    /// `razorpay_signature`.
    pub signature: String,
}

/// Why the provider did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// It understood and said no; the same question gets the same answer.
    #[error("the payment provider refused: {0}")]
    Refused(String),
    /// It could not be reached, was busy, failed, or does not take the operator's keys.
    #[error("the payment provider is not available: {0}")]
    Unavailable(String),
}

impl Payments {
    /// The real provider.
    ///
    /// # Errors
    /// [`SettingsError`] when a setting cannot be used. The provider is not contacted.
    pub fn razorpay(settings: RazorpaySettings) -> Result<Self, SettingsError> {
        Razorpay::new(settings).map(Self::Razorpay)
    }

    /// The sandbox, which signs with `key`.
    pub fn sandbox(key: SecretString, randomness: Randomness) -> Self {
        Self::Sandbox(Sandbox::new(key, randomness))
    }

    /// What the page calls the provider: `razorpay` or `sandbox`.
    pub const fn provider(&self) -> &'static str {
        match self {
            Self::Razorpay(_) => "razorpay",
            Self::Sandbox(_) => "sandbox",
        }
    }

    /// Whether real money is taken.
    pub const fn is_real(&self) -> bool {
        matches!(self, Self::Razorpay(_))
    }

    /// The public half of the keys, which the page needs.
    pub fn key_id(&self) -> &str {
        match self {
            Self::Razorpay(razorpay) => razorpay.key_id(),
            Self::Sandbox(_) => sandbox::KEY_ID,
        }
    }

    /// Makes an order. `receipt` is unique to it: when an answer is lost, the order is looked up by it before
    /// another one is made.
    ///
    /// # Errors
    /// [`PaymentError`]; refused, too, are less than [`ORDER_MIN`] and a receipt or notes that are too long.
    pub async fn create_order(
        &self,
        amount: Paise,
        receipt: &str,
        notes: &[(&str, &str)],
    ) -> Result<ProviderOrder, PaymentError> {
        check_order(amount, receipt, notes)?;
        match self {
            Self::Razorpay(razorpay) => razorpay.create_order(amount, receipt, notes).await,
            Self::Sandbox(sandbox) => Ok(sandbox.create_order(amount, receipt)),
        }
    }

    /// Asks how far the payment of an order is.
    ///
    /// # Errors
    /// [`PaymentError`]; refused, too, is an order that the other provider made.
    pub async fn order_state(&self, order_id: &str) -> Result<OrderState, PaymentError> {
        if !self.made(order_id) {
            return Err(PaymentError::Refused(format!("not an order of {}", self.provider())));
        }
        match self {
            Self::Razorpay(razorpay) => razorpay.order_state(order_id).await,
            Self::Sandbox(sandbox) => Ok(sandbox.order_state(order_id)),
        }
    }

    /// Whether the provider signed that `payment_id` paid for `order_id`, which must be the id of the caller's own
    /// record. Compares in constant time. An order that the other provider made has no good signature.
    pub fn verify_signature(&self, order_id: &str, payment_id: &str, signature: &str) -> bool {
        let secret = match self {
            Self::Razorpay(razorpay) => razorpay.key_secret(),
            Self::Sandbox(sandbox) => sandbox.key(),
        };
        self.made(order_id) && signatures::verify_payment(secret, order_id, payment_id, signature)
    }

    /// Whether the provider sent this webhook body, byte for byte. Compares in constant time; always false when
    /// there is no webhook secret.
    pub fn verify_webhook(&self, body: &[u8], signature: &str) -> bool {
        let secret = match self {
            Self::Razorpay(razorpay) => razorpay.webhook_secret(),
            Self::Sandbox(sandbox) => Some(sandbox.key()),
        };
        secret.is_some_and(|secret| signatures::verify(secret, &[body], signature))
    }

    /// Whether this provider may have made the order.
    fn made(&self, order_id: &str) -> bool {
        is_id(order_id, "order_")
            && match self {
                Self::Razorpay(_) => !is_sandbox_order(order_id),
                Self::Sandbox(_) => is_sandbox_order(order_id),
            }
    }
}

/// Whether the sandbox made this order.
pub fn is_sandbox_order(order_id: &str) -> bool {
    order_id.starts_with(SANDBOX_ORDER)
}

/// Whether the text looks like an id of this kind, and can stand in a path.
fn is_id(text: &str, prefix: &str) -> bool {
    text.len() <= ID_LENGTH
        && text.strip_prefix(prefix).is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

fn check_order(amount: Paise, receipt: &str, notes: &[(&str, &str)]) -> Result<(), PaymentError> {
    let too_long = |text: &str, length| text.chars().count() > length;
    let no = if amount < ORDER_MIN {
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
    Err(PaymentError::Refused(no.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_can_stand_in_a_path() {
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
    fn orders_beyond_the_providers_limits_are_refused_before_it_is_asked() {
        let (long, receipt) = ("ü".repeat(257), "r".repeat(41));
        let many: Vec<_> = (0..16).map(|_| ("name", "text")).collect();
        assert!(check_order(ORDER_MIN, &"ü".repeat(40), &many[..15]).is_ok());
        assert!(check_order(Paise::new(99), "r", &[]).is_err());
        assert!(check_order(Paise::new(-100), "r", &[]).is_err());
        assert!(check_order(ORDER_MIN, &receipt, &[]).is_err());
        assert!(check_order(ORDER_MIN, "", &[]).is_err());
        assert!(check_order(ORDER_MIN, "r", &many).is_err());
        assert!(check_order(ORDER_MIN, "r", &[("name", &long)]).is_err());
        assert!(check_order(ORDER_MIN, "r", &[(&long, "text")]).is_err());
    }
}
