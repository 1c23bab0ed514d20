//! People of an event, for its photographer alone: faces that were put together because they are alike.

pub mod decisions;
pub mod grouping;
pub mod lists;
pub(crate) mod pictures;
