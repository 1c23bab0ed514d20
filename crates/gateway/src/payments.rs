//! Card payments: Razorpay, or a sandbox that answers the same calls with the same signatures.
//!
//! Facts of the provider are from its public documentation of the orders API, of Standard Checkout and of webhooks.

mod checkout;
mod orders;
mod razorpay;
mod refunds;
mod sandbox;
mod signatures;
mod webhooks;

use domain::{Paise, Randomness, Timestamp};
use secrecy::SecretString;

pub use checkout::CheckoutSources;
pub use orders::{
    ListedOrder, ListedPayment, NOTE_LENGTH, NOTES, ORDER_MIN, OrderState, PaymentError, PaymentProof,
    ProviderOrder, ProviderPayment, ProviderRefund, RECEIPT_LENGTH, RefundState, is_sandbox_order,
};
use orders::{is_id, validate_order};
pub use razorpay::Razorpay;
pub use razorpay::settings::{RAZORPAY_API_URL, RazorpaySettings, RetryPolicy, SettingsError};
pub use refunds::parse_refund_webhook;
pub use sandbox::Sandbox;
#[cfg(feature = "testing")]
pub(crate) use signatures::{sign, sign_payment};
pub use webhooks::{
    EVENT_ID_HEADER, SIGNATURE_HEADER, WebhookEvent, WebhookKind, WebhookRequest, parse_webhook,
};

/// The sandbox's name as a provider.
pub const SANDBOX: &str = "sandbox";

/// The payment provider.
#[derive(Clone, Debug)]
pub enum Payments {
    /// Razorpay, with keys of the operator.
    Razorpay(Razorpay),
    /// No money: for trying the product out, and for tests.
    Sandbox(Sandbox),
}

impl Payments {
    /// A client of Razorpay.
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

