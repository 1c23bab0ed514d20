//! Clients of external services: mail and card payments, real or sandboxed; single sign-on; name servers; endpoints of webhooks; and of the service
//! itself.

pub mod dns;
#[doc(hidden)]
pub mod fuzzing;
mod http;
pub mod mails;
pub mod payments;
pub mod photo_uploads;
pub mod probes;
pub mod single_sign_on;
#[cfg(feature = "testing")]
pub mod testing;
pub mod traces;
pub mod webhooks;

pub use mails::{MailError, Mailer};
pub use payments::{PaymentError, Payments};
