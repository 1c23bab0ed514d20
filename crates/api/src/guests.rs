//! What guests do with the photos they see, and what they ask for.

pub(crate) mod archives;
pub(crate) mod browsing;
pub(crate) mod client_selections;
pub(crate) mod everything;
pub(crate) mod guest_photos;
pub(crate) mod hearts;
pub(crate) mod kept_searches;
pub(crate) mod objections;
pub(crate) mod questions;
pub(crate) mod reminders;
pub(crate) mod results;
pub(crate) mod subscriptions;
pub(crate) mod walls;
pub(crate) mod without_strangers;
