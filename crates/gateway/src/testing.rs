//! Doubles of other services, for tests: a name server, and the payment provider's HTTP API, which checks the keys, keeps orders and payments, responds in the
//! documented forms, and fails on demand.

mod dns;
mod ledger;
mod server;
mod state;

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::payments::{PaymentProof, RazorpaySettings, RetryPolicy};
pub use dns::FakeDns;
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
        Some(self.proof(order_id, &payment_id))
    }

    /// What the provider's checkout gives to the page for a payment of the order.
    pub fn proof(&self, order_id: &str, payment_id: &str) -> PaymentProof {
        let signature = crate::payments::sign_payment(&SecretString::from(KEY_SECRET), order_id, payment_id);
        PaymentProof { order_id: order_id.to_owned(), payment_id: payment_id.to_owned(), signature }
    }

    /// An attempt to pay the order that ends with `status`: `failed`, `authorized` or `refunded`. Gives the payment's id.
    pub fn attempt(&self, order_id: &str, status: &str) -> Option<String> {
        self.state().ledger.attempt(order_id, status)
    }

    /// A second payment of the order, as two open checkouts make it. Gives the payment's id.
    pub fn pay_again(&self, order_id: &str) -> Option<String> {
        self.state().ledger.pay_again(order_id)
    }

    /// Every refund, as the API returns it.
    pub fn refunds(&self) -> Vec<Value> {
        self.state().ledger.refunds()
    }

    /// The operator refunds a payment in the dashboard. Gives the refund's id.
    pub fn refund_in_dashboard(&self, payment_id: &str, amount: i64) -> Option<String> {
        self.state().ledger.refund_in_dashboard(payment_id, amount)
    }

    /// Moves a refund on: `pending`, `processed` or `failed`.
    pub fn set_refund_status(&self, refund_id: &str, status: &'static str) {
        self.state().ledger.set_refund_status(refund_id, status);
    }

    /// Moves a payment on: `authorized`, `captured` or `failed`.
    pub fn set_payment_status(&self, payment_id: &str, status: &str) {
        self.state().ledger.set_payment_status(payment_id, status);
    }

    /// Refuses to capture a payment from now on, as after the time for it is over.
    pub fn refuse_capture(&self, payment_id: &str) {
        self.state().ledger.refuse_capture(payment_id);
    }

    /// Sets the moment at which everything is made from now on, in Unix seconds.
    pub fn set_now(&self, seconds: i64) {
        self.state().ledger.set_now(seconds);
    }

    /// Makes the amount of an order another one.
    pub fn set_amount(&self, order_id: &str, amount: i64) {
        self.state().ledger.set_amount(order_id, amount);
    }

    /// Makes an order unknown.
    pub fn forget(&self, order_id: &str) {
        self.state().ledger.forget(order_id);
    }

    /// The webhook of `event` (`refund.created`, `refund.processed`, `refund.failed`) for a refund.
    pub fn refund_webhook(&self, event: &str, refund_id: &str) -> Option<SignedWebhook> {
        let mut state = self.state();
        let (refund, payment) = state.ledger.refund_and_payment(refund_id)?;
        let payload = json!({"refund": {"entity": refund}, "payment": {"entity": payment}});
        Some(state.sign(event, &json!(["refund", "payment"]), &payload))
    }

    /// The webhook of `event` (`payment.authorized`, `payment.captured`, `payment.failed`, `order.paid`) for a payment.
    pub fn webhook(&self, event: &str, payment_id: &str) -> Option<SignedWebhook> {
        let mut state = self.state();
        let (payment, order) = state.ledger.payment(payment_id)?;
        let (contains, payload) = if event == "order.paid" {
            (json!(["payment", "order"]), json!({"payment": {"entity": payment}, "order": {"entity": order}}))
        } else {
            (json!(["payment"]), json!({"payment": {"entity": payment}}))
        };
        Some(state.sign(event, &contains, &payload))
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

impl State {
    /// The next webhook.
    fn sign(&mut self, event: &str, contains: &Value, payload: &Value) -> SignedWebhook {
        self.events += 1;
        let body = json!({
            "entity": "event", "account_id": "acc_AfterglowTests", "event": event,
            "contains": contains, "payload": payload, "created_at": ledger::CREATED_AT,
        });
        let body = body.to_string().into_bytes();
        let signature = sign_webhook(WEBHOOK_SECRET, &body);
        SignedWebhook { body, signature, event_id: format!("event_{:014}", self.events) }
    }
}

/// The signature of a webhook's body under any secret, such as the sandbox's.
pub fn sign_webhook(secret: &str, body: &[u8]) -> String {
    crate::payments::sign(&SecretString::from(secret), &[body])
}
