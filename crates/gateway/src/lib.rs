//! Clients of external services: mail and card payments, real or sandboxed; and of the service itself.

#[doc(hidden)]
pub mod fuzzing;
mod http;
pub mod mails;
pub mod payments;
pub mod photo_uploads;
pub mod probes;
#[cfg(feature = "testing")]
pub mod testing;

pub use mails::{MailError, Mailer};
pub use payments::{PaymentError, Payments};