    /// The name of the provider in the contract: `razorpay` or `sandbox`.
    pub const fn provider(&self) -> &'static str {
        match self {
            Self::Razorpay(_) => "razorpay",
            Self::Sandbox(_) => SANDBOX,
        }
    }

    /// The origins that a page with the checkout has to allow; none for the sandbox, whose dialog is the page's own.
    pub const fn checkout_sources(&self) -> CheckoutSources {
        match self {
            Self::Razorpay(_) => checkout::RAZORPAY,
            Self::Sandbox(_) => CheckoutSources::NONE,
        }
    }

    /// The public half of the keys, which the page needs.
    pub fn key_id(&self) -> &str {
        match self {
            Self::Razorpay(razorpay) => razorpay.key_id(),
            Self::Sandbox(_) => sandbox::KEY_ID,
        }
    }

    /// Creates an order. `receipt` identifies it: after a request without a response the order is looked up by its
    /// receipt before another one is created.
    ///
    /// # Errors
    /// [`PaymentError`], also for less than [`ORDER_MIN`] and a receipt or notes that are too long.
    pub async fn create_order(
        &self,
        amount: Paise,
        receipt: &str,
        notes: &[(&str, &str)],
    ) -> Result<ProviderOrder, PaymentError> {
        validate_order(amount, receipt, notes)?;
        match self {
            Self::Razorpay(razorpay) => razorpay.create_order(amount, receipt, notes).await,
            Self::Sandbox(sandbox) => Ok(sandbox.create_order(amount, receipt)),
        }
    }

    /// Fetches the state of an order.
    ///
    /// # Errors
    /// [`PaymentError`], also for an order of the other provider.
    pub async fn order_state(&self, order_id: &str) -> Result<OrderState, PaymentError> {
        if !self.is_own_order(order_id) {
            return Err(PaymentError::Refused(format!("not an order of {}", self.provider())));
        }
        match self {
            Self::Razorpay(razorpay) => razorpay.order_state(order_id).await,
            Self::Sandbox(sandbox) => Ok(sandbox.order_state(order_id)),
        }
    }

    /// The payments that were made from `from` to `to`, for any order, and are authorised or captured, newest first; one may be
    /// there twice. The sandbox lists none.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn payments_between(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<ListedPayment>, PaymentError> {
        match self {
            Self::Razorpay(razorpay) => razorpay.payments_between(from, to).await,
            Self::Sandbox(_) => Ok(Vec::new()),
        }
    }

    /// The refunds that were made from `from` to `to`, oldest first, of payments of whatever age; one may be there twice.
    /// The sandbox lists none.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn refunds_between(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<ProviderRefund>, PaymentError> {
        match self {
            Self::Razorpay(razorpay) => razorpay.refunds_between(from, to).await,
            Self::Sandbox(_) => Ok(Vec::new()),
        }
    }

    /// The refunds of a payment, oldest first, which are of `refunded` in all or more: failed ones are among them.
    ///
    /// # Errors
    /// [`PaymentError`], also for a list that is not complete.
    pub async fn refunds_of(
        &self,
        payment_id: &str,
        refunded: Paise,
    ) -> Result<Vec<ProviderRefund>, PaymentError> {
        match self {
            Self::Razorpay(razorpay) if is_id(payment_id, "pay_") => {
                razorpay.refunds_of(payment_id, refunded).await
            }
            Self::Razorpay(_) => Err(PaymentError::Refused(String::from("not the id of a payment"))),
            Self::Sandbox(_) => Ok(Vec::new()),
        }
    }

    /// The orders that were made from `from` to `to`, in no order; one may be there twice. The sandbox lists none.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn orders_between(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<ListedOrder>, PaymentError> {
        match self {
            Self::Razorpay(razorpay) => razorpay.orders_between(from, to).await,
            Self::Sandbox(_) => Ok(Vec::new()),
        }
    }

    /// Captures a payment of `order_id` that is authorised: only then the money is received. Idempotent.
    ///
    /// # Errors
    /// [`PaymentError`], also for a payment that cannot be captured any more.
    pub async fn capture(&self, order_id: &str, payment: &ProviderPayment) -> Result<(), PaymentError> {
        match self {
            Self::Razorpay(razorpay) if is_id(&payment.payment_id, "pay_") => {
                razorpay.capture(order_id, payment).await
            }
            Self::Razorpay(_) => Err(PaymentError::Refused(String::from("not the id of a payment"))),
            // The sandbox captures at once.
            Self::Sandbox(_) => Ok(()),
        }
    }

    /// Requests a refund. `key` is its idempotency key: repeated with the same key and amount it returns the same refund.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn refund(
        &self,
        payment_id: &str,
        amount: Paise,
        key: &str,
    ) -> Result<ProviderRefund, PaymentError> {
        match self {
            Self::Razorpay(razorpay) if is_id(payment_id, "pay_") => {
                razorpay.refund(payment_id, amount, key).await
            }
            Self::Razorpay(_) => Err(PaymentError::Refused(String::from("not the id of a payment"))),
            Self::Sandbox(_) => Ok(Sandbox::refund(payment_id, amount, key)),
        }
    }

    /// Whether the provider signed that `payment_id` paid for `order_id`, which must be the id of the caller's own
    /// record. Compares in constant time. An order of the other provider has no valid signature.
    pub fn verify_signature(&self, order_id: &str, payment_id: &str, signature: &str) -> bool {
        let secret = match self {
            Self::Razorpay(razorpay) => razorpay.key_secret(),
            Self::Sandbox(sandbox) => sandbox.key(),
        };
        self.is_own_order(order_id) && signatures::verify_payment(secret, order_id, payment_id, signature)
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

    /// Whether the id has the form of this provider's orders.
    fn is_own_order(&self, order_id: &str) -> bool {
        is_id(order_id, "order_")
            && match self {
                Self::Razorpay(_) => !is_sandbox_order(order_id),
                Self::Sandbox(_) => is_sandbox_order(order_id),
            }
    }
}
