//! Guests who object to being found: 'Remove me'.
//!
//! By a fresh selfie a guest sees which photos a strict search finds, and asks for one of two things: that nobody finds these
//! photos, or that nobody finds the guest. Both hold at once; the photographer is told and can undo them, for good.

pub mod decisions;
pub(crate) mod mails;
pub mod requests;
pub(crate) mod suppression;
