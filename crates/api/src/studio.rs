//! What guests see of who took their photos.

pub(crate) mod hosts;
pub(crate) mod studios;
pub(crate) mod watermarks;
