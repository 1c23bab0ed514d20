//! What of an event's photos guests are shown: as they arrive, once they are published, or all of them.

use domain::accounts::User;
use domain::events::publication::Publication;
use domain::team::Right;
use domain::{EventId, Refusal};

use crate::events::Listed;
use crate::team::rights;
use crate::webhooks::reports;
use crate::{App, Result};

/// What is to change; what is none stays as it is.
#[derive(Debug, Default)]
pub struct Change {
    /// What becomes of photos that arrive, as it was entered.
    pub publication: Option<String>,
    /// Up to which held photo they are published: the `last` of those that the photographer was shown, so that photos which have
    /// arrived since stay held.
    pub publish_through: Option<i64>,
}

/// Publishes held photos of an event that the caller manages, and changes what becomes of photos that arrive, both or neither.
///
/// # Errors
/// [`Refusal::EventPublicationUnknown`], [`Refusal::EventPhotosHeld`], [`Refusal::EventNotFound`],
/// [`Refusal::EventBeingDeleted`], or [`Refusal::ManagersOnly`].
pub async fn change(app: &App, caller: &User, id: EventId, change: Change) -> Result<Listed> {
    let publication = change.publication.as_deref().map(Publication::parse).transpose()?;
    rights::open_event(app, caller, id, Right::Manage).await?;
    let mut tx = app.begin().await?;
    // No photo arrives until the transaction ends.
    let event = storage::events::changes::lock(&mut tx, id).await?.ok_or(Refusal::EventBeingDeleted)?;
    let published = match change.publish_through {
        Some(through) => storage::events::publication::publish(&mut tx, id, through).await?,
        None => 0,
    };
    if let Some(publication) = publication.filter(|publication| *publication != event.publication) {
        publication.check_left(event.held.indexing.total - published)?;
        storage::events::publication::set(&mut tx, id, publication, app.now()).await?;
        if publication == Publication::Complete {
            reports::event_complete(app, &mut tx, &event).await?;
        }
    }
    tx.commit().await?;
    Listed::of(app, rights::event(app, caller, id, Right::Manage).await?).await
}
