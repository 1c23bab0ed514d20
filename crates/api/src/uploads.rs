//! Taking photos in.

pub(crate) mod forms;
pub(crate) mod from_guests;
pub(crate) mod ftp;
pub(crate) mod resumable;
pub(crate) mod upload;
pub(crate) mod versions;
