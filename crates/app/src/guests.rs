//! What guests do with the photos they see, and what they ask for.

pub mod archives;
pub mod browsing;
pub mod client_selections;
pub mod everything;
pub mod guest_photos;
pub mod hearts;
pub mod kept_searches;
mod mails;
pub mod objections;
pub mod questions;
pub mod reminders;
pub mod results;
pub mod subscriptions;
pub mod walls;
pub mod without_strangers;
