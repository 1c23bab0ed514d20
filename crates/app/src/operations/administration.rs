//! What administrators look after: accounts, events by size, jobs, payments, webhooks, and how the installation stands. The API and the
//! operator's commands call the same functions.

pub mod accounts;
mod context;
pub mod credits;
pub mod events;
pub mod jobs;
pub mod overview;
pub mod payments;
pub(crate) mod totals;

pub use context::Administration;
