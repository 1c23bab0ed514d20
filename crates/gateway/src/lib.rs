//! Clients of external services: mail and card payments, real or sandboxed.

#[doc(hidden)]
pub mod fuzzing;
pub mod mails;
pub mod payments;
#[cfg(feature = "testing")]
pub mod testing;

pub use mails::{MailError, Mailer};
pub use payments::{PaymentError, Payments};
