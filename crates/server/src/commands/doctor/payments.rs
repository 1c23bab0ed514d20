//! Whether payments are real, and their provider's notifications can be verified.

use super::finding::Finding;
use crate::settings::Settings;

const NAME: &str = "payments";

/// Looks at the keys alone; that they are right is seen with the first order.
pub(super) fn check(settings: &Settings) -> Finding {
    if settings.razorpay_key_id.is_none() && settings.razorpay_key_secret.is_none() {
        return Finding::ok(NAME, "The sandbox takes the place of the payment provider: no money moves.");
    }
    if settings.razorpay_webhook_secret.is_none() {
        return Finding::warning(
            NAME,
            "Payments are real, and `razorpay_webhook_secret` is not set: every notification of the provider is refused, so \
             that a payment whose browser was closed waits to be asked about, and a refund is seen at night alone.",
            "Add a webhook in Razorpay's dashboard, and set `razorpay_webhook_secret` to its secret; docs/configuration.md \
             lists its events.",
        );
    }
    Finding::ok(NAME, "Payments are real, and the provider's notifications can be verified.")
}
