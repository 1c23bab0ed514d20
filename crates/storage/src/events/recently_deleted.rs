//! Events that were deleted and can be restored. Their photos are in the trash.

use domain::events::Event;
use domain::{EventId, Job, Timestamp, UserId};

use super::select;
use crate::faces::index;
use crate::guests::{
    archives, client_selections, guest_photos, kept_searches, objections, subscriptions, walls,
};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::photos::albums;
use crate::uploads::ftp;
use crate::{Executor, Result, Tx, team};

/// Deletes what gives access to an event that is being deleted, and does not come back with it.
pub(super) async fn delete_access(tx: &mut Tx, id: EventId) -> Result<()> {
    archives::delete_of(tx, id).await?;
    team::delete_invitations_of(tx, id).await?;
    ftp::delete(tx, id).await?;
    walls::delete(tx, id).await?;
    Ok(())
}

/// Deletes what guests and other photographers have left in an event.
pub(super) async fn delete_belongings(tx: &mut Tx, id: EventId) -> Result<()> {
    subscriptions::delete_of(tx, id).await?;
    objections::delete_of(tx, id).await?;
    kept_searches::delete_key(tx, id).await?;
    team::delete_of(tx, id).await?;
    client_selections::delete_of(tx, id).await?;
    albums::delete_of_unrestorable(tx, id).await
}

/// Opens a deleted event again, and answers since when its photos have been in the trash; none when it cannot be restored.
pub async fn restore(tx: &mut Tx, id: EventId, owner: UserId, now: Timestamp) -> Result<Option<Timestamp>> {
    let since = fetch_optional!(
        &mut *tx,
        i64,
        "UPDATE events SET restoring_since = deleting_since, deleting_since = NULL, deletion_job = NULL, deleted_at = NULL,
             restorable_until = NULL, revision = revision + 1
         WHERE id = $1 AND owner_id = $2 AND deleted_at IS NOT NULL AND restorable_until > $3
         RETURNING restoring_since",
        id,
        owner,
        now,
    )?;
    if since.is_some() {
        guest_photos::warn_again(tx, id).await?;
        index::reread_owner(tx, owner).await?;
    }
    Ok(since.map(Timestamp::from_millis))
}

/// Since when those photos of an open event have been in the trash that are still to be restored.
pub async fn restoring_since(db: &dyn Executor, id: EventId) -> Result<Option<Timestamp>> {
    let since = fetch_optional!(
        db,
        i64,
        "SELECT restoring_since FROM events
         WHERE id = $1 AND restoring_since IS NOT NULL AND deleting_since IS NULL AND deleted_at IS NULL",
        id,
    )?;
    Ok(since.map(Timestamp::from_millis))
}

/// Records that all photos of a restored event are back, unless it was deleted again.
pub async fn finish_restoring(tx: &mut Tx, id: EventId, since: Timestamp) -> Result<bool> {
    let statement = "UPDATE events SET restoring_since = NULL WHERE id = $1 AND restoring_since = $2";
    Ok(execute!(tx, statement, id, since)? == 1)
}

/// The events whose photos are still to be restored, and by no job that is queued.
pub async fn stalled(db: &dyn Executor) -> Result<Vec<EventId>> {
    let mut restoring: Vec<EventId> =
        fetch_all!(db, EventId, "SELECT id FROM events WHERE restoring_since IS NOT NULL ORDER BY id")?;
    if !restoring.is_empty() {
        // The events first: the job of one that is restored meanwhile is queued by the same transaction.
        let queued: Vec<String> = fetch_all!(
            db,
            String,
            "SELECT payload FROM jobs WHERE kind = 'restore_event' AND state = 'queued'"
        )?;
        let queued: Vec<EventId> = queued.iter().filter_map(|payload| restored_by(payload)).collect();
        restoring.retain(|event| !queued.contains(event));
    }
    Ok(restoring)
}

fn restored_by(payload: &str) -> Option<EventId> {
    match serde_json::from_str(payload) {
        Ok(Job::RestoreEvent { event }) => Some(event),
        _ => None,
    }
}

/// The deleted events that could be restored until `now` at the latest.
pub async fn due(db: &dyn Executor, now: Timestamp, limit: i64) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!(
            "WHERE restorable_until <= $1 AND deleted_at IS NOT NULL",
            "ORDER BY restorable_until LIMIT $2"
        ),
        now,
        limit,
    )
}

/// The deleted events of an owner that can be restored, in the order in which they are to be locked.
pub async fn restorable_ids(db: &dyn Executor, owner: UserId) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events WHERE owner_id = $1 AND restorable_until IS NOT NULL ORDER BY id",
        owner,
    )
}

/// Locks a deleted event that can be restored; false for any other.
pub async fn lock(tx: &mut Tx, id: EventId) -> Result<bool> {
    let statement =
        for_update!(tx.engine(), "SELECT id FROM events WHERE id = $1 AND restorable_until IS NOT NULL");
    Ok(fetch_optional!(tx, String, statement, id)?.is_some())
}

/// Ends the time in which a deleted event can be restored, and deletes what guests and other photographers have left in it; false
/// when it could not be restored any more. Its photos in the trash are the caller's.
pub async fn give_up(tx: &mut Tx, id: EventId) -> Result<bool> {
    let updated = execute!(
        &mut *tx,
        "UPDATE events SET restorable_until = NULL WHERE id = $1 AND restorable_until IS NOT NULL",
        id,
    )?;
    if updated == 1 {
        delete_belongings(tx, id).await?;
    }
    Ok(updated == 1)
}
