//! Razorpay's orders API.

mod api;
mod lists;
pub(super) mod settings;

use std::time::Duration;

use domain::Paise;
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::orders::{OrderState, PaymentError, ProviderOrder, ProviderPayment, ProviderRefund, is_id};
use super::refunds::RefundBody;
use api::{Api, Collection, OrderBody, PaymentBody, RequestError};
use settings::{RazorpaySettings, RetryPolicy, SettingsError};

/// How many orders a lookup by receipt returns at most; a receipt has one.
const LOOKUP_COUNT: &str = "100";
/// The header whose value makes a repeated request for a refund return the first one.
const IDEMPOTENCY_HEADER: &str = "X-Refund-Idempotency";

/// A client of Razorpay with the keys of one account.
#[derive(Clone)]
pub struct Razorpay {
    api: Api,
    key_secret: SecretString,
    webhook_secret: Option<SecretString>,
    retry: RetryPolicy,
}

impl std::fmt::Debug for Razorpay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Razorpay").field("key_id", &self.key_id()).finish_non_exhaustive()
    }
}

impl Razorpay {
    pub(super) fn new(settings: RazorpaySettings) -> Result<Self, SettingsError> {
        let RazorpaySettings { key_id, key_secret, webhook_secret, api_url, retry } = settings;
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
        let api = Api::new(&api_url, key_id, key_secret.clone(), retry.request_timeout)?;
        Ok(Self { api, key_secret, webhook_secret, retry })
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
        let order = self.with_timeout(self.create_order_once(receipt, &body)).await?;
        if order.amount != amount.get() || order.currency != "INR" || !is_id(&order.id, "order_") {
            return Err(PaymentError::Refused(format!("receipt {receipt} belongs to another order")));
        }
        Ok(ProviderOrder { id: order.id, amount, receipt: receipt.to_owned() })
    }

    async fn create_order_once(
        &self,
        receipt: &str,
        body: &serde_json::Value,
    ) -> Result<OrderBody, PaymentError> {
        let mut attempts = Attempts::new(self.retry);
        let mut maybe_created = false;
        loop {
            // Orders have no idempotency key: only a lookup by receipt tells whether a request without a response was applied.
            let found = if maybe_created { self.find_order(receipt).await } else { Ok(None) };
            let created = match found {
                Ok(Some(order)) => return Ok(order),
                Ok(None) => self.api.post("/v1/orders", body, None).await,
                Err(error) => Err(error),
            };
            match created {
                Ok(order) => return Ok(order),
                Err(error) => {
                    maybe_created |= matches!(error, RequestError::Unknown(_));
                    attempts.retry_after(error).await?;
                }
            }
        }
    }

    /// The order of a receipt. The provider's filter may match part of a receipt, so its results are compared again.
    async fn find_order(&self, receipt: &str) -> Result<Option<OrderBody>, RequestError> {
        let query = [("receipt", receipt), ("count", LOOKUP_COUNT)];
        let found: Collection<OrderBody> = self.api.get("/v1/orders", &query).await?;
        Ok(found.items.into_iter().find(|order| order.receipt.as_deref() == Some(receipt)))
    }

    /// `order_id` must be an id, since it becomes part of the path.
    pub(super) async fn order_state(&self, order_id: &str) -> Result<OrderState, PaymentError> {
        let path = format!("/v1/orders/{order_id}");
        let order: OrderBody = self.with_timeout(self.get_with_retries(&path, &[])).await?;
        let amount = Some(Paise::new(order.amount));
        if order.status == "created" {
            return Ok(OrderState { amount, attempted: false, payments: Vec::new() });
        }
        let path = format!("{path}/payments");
        let mut found: Collection<PaymentBody> = self.with_timeout(self.get_with_retries(&path, &[])).await?;
        found.items.sort_by_key(|payment| payment.created_at);
        let mut payments = Vec::new();
        for body in found.items {
            let refunded = body.refunded();
            let Some(mut payment) = body.into_payment() else { continue };
            if payment.is_captured && refunded > Paise::ZERO {
                payment.refunds = self.refunds_of(&payment.payment_id, refunded).await?;
            }
            payments.push(payment);
        }
        Ok(OrderState { amount, attempted: true, payments })
    }

