//! Guests who object to being found: 'Remove me'.
//!
//! By a fresh selfie a guest sees which photos a strict search finds, and asks for one of two things: that nobody finds these
//! photos, or that nobody finds the guest. Both hold at once; the photographer is told and can undo them, for good. A
//! request without a live capture waits for the photographer instead.

pub mod decisions;
mod findable;
pub mod live_captures;
pub(crate) mod mails;
pub mod requests;
mod subjects;
pub(crate) mod suppression;
mod waiting;
