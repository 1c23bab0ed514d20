//! Why a file cannot be given to guests.

/// Its metadata cannot be overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file's metadata cannot be overwritten")]
pub struct NotRedactable;
