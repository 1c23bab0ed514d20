//! What guests see of who took their photos.

pub(crate) mod colors;
pub mod hosts;
mod oklch;
pub mod studios;
pub mod watermarks;
