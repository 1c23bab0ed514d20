//! Events that were deleted within the last week: they are restored, or removed for good.

use domain::accounts::User;
use domain::events::Event;
use domain::team::Right;
use domain::{EventId, Job, Refusal, UserId};
use storage::events::recently_deleted;
use storage::photos::Collection;

use crate::accounts::deletion_receipts;
use crate::accounts::security_log::SecurityEvent;
use crate::events::Listed;
use crate::guests::guest_photos::removal as guest_photos;
use crate::operations::administration::Administration;
use crate::operations::runtime::queue::Tx;
use crate::photos::removal::{BATCH, forget, remove_trash, truncate_log};
use crate::photos::trash;
use crate::team::rights::{self, Reached};
use crate::{App, Result};

/// A deleted event of the caller's own.
async fn own(app: &App, owner: &User, id: EventId) -> Result<Event> {
    let event = storage::events::by_id(&app.db, id).await?;
    let event = event.filter(|event| event.owner == owner.id).ok_or(Refusal::EventNotFound)?;
    if event.deleting_since.is_some() && event.deleted_at.is_none() {
        return Err(Refusal::EventBeingDeleted.into());
    }
    Ok(event)
}

/// Restores a deleted event of the caller's own: it is open at once, and its photos come back in the background. One that is not
/// deleted stays as it is.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventBeingDeleted`] while its photos are on their way to the trash, or
/// [`Refusal::EventNotRestorable`].
pub async fn restore(app: &App, owner: &User, id: EventId) -> Result<Listed> {
    let event = own(app, owner, id).await?;
    if event.deleted_at.is_some() {
        let mut tx = app.begin().await?;
        let since = recently_deleted::restore(&mut tx, id, owner.id, app.now()).await?;
        since.ok_or(Refusal::EventNotRestorable)?;
        tx.enqueue(&Job::RestoreEvent { event: id }).await?;
        tx.commit().await?;
        forget(app, owner.id, Some(id));
    }
    Listed::of(app, rights::event(app, owner, id, Right::Own).await?).await
}

/// The job of [`restore`]. Photos whose bytes were uploaded again stay in the trash.
pub(crate) async fn finish_restoring(app: &App, id: EventId) -> Result<()> {
    let Some(since) = recently_deleted::restoring_since(&app.db, id).await? else { return Ok(()) };
    let Some(event) = storage::events::by_id(&app.db, id).await? else { return Ok(()) };
    let reached = Reached { collection: Collection::Event(id), owner: event.owner, uploader: None };
    let mut after = None;
    loop {
        let ids =
            storage::photos::trash::deleted_at(&app.db, reached.collection, since, after, BATCH).await?;
        let Some(last) = ids.last() else { break };
        after = Some(*last);
        trash::restore_some(app, &reached, &ids).await?;
    }
    let mut tx = app.begin().await?;
    if recently_deleted::finish_restoring(&mut tx, id, since).await? {
        tx.commit().await?;
        tracing::info!(event = %id, "a deleted event is restored");
    }
    Ok(())
}

/// Removes a deleted event of the caller's own for good, without waiting for the rest of the week. A repeat changes nothing.
///
/// # Errors
/// [`Refusal::EventNotFound`] also for one that is not deleted, or [`Refusal::EventBeingDeleted`] while its photos are on their
/// way to the trash.
pub async fn purge(app: &App, owner: &User, id: EventId) -> Result<()> {
    if own(app, owner, id).await?.deleted_at.is_none() {
        return Err(Refusal::EventNotFound.into());
    }
    let mut tx = app.begin().await?;
    begin_purge(&mut tx, id, owner.id).await?;
    let now = storage::events::by_id(&mut *tx, id).await?;
    if now.is_none_or(|event| event.deleted_at.is_none()) {
        // It was restored a moment ago.
        return Err(Refusal::EventNotFound.into());
    }
    tx.commit().await
}

/// The same for an administrator, of any account's event.
///
/// # Errors
/// Those of [`purge`].
pub async fn purge_any(administration: &Administration, id: EventId) -> Result<()> {
    let event = storage::events::by_id(&administration.db, id).await?.ok_or(Refusal::EventNotFound)?;
    if event.deleted_at.is_none() {
        let is_closed = event.deleting_since.is_some();
        return Err(if is_closed { Refusal::EventBeingDeleted } else { Refusal::EventNotFound }.into());
    }
    let mut tx = administration.queue.begin().await?;
    begin_purge(&mut tx, id, event.owner).await?;
    tx.commit().await?;
    administration.record(SecurityEvent::EventPurged, Some(event.owner));
    Ok(())
}

/// Ends the time in which an event can be restored, in the caller's transaction; what is left is removed by a job.
pub(crate) async fn begin_purge(tx: &mut Tx, id: EventId, owner: UserId) -> Result<()> {
    if recently_deleted::lock(tx, id).await? {
        deletion_receipts::begin_event(tx, id, owner).await?;
        recently_deleted::give_up(tx, id).await?;
        tx.enqueue(&Job::PurgeEvent { event: id }).await?;
    }
    Ok(())
}

/// The job of [`purge`].
pub(crate) async fn finish_purge(app: &App, id: EventId) -> Result<()> {
    let Some(event) = storage::events::by_id(&app.db, id).await? else { return Ok(()) };
    if event.deleted_at.is_none() || event.restorable_until.is_some() {
        return Ok(());
    }
    remove_trash(app, Collection::Event(id)).await?;
    guest_photos::remove_all(app, id).await?;
    truncate_log(app).await;
    tracing::info!(event = %id, "a deleted event is removed for good");
    deletion_receipts::settle(app, event.owner).await
}

/// Begins the removal of deleted events whose week is over.
pub(crate) async fn purge_due(app: &App) -> Result<()> {
    loop {
        let due = recently_deleted::due(&app.db, app.now(), BATCH).await?;
        if due.is_empty() {
            return Ok(());
        }
        for event in due {
            let mut tx = app.begin().await?;
            begin_purge(&mut tx, event.id, event.owner).await?;
            tx.commit().await?;
        }
    }
}

/// Queues the restorations again whose job failed or is lost.
pub(crate) async fn resume(app: &App) -> Result<()> {
    for event in recently_deleted::stalled(&app.db).await? {
        let mut tx = app.begin().await?;
        tx.enqueue(&Job::RestoreEvent { event }).await?;
        tx.commit().await?;
        tracing::warn!(%event, "a restoration is queued again");
    }
    Ok(())
}
