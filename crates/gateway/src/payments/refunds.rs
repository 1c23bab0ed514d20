//! The provider's refunds, in its answers and in its webhooks.

use domain::Paise;
use serde::Deserialize;

use super::orders::{ProviderRefund, RefundState, is_id};

/// The fields of a refund that are used here.
#[derive(Deserialize)]
pub(super) struct RefundBody {
    id: String,
    payment_id: String,
    /// Paise.
    amount: i64,
    currency: String,
    receipt: Option<String>,
    /// `pending`, `processed` or `failed`.
    status: String,
    /// Unix seconds.
    #[serde(default)]
    pub(super) created_at: i64,
}

impl RefundBody {
    /// The refund; none for one that is not in Indian rupees, or in a state that is not documented.
    pub(super) fn into_refund(self) -> Option<ProviderRefund> {
        let state = match self.status.as_str() {
            "pending" => RefundState::Pending,
            "processed" => RefundState::Processed,
            "failed" => RefundState::Failed,
            _ => return None,
        };
        let valid = self.currency == "INR"
            && self.amount > 0
            && is_id(&self.id, "rfnd_")
            && is_id(&self.payment_id, "pay_");
        valid.then(|| ProviderRefund {
            refund_id: self.id,
            payment_id: self.payment_id,
            amount: Paise::new(self.amount),
            receipt: self.receipt,
            state,
        })
    }
}

#[derive(Deserialize)]
struct Envelope {
    event: String,
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    refund: Wrapped,
}

#[derive(Deserialize)]
struct Wrapped {
    entity: RefundBody,
}

/// Parses a webhook body whose signature was verified: the refund that it reports. None for every other event.
pub fn parse_refund_webhook(body: &[u8]) -> Option<ProviderRefund> {
    let Envelope { event, payload } = serde_json::from_slice(body).ok()?;
    if !matches!(event.as_str(), "refund.created" | "refund.processed" | "refund.failed") {
        return None;
    }
    payload.refund.entity.into_refund()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn body(event: &str, status: &str) -> Value {
        json!({
            "entity": "event", "event": event, "contains": ["refund", "payment"], "created_at": 1_795_167_000,
            "payload": { "refund": { "entity": {
                "id": "rfnd_FS8SDoBDoQg1Bh", "entity": "refund", "amount": 50_000, "currency": "INR",
                "payment_id": "pay_29QQoUBi66xm2f", "receipt": null, "notes": [], "status": status,
            } } },
        })
    }

    fn parse(value: &Value) -> Option<ProviderRefund> {
        parse_refund_webhook(value.to_string().as_bytes())
    }

    #[test]
    fn the_three_events_are_parsed() {
        for (event, status, state) in [
            ("refund.created", "pending", RefundState::Pending),
            ("refund.processed", "processed", RefundState::Processed),
            ("refund.failed", "failed", RefundState::Failed),
        ] {
            let refund = parse(&body(event, status)).unwrap();
            assert_eq!((refund.state, refund.amount, refund.receipt), (state, Paise::from_rupees(500), None));
            assert_eq!(refund.refund_id, "rfnd_FS8SDoBDoQg1Bh");
            assert_eq!(refund.payment_id, "pay_29QQoUBi66xm2f");
        }
    }

    #[test]
    fn other_events_are_ignored() {
        for event in ["payment.captured", "refund.speed_changed", ""] {
            assert_eq!(parse(&body(event, "processed")), None, "{event}");
        }
        for (field, value) in [
            ("currency", json!("USD")),
            ("amount", json!(0)),
            ("amount", json!("50000")),
            ("status", json!("lost")),
            ("payment_id", json!("pay_../x")),
            ("id", json!("x")),
        ] {
            let mut body = body("refund.created", "pending");
            body["payload"]["refund"]["entity"][field] = value.clone();
            assert_eq!(parse(&body), None, "{field}: {value}");
        }
        for bytes in [b"".as_slice(), b"null", b"{}", b"\xff"] {
            assert_eq!(parse_refund_webhook(bytes), None);
        }
    }
}
