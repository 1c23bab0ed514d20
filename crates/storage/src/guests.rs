//! What guests do with the photos they see, and what they ask for.

pub mod archives;
pub mod browsing;
pub mod client_selections;
mod event_keys;
pub mod guest_photos;
pub mod hearts;
pub mod kept_searches;
pub mod objections;
pub mod questions;
pub mod subscriptions;
pub mod walls;
