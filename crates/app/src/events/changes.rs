//! Changing events.

use domain::accounts::User;
use domain::events::changes::Changes;
use domain::photos::{Photo, Size};
use domain::team::Right;
use domain::{EventId, Refusal};

use crate::events::Listed;
use crate::team::rights;
use crate::{App, Result};

/// Changes an event that the caller manages. Whoever changes something else of it at the same time loses nothing.
///
/// # Errors
/// The refusals of its fields, [`Refusal::EventCoverHeld`], [`Refusal::EventCoverUnfit`], [`Refusal::EventNotFound`], [`Refusal::EventBeingDeleted`],
/// [`Refusal::ManagersOnly`], or [`Refusal::OwnerOnly`] for the day of its removal and its period.
pub async fn change(app: &App, caller: &User, id: EventId, changes: Changes) -> Result<Listed> {
    let granted = rights::open_event(app, caller, id, Right::Manage).await?;
    if changes.expires_on.is_some() || changes.keep_days.is_some() {
        // On that day, or after that period, photos are deleted, as with the event.
        granted.role.check(Right::Own)?;
    }
    let mut tx = app.begin().await?;
    let event = storage::events::changes::lock(&mut tx, id).await?.ok_or(Refusal::EventBeingDeleted)?;
    let cover = changes.chosen_cover();
    let changed = changes.applied(&event, app.settings.keeping, app.now())?;
    storage::events::changes::save(&mut tx, &changed).await?;
    if changed.flags.stacks_photos != event.flags.stacks_photos {
        storage::photos::stacks::begin_again(&mut tx, id).await?;
    }
    if changed.keep_days != event.keep_days {
        storage::events::retention::forget_warning(&mut tx, id).await?;
    }
    if let Some(cover) = cover? {
        if let Some(photo) = cover {
            let photo = storage::photos::by_id(&mut *tx, photo).await?;
            if photo.as_ref().is_some_and(|photo| photo.event == Some(id) && photo.held) {
                return Err(Refusal::EventCoverHeld.into());
            }
            photo.filter(|photo| is_fit(photo, id)).ok_or(Refusal::EventCoverUnfit)?;
        }
        storage::events::changes::set_cover(&mut tx, id, cover).await?;
    }
    tx.commit().await?;
    Listed::of(app, rights::event(app, caller, id, Right::Manage).await?).await
}

/// Whether all guests of an event may see a photo.
fn is_fit(photo: &Photo, event: EventId) -> bool {
    photo.event == Some(event) && !photo.hidden && photo.sizes().contains(&Size::Medium)
}
