//! What guests see of who took their photos.

pub mod studios;
pub(crate) mod watermarked;
pub mod watermarks;
