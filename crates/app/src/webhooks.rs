//! Webhooks: what is reported to endpoints of operators (decision 0050) and of photographers (decision 0102), and how it gets
//! there.
//!
//! A message is written in the transaction that makes what it reports, with the job that sends it. Photos that become
//! searchable and searches are too many for that: they are counted, and one message tells of a minute.

pub(crate) mod counts;
pub(crate) mod deliveries;
pub mod endpoints;
pub mod keepers;
mod payloads;
pub(crate) mod reports;
