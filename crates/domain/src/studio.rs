//! What guests see of who took their photos.

pub(crate) mod colors;
pub mod studios;
pub mod watermarks;
