//! What guests do with the photos they see, and what they ask for.

pub mod client_selections;
pub mod guest_photos;
pub mod kept_searches;
pub mod objections;
pub mod questions;
pub mod subscriptions;
pub mod walls;
