//! What guests see of who took their photos.

pub(crate) mod colors;
mod oklch;
pub mod studios;
pub mod watermarks;
