//! What administrators are shown of accounts and events, and what only they change.

mod accounts;
mod credits;
mod events;
mod totals;

pub use accounts::*;
pub use credits::*;
pub use events::*;
pub use totals::*;
