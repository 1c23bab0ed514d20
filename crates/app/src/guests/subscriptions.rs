//! Guests who ask to be told of new photos of them in an event.
//!
//! A search answers a token that holds the template of the face, encrypted; with an e-mail address and a consent of its own
//! the guest sends it back. Confirmed by mail, the template is compared whenever the event has changed.

use domain::EventId;
use domain::accounts::User;
use domain::guests::subscriptions::ToldGuests;
use domain::team::Right;

use crate::team::rights;
use crate::{App, Result};

pub(crate) mod carrying_over;
pub mod requests;
pub(crate) mod telling;

/// How many guests of one of the caller's events are told of new photos.
///
/// # Errors
/// [`domain::Refusal::EventNotFound`] or [`domain::Refusal::ManagersOnly`].
pub async fn count(app: &App, caller: &User, event: EventId) -> Result<ToldGuests> {
    rights::event(app, caller, event, Right::Manage).await?;
    Ok(storage::guests::subscriptions::count_told(&app.db, event).await?)
}
