//! Webhooks: endpoints of operators and of photographers that are told what happens, and how often a delivery is tried.
//!
//! Form, signature and retries are those of the Standard Webhooks specification (decision 0050); what photographers have of them is decision 0102.

mod deliveries;
mod endpoints;
mod events;
mod networks;
mod secrets;

pub use deliveries::{Attempt, Delivery, DeliveryState, Verdict, judge, retry_after};
pub use endpoints::{
    Disabled, DisabledBy, ENDPOINTS, Endpoint, OVERLAP, OWN_ENDPOINTS, URL_LENGTH, has_failed_too_long,
    parse_description,
};
pub use events::{BATCH, EventType, EventTypes};
pub use networks::{Network, Reach};
pub use secrets::Secret;
