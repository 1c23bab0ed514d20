//! What guests see of who took their photos.

pub(crate) mod host_cache;
pub mod hosts;
pub mod studios;
pub(crate) mod watermarked;
pub mod watermarks;
