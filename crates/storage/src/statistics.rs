//! What happens around an event, as numbers that name nobody.

pub mod activity;
pub mod weekly;