    /// The id of the payment must be one, since it becomes part of the path.
    pub(super) async fn capture(
        &self,
        order_id: &str,
        payment: &ProviderPayment,
    ) -> Result<(), PaymentError> {
        let path = format!("/v1/payments/{}/capture", payment.payment_id);
        let body = json!({ "amount": payment.amount.get(), "currency": "INR" });
        let captured = self.with_timeout(self.post_with_retries::<PaymentBody>(&path, &body, None)).await;
        match captured {
            Ok(captured) if captured.status == "captured" => Ok(()),
            Ok(captured) => Err(PaymentError::Unavailable(format!("the payment is {}", captured.status))),
            // A concurrent request captured it, or an earlier one without a response was applied.
            Err(PaymentError::Refused(text)) => {
                let state = self.order_state(order_id).await?;
                let is_captured = state.captured().any(|other| other.payment_id == payment.payment_id);
                if is_captured { Ok(()) } else { Err(PaymentError::Refused(text)) }
            }
            Err(error) => Err(error),
        }
    }

    /// The id of the payment must be one, since it becomes part of the path.
    pub(super) async fn refund(
        &self,
        payment_id: &str,
        amount: Paise,
        key: &str,
    ) -> Result<ProviderRefund, PaymentError> {
        let path = format!("/v1/payments/{payment_id}/refund");
        let body = json!({ "amount": amount.get(), "speed": "normal", "receipt": key });
        let refund = self.post_with_retries::<RefundBody>(&path, &body, Some((IDEMPOTENCY_HEADER, key)));
        let refund = self.with_timeout(refund).await?.into_refund();
        refund
            .filter(|refund| refund.payment_id == payment_id && refund.amount == amount)
            .ok_or_else(|| PaymentError::Unavailable(String::from("its answer is about another refund")))
    }

    /// Only for a request that the provider applies once however often it is sent.
    async fn post_with_retries<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &serde_json::Value,
        header: Option<(&str, &str)>,
    ) -> Result<T, PaymentError> {
        let mut attempts = Attempts::new(self.retry);
        loop {
            match self.api.post(path, body, header).await {
                Ok(body) => return Ok(body),
                Err(error) => attempts.retry_after(error).await?,
            }
        }
    }

    async fn get_with_retries<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, PaymentError> {
        let mut attempts = Attempts::new(self.retry);
        loop {
            match self.api.get(path, query).await {
                Ok(body) => return Ok(body),
                Err(error) => attempts.retry_after(error).await?,
            }
        }
    }

    async fn with_timeout<T>(
        &self,
        call: impl Future<Output = Result<T, PaymentError>>,
    ) -> Result<T, PaymentError> {
        tokio::time::timeout(self.retry.call_timeout, call)
            .await
            .unwrap_or_else(|_| Err(PaymentError::Unavailable("it took too long to answer".to_owned())))
    }
}

/// The attempts that are left of a call.
struct Attempts {
    left: u32,
    delay: Duration,
}

impl Attempts {
    const fn new(policy: RetryPolicy) -> Self {
        Self { left: policy.attempts, delay: policy.delay }
    }

    /// Waits before the next attempt, or returns the error when there is none.
    async fn retry_after(&mut self, error: RequestError) -> Result<(), PaymentError> {
        self.left = self.left.saturating_sub(1);
        match error {
            RequestError::Final(error) => Err(error),
            RequestError::NotApplied(text) | RequestError::Unknown(text) if self.left == 0 => {
                Err(PaymentError::Unavailable(text))
            }
            RequestError::NotApplied(text) | RequestError::Unknown(text) => {
                tracing::warn!(reason = text, "retrying a request to the payment provider");
                tokio::time::sleep(self.delay).await;
                self.delay = self.delay.saturating_mul(2);
                Ok(())
            }
        }
    }
}
