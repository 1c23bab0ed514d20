//! A fake of the payment provider's HTTP API, for tests: it checks the keys, keeps orders and payments, responds in the
//! documented forms, and fails on demand.

mod ledger;
mod server;
mod state;

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::payments::{PaymentProof, RazorpaySettings, RetryPolicy};
pub use state::{Fault, KEY_ID, KEY_SECRET, WEBHOOK_SECRET};
use state::{State, lock};

/// The fake on a port of its own. Stops when dropped.
#[derive(Debug)]
pub struct FakeRazorpay {
    url: String,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

/// A webhook as the provider would send it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedWebhook {
    /// The bytes of the request.
    pub body: Vec<u8>,
    /// The header `X-Razorpay-Signature`.
    pub signature: String,
    /// The header `x-razorpay-event-id`.
    pub event_id: String,
}

impl FakeRazorpay {
    /// Starts on a free loopback port.
    ///
    /// # Errors
    /// When no port can be opened.
    pub async fn start() -> std::io::Result<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let state = Arc::<Mutex<State>>::default();
        let server = tokio::spawn(server::serve(listener, Arc::clone(&state)));
        Ok(Self { url, state, server })
    }

    /// What `AFTERGLOW_RAZORPAY_API_URL` is set to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Settings that reach it, with a retry policy for tests: 2 s a request, delays from 5 ms.
    pub fn settings(&self) -> RazorpaySettings {
        RazorpaySettings {
            key_id: KEY_ID.to_owned(),
            key_secret: SecretString::from(KEY_SECRET),
            webhook_secret: Some(SecretString::from(WEBHOOK_SECRET)),
            api_url: self.url.clone(),
            retry: RetryPolicy {
                request_timeout: Duration::from_secs(2),
                delay: Duration::from_millis(5),
                ..RetryPolicy::default()
            },
        }
    }

    /// Injects faults into the next requests, one each.
    pub fn inject(&self, faults: impl IntoIterator<Item = Fault>) {
        self.state().faults.extend(faults);
    }

    /// Method, path and query of every request so far.
    pub fn requests(&self) -> Vec<String> {
        self.state().requests.clone()
    }

    /// Every order, as the API returns it.
    pub fn orders(&self) -> Vec<Value> {
        self.state().ledger.orders()
    }

    /// A person pays the order in the provider's checkout: what its handler gets. Nothing for an unknown or paid order.
    pub fn pay(&self, order_id: &str) -> Option<PaymentProof> {
        let payment_id = self.state().ledger.attempt(order_id, "captured")?;
        let signature = crate::payments::sign_payment(&SecretString::from(KEY_SECRET), order_id, &payment_id);
        Some(PaymentProof { order_id: order_id.to_owned(), payment_id, signature })
    }

    /// An attempt to pay the order that ends with `status`: `failed`, `authorized` or `refunded`. Gives the payment's id.
    pub fn attempt(&self, order_id: &str, status: &str) -> Option<String> {
        self.state().ledger.attempt(order_id, status)
    }

    /// The webhook of `event` (`payment.captured`, `payment.failed`, `order.paid`) for a payment.
    pub fn webhook(&self, event: &str, payment_id: &str) -> Option<SignedWebhook> {
        let mut state = self.state();
        let (payment, order) = state.ledger.payment(payment_id)?;
        state.events += 1;
        let (contains, payload) = if event == "order.paid" {
            (json!(["payment", "order"]), json!({"payment": {"entity": payment}, "order": {"entity": order}}))
        } else {
            (json!(["payment"]), json!({"payment": {"entity": payment}}))
        };
        let body = json!({
            "entity": "event", "account_id": "acc_AfterglowTests", "event": event,
            "contains": contains, "payload": payload, "created_at": ledger::CREATED_AT,
        });
        let body = body.to_string().into_bytes();
        let signature = sign_webhook(WEBHOOK_SECRET, &body);
        Some(SignedWebhook { body, signature, event_id: format!("event_{:014}", state.events) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Drop for FakeRazorpay {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The signature of a webhook's body under any secret, such as the sandbox's.
pub fn sign_webhook(secret: &str, body: &[u8]) -> String {
    crate::payments::sign(&SecretString::from(secret), &[body])
}
