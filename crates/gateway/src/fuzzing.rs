//! What a fuzz target does with its input, so that the tests replay the corpus through the same code.

use domain::Paise;

use crate::payments::{parse_refund_webhook, parse_webhook};

/// The body of a webhook whose signature was right: what is understood has an amount and ids of the provider's form.
pub fn webhook(body: &[u8]) {
    let is_id = |id: &str, prefix: &str| {
        id.strip_prefix(prefix).is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    let payment = parse_webhook(body);
    let refund = parse_refund_webhook(body);
    assert!(payment.is_none() || refund.is_none(), "one body is one event");
    if let Some(event) = payment {
        assert!(event.amount > Paise::ZERO);
        assert!(is_id(&event.order_id, "order_") && is_id(&event.payment_id, "pay_"), "{event:?}");
    }
    if let Some(refund) = refund {
        assert!(refund.amount > Paise::ZERO);
        assert!(is_id(&refund.refund_id, "rfnd_") && is_id(&refund.payment_id, "pay_"), "{refund:?}");
    }
}
