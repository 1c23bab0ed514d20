//! Webhooks: what is reported to endpoints of operators, and how it gets there (decision 0050).

pub mod counts;
pub mod deliveries;
pub mod endpoints;
