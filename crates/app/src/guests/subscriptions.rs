//! Guests who ask to be told of new photos of them in an event.
//!
//! A search answers a token that holds the template of the face, encrypted; with an e-mail address and a consent of its own
//! the guest sends it back. Confirmed by mail, the template is compared whenever the event has changed.

pub(crate) mod carrying_over;
pub mod requests;
pub(crate) mod telling;
