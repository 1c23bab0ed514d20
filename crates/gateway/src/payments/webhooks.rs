//! The provider's webhooks.

use domain::Paise;
use serde::Deserialize;

use super::orders::is_id;

/// The header with the signature of a webhook's body.
pub const SIGNATURE_HEADER: &str = "X-Razorpay-Signature";
/// The header with the id of a webhook's event, which repeated deliveries share.
pub const EVENT_ID_HEADER: &str = "x-razorpay-event-id";

/// A webhook as it was received; nothing of it is verified.
#[derive(Clone, Copy, Debug)]
pub struct WebhookRequest<'a> {
    /// The raw body, which the signature covers.
    pub body: &'a [u8],
    /// The signature; empty without one.
    pub signature: &'a str,
    /// The id of the event.
    pub event_id: Option<&'a str>,
}

impl<'a> WebhookRequest<'a> {
    /// A webhook with this body, whose headers `header` looks up by name, ignoring case.
    pub fn new(body: &'a [u8], header: impl Fn(&str) -> Option<&'a str>) -> Self {
        let signature = header(SIGNATURE_HEADER).unwrap_or_default();
        Self { body, signature, event_id: header(EVENT_ID_HEADER) }
    }
}

/// A webhook event about the payment of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookEvent {
    /// What happened.
    pub kind: WebhookKind,
    /// The order, `order_…`.
    pub order_id: String,
    /// The payment, `pay_…`.
    pub payment_id: String,
    /// The payment's amount, in Indian rupees; compare it with the order's own.
    pub amount: Paise,
}

/// What happened to a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookKind {
    /// `payment.authorized`: the payment waits for its capture.
    PaymentAuthorised,
    /// `payment.captured`.
    PaymentCaptured,
    /// `payment.failed`: this attempt failed; another may follow.
    PaymentFailed,
    /// `order.paid`: the order is paid in full.
    OrderPaid,
}

impl WebhookKind {
    /// Whether the payment is captured.
    pub const fn is_paid(self) -> bool {
        matches!(self, Self::PaymentCaptured | Self::OrderPaid)
    }
}

#[derive(Deserialize)]
struct Envelope {
    event: String,
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    payment: Wrapped,
}

#[derive(Deserialize)]
struct Wrapped {
    entity: Payment,
}

#[derive(Deserialize)]
struct Payment {
    id: String,
    order_id: String,
    amount: i64,
    currency: String,
}

/// Parses a webhook body whose signature was verified. None for an event that is not about the payment of an order in
/// Indian rupees: the provider sends whatever its dashboard is set to, and expects a success for all of it.
pub fn parse_webhook(body: &[u8]) -> Option<WebhookEvent> {
    let Envelope { event, payload } = serde_json::from_slice(body).ok()?;
    let kind = match event.as_str() {
        "payment.authorized" => WebhookKind::PaymentAuthorised,
        "payment.captured" => WebhookKind::PaymentCaptured,
        "payment.failed" => WebhookKind::PaymentFailed,
        "order.paid" => WebhookKind::OrderPaid,
        _ => return None,
    };
    let Payment { id, order_id, amount, currency } = payload.payment.entity;
    let valid = currency == "INR" && amount > 0 && is_id(&id, "pay_") && is_id(&order_id, "order_");
    valid.then(|| WebhookEvent { kind, order_id, payment_id: id, amount: Paise::new(amount) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn body(event: &str) -> Value {
        json!({
            "entity": "event", "event": event, "contains": ["payment"], "created_at": 1_795_167_000,
            "payload": { "payment": { "entity": {
                "id": "pay_29QQoUBi66xm2f", "order_id": "order_9A33XWu170gUtm", "amount": 50_000,
                "currency": "INR", "status": "captured", "notes": [],
            } } },
        })
    }

    fn parse(value: &Value) -> Option<WebhookEvent> {
        parse_webhook(value.to_string().as_bytes())
    }

    #[test]
    fn the_events_of_payments_are_parsed() {
        for (name, kind, paid) in [
            ("payment.captured", WebhookKind::PaymentCaptured, true),
            ("order.paid", WebhookKind::OrderPaid, true),
            ("payment.failed", WebhookKind::PaymentFailed, false),
            ("payment.authorized", WebhookKind::PaymentAuthorised, false),
        ] {
            let event = parse(&body(name)).unwrap();
            assert_eq!((event.kind, event.kind.is_paid()), (kind, paid));
            assert_eq!(event.order_id, "order_9A33XWu170gUtm");
            assert_eq!(event.payment_id, "pay_29QQoUBi66xm2f");
            assert_eq!(event.amount, Paise::from_rupees(500));
        }
    }

    #[test]
    fn other_events_are_ignored() {
        assert_eq!(parse(&body("refund.created")), None);
        for (field, value) in [
            ("currency", json!("USD")),
            ("amount", json!(0)),
            ("amount", json!(-5)),
            ("amount", json!(1.5)),
            ("amount", json!("50000")),
            ("order_id", Value::Null),
            ("order_id", json!("order_../../x")),
            ("id", json!("x")),
        ] {
            let mut body = body("payment.captured");
            body["payload"]["payment"]["entity"][field] = value.clone();
            assert_eq!(parse(&body), None, "{field}: {value}");
        }
        for bytes in [b"".as_slice(), b"null", b"[]", b"{}", b"\xff", "[".repeat(100_000).as_bytes()] {
            assert_eq!(parse_webhook(bytes), None);
        }
    }
}
