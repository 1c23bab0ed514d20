//! Razorpay's orders API.

mod api;
pub(super) mod settings;

use std::time::Duration;

use domain::Paise;
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::orders::{CapturedPayment, OrderState, PaymentError, ProviderOrder, is_id};
use api::{Api, Collection, Failure, OrderBody, PaymentBody};
use settings::{Patience, RazorpaySettings, SettingsError};

/// How many orders of one receipt are looked through; a receipt has one.
const LOOKED_THROUGH: &str = "100";

/// The provider, as the holder of its keys reaches it.
#[derive(Clone)]
pub struct Razorpay {
    api: Api,
    key_secret: SecretString,
    webhook_secret: Option<SecretString>,
    patience: Patience,
}

impl std::fmt::Debug for Razorpay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Razorpay").field("key_id", &self.key_id()).finish_non_exhaustive()
    }
}

impl Razorpay {
    pub(super) fn new(settings: RazorpaySettings) -> Result<Self, SettingsError> {
        let RazorpaySettings { key_id, key_secret, webhook_secret, api_url, patience } = settings;
        if key_id.is_empty() {
            return Err(SettingsError::Empty("key id"));
        }
        // Anybody can sign with an empty secret.
        if key_secret.expose_secret().is_empty() {
            return Err(SettingsError::Empty("key secret"));
        }
        if webhook_secret.as_ref().is_some_and(|secret| secret.expose_secret().is_empty()) {
            return Err(SettingsError::Empty("webhook secret"));
        }
        let api = Api::new(&api_url, key_id, key_secret.clone(), patience.request)?;
        Ok(Self { api, key_secret, webhook_secret, patience })
    }

    pub(super) fn key_id(&self) -> &str {
        self.api.key_id()
    }

    pub(super) const fn key_secret(&self) -> &SecretString {
        &self.key_secret
    }

    pub(super) const fn webhook_secret(&self) -> Option<&SecretString> {
        self.webhook_secret.as_ref()
    }

    pub(super) async fn create_order(
        &self,
        amount: Paise,
        receipt: &str,
        notes: &[(&str, &str)],
    ) -> Result<ProviderOrder, PaymentError> {
        let notes: serde_json::Map<_, _> =
            notes.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
        let body = json!({ "amount": amount.get(), "currency": "INR", "receipt": receipt, "notes": notes });
        let order = self.in_time(self.make_order(receipt, &body)).await?;
        if order.amount != amount.get() || order.currency != "INR" || !is_id(&order.id, "order_") {
            return Err(PaymentError::Refused(format!("receipt {receipt} belongs to another order")));
        }
        Ok(ProviderOrder { id: order.id, amount, receipt: receipt.to_owned() })
    }

    async fn make_order(&self, receipt: &str, body: &serde_json::Value) -> Result<OrderBody, PaymentError> {
        let mut attempts = Attempts::new(self.patience);
        let mut perhaps_made = false;
        loop {
            // Orders have no idempotency key: only their receipt tells whether a lost answer was a yes.
            let found = if perhaps_made { self.find_order(receipt).await } else { Ok(None) };
            let made = match found {
                Ok(Some(order)) => return Ok(order),
                Ok(None) => self.api.post("/v1/orders", body).await,
                Err(failure) => Err(failure),
            };
            match made {
                Ok(order) => return Ok(order),
                Err(failure) => {
                    perhaps_made |= matches!(failure, Failure::Unclear(_));
                    attempts.again(failure).await?;
                }
            }
        }
    }

    /// The order of a receipt. The provider's filter is asked for, not trusted: it may match part of a receipt.
    async fn find_order(&self, receipt: &str) -> Result<Option<OrderBody>, Failure> {
        let query = [("receipt", receipt), ("count", LOOKED_THROUGH)];
        let found: Collection<OrderBody> = self.api.get("/v1/orders", &query).await?;
        Ok(found.items.into_iter().find(|order| order.receipt.as_deref() == Some(receipt)))
    }

    /// `order_id` must be an id, since it becomes part of the path.
    pub(super) async fn order_state(&self, order_id: &str) -> Result<OrderState, PaymentError> {
        let path = format!("/v1/orders/{order_id}");
        let order: OrderBody = self.in_time(self.read(&path)).await?;
        if order.status == "created" {
            return Ok(OrderState::Open);
        }
        let path = format!("{path}/payments");
        let payments: Collection<PaymentBody> = self.in_time(self.read(&path)).await?;
        let captured = payments.items.into_iter().find(|payment| {
            payment.status == "captured" && payment.currency == "INR" && is_id(&payment.id, "pay_")
        });
        Ok(captured.map_or(OrderState::Open, |payment| {
            OrderState::Paid(CapturedPayment { payment_id: payment.id, amount: Paise::new(payment.amount) })
        }))
    }

    async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, PaymentError> {
        let mut attempts = Attempts::new(self.patience);
        loop {
            match self.api.get(path, &[]).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => attempts.again(failure).await?,
            }
        }
    }

    async fn in_time<T>(
        &self,
        call: impl Future<Output = Result<T, PaymentError>>,
    ) -> Result<T, PaymentError> {
        tokio::time::timeout(self.patience.call, call)
            .await
            .unwrap_or_else(|_| Err(PaymentError::Unavailable("it took too long to answer".to_owned())))
    }
}

/// How much patience is left.
struct Attempts {
    left: u32,
    pause: Duration,
}

impl Attempts {
    const fn new(patience: Patience) -> Self {
        Self { left: patience.attempts, pause: patience.pause }
    }

    /// Waits until the next attempt after a failed one, or fails for good.
    async fn again(&mut self, failure: Failure) -> Result<(), PaymentError> {
        self.left = self.left.saturating_sub(1);
        match failure {
            Failure::Final(error) => Err(error),
            Failure::NotDone(text) | Failure::Unclear(text) if self.left == 0 => {
                Err(PaymentError::Unavailable(text))
            }
            Failure::NotDone(text) | Failure::Unclear(text) => {
                tracing::warn!(reason = text, "asking the payment provider again");
                tokio::time::sleep(self.pause).await;
                self.pause = self.pause.saturating_mul(2);
                Ok(())
            }
        }
    }
}
