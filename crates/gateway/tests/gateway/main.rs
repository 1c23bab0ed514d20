//! External services, real ones replaced by servers of the tests.
#![allow(clippy::unwrap_used, reason = "a test fails at what it did not expect")]

mod log;
mod mails;
mod payments;
mod probes;
mod razorpay;
mod smtp_server;
mod webhooks;
