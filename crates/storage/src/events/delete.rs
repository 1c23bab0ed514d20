//! Deleting events.

use domain::{EventId, JobId, Timestamp, UserId};

use super::recently_deleted;
use crate::faces::index;
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::photos::albums;
use crate::{Result, Tx};

/// The outcome of a request to delete an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// It had no photos and is deleted.
    Done,
    /// It has photos, which the given job is to move to the trash, or to remove; the caller adds that job to the same transaction.
    Started,
    /// It is being deleted already, by this job.
    Running(JobId),
    /// There is no such event of this owner, or it is deleted.
    Missing,
}

/// Closes an event to guests and uploads. One without photos is deleted at once; one with photos waits for `job`, which moves them
/// to the trash. Until `restorable_until` it can be restored with what its guests and its team have left. However often and from
/// wherever it is asked for, one deletion begins.
pub async fn begin_deletion(
    tx: &mut Tx,
    id: EventId,
    owner: UserId,
    job: JobId,
    now: Timestamp,
    restorable_until: Timestamp,
) -> Result<Deletion> {
    if !mark(tx, id, owner, job, now, Some(restorable_until)).await? {
        return running_deletion(tx, id, owner).await;
    }
    recently_deleted::delete_access(tx, id).await?;
    let deletion = outcome(tx, id, now).await?;
    index::reread_owner(tx, owner).await?;
    Ok(deletion)
}

/// Closes an event for good, for a transaction that closes several events of an owner: it changes the owner's row once, when all
/// of them are locked. One without photos is deleted at once; one with photos waits for `job`, which removes them.
pub async fn close(tx: &mut Tx, id: EventId, owner: UserId, job: JobId, now: Timestamp) -> Result<Deletion> {
    if !mark(tx, id, owner, job, now, None).await? {
        return running_deletion(tx, id, owner).await;
    }
    recently_deleted::delete_access(tx, id).await?;
    recently_deleted::delete_belongings(tx, id).await?;
    outcome(tx, id, now).await
}

/// Marks an open event as being deleted; false for any other.
async fn mark(
    tx: &mut Tx,
    id: EventId,
    owner: UserId,
    job: JobId,
    now: Timestamp,
    restorable_until: Option<Timestamp>,
) -> Result<bool> {
    // The event before its photos, as a restoration locks them.
    let statement = for_update!(
        tx.engine(),
        "SELECT restoring_since FROM events
         WHERE id = $1 AND owner_id = $2 AND restoring_since IS NOT NULL AND deleting_since IS NULL AND deleted_at IS NULL"
    );
    if let Some(restoring_since) = fetch_optional!(&mut *tx, i64, statement, id, owner)? {
        // Photos that a restoration has not brought back yet are deleted with the others.
        execute!(
            &mut *tx,
            "UPDATE trashed_photos SET trashed_at = $3 WHERE event_id = $1 AND trashed_at = $2",
            id,
            restoring_since,
            now,
        )?;
    }
    let closed = execute!(
        tx,
        "UPDATE events SET deleting_since = $4, deletion_job = $3, restorable_until = $5, restoring_since = NULL,
             revision = revision + 1, removals = removals + 1
         WHERE id = $1 AND owner_id = $2 AND deleting_since IS NULL AND deleted_at IS NULL",
        id,
        owner,
        job,
        now,
        restorable_until,
    )?;
    Ok(closed == 1)
}

async fn outcome(tx: &mut Tx, id: EventId, now: Timestamp) -> Result<Deletion> {
    // An upload that comes to count its photo finds the event closed, so that none can follow this check.
    if finish_deletion(tx, id, now).await? { Ok(Deletion::Done) } else { Ok(Deletion::Started) }
}

async fn running_deletion(tx: &mut Tx, id: EventId, owner: UserId) -> Result<Deletion> {
    let job = fetch_optional!(
        tx,
        JobId,
        "SELECT deletion_job FROM events
         WHERE id = $1 AND owner_id = $2 AND deletion_job IS NOT NULL AND deleted_at IS NULL",
        id,
        owner,
    )?;
    Ok(job.map_or(Deletion::Missing, Deletion::Running))
}

/// Whether the deletion of an event that began at `since` is under way. Its row is locked, so that this stays so until the
/// transaction ends.
pub async fn lock_deleting(tx: &mut Tx, id: EventId, since: Timestamp) -> Result<bool> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = $1 AND deleting_since = $2 AND deleted_at IS NULL"
    );
    Ok(fetch_optional!(tx, String, statement, id, since)?.is_some())
}

/// Ends a deletion: true once, when no photo is left, in the trash neither where the event cannot be restored; the row stays with its
/// numbers.
pub async fn finish_deletion(tx: &mut Tx, id: EventId, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        &mut *tx,
        "UPDATE events SET deleted_at = $2
         WHERE id = $1 AND deleting_since IS NOT NULL AND deleted_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM photos WHERE photos.event_id = events.id)
             AND (restorable_until IS NOT NULL
                 OR NOT EXISTS (SELECT 1 FROM trashed_photos WHERE trashed_photos.event_id = events.id))",
        id,
        now,
    )?;
    if updated == 1 {
        albums::delete_of_unrestorable(tx, id).await?;
    }
    Ok(updated == 1)
}

/// Erases the texts of an owner's deleted events, for an account that is closed; answers their number.
pub async fn erase_texts(tx: &mut Tx, owner: UserId) -> Result<u64> {
    execute!(
        tx,
        "UPDATE events SET name = '', description = NULL, slug = id, coupon_code = NULL, pin = NULL,
             invitation_language = NULL, invitation_text = NULL
         WHERE owner_id = $1 AND deleted_at IS NOT NULL AND slug <> id",
        owner,
    )
}
