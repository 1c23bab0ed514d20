//! When the retention period of photos that belong to no event has ended, and whether their owner was told.
//!
//! Each expires a period after its upload. It is removed at the date that a delivered mail has told, never before.

use std::time::Duration;

use domain::photos::Photo;
use domain::{PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one};
use crate::photos::select;
use crate::{Executor, Result, Tx};

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// The open accounts with photos of the library that were uploaded by `uploaded_by` and of whose removal no valid warning was
/// delivered, if none was enqueued since `asked_before`.
pub async fn owners_to_warn(
    db: &dyn Executor,
    period: Duration,
    uploaded_by: Timestamp,
    asked_before: Timestamp,
    limit: i64,
) -> Result<Vec<UserId>> {
    fetch_all!(
        db,
        UserId,
        "SELECT id FROM users WHERE closed_at IS NULL AND (library_warned_at IS NULL OR library_warned_at <= $3)
             AND id IN (SELECT owner_id FROM photos WHERE event_id IS NULL AND photos.created_at <= $2
                 AND (photos.removal_at IS NULL OR photos.removal_at < photos.created_at + $1))
         ORDER BY id LIMIT $4",
        millis(period),
        uploaded_by,
        asked_before,
        limit,
    )
}

/// Records that a warning is enqueued; true for the first caller alone.
pub async fn mark_warned(
    tx: &mut Tx,
    owner: UserId,
    now: Timestamp,
    asked_before: Timestamp,
) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET library_warned_at = $2
         WHERE id = $1 AND closed_at IS NULL AND (library_warned_at IS NULL OR library_warned_at <= $3)",
        owner,
        now,
        asked_before,
    )?;
    Ok(updated == 1)
}

/// Photos of a library whose owner is to be told of their removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiring {
    /// How many.
    pub photos: i64,
    /// When the latest of them was uploaded.
    pub last_upload: Option<Timestamp>,
}

row! {
    pub(crate) struct ExpiringRow {
        photos: i64,
        last_upload: Option<i64>,
    }
}

impl FromColumns for Expiring {
    type Columns = ExpiringRow;

    fn from_columns(row: ExpiringRow) -> Result<Self> {
        Ok(Self { photos: row.photos, last_upload: decode::time(row.last_upload) })
    }
}

/// The photos of a library that were uploaded by `uploaded_by` and of whose removal no valid warning was delivered.
pub async fn to_warn(
    db: &dyn Executor,
    owner: UserId,
    period: Duration,
    uploaded_by: Timestamp,
) -> Result<Expiring> {
    fetch_one!(
        db,
        Expiring,
        "SELECT COUNT(*) AS photos, MAX(created_at) AS last_upload FROM photos
         WHERE owner_id = $1 AND event_id IS NULL AND created_at <= $3
             AND (removal_at IS NULL OR removal_at < created_at + $2)",
        owner,
        millis(period),
        uploaded_by,
    )
}

/// Records that their owner was told of the removal of these photos at `told`, and answers how many they are.
pub async fn confirm_warning(
    db: &dyn Executor,
    owner: UserId,
    period: Duration,
    uploaded_by: Timestamp,
    told: Timestamp,
) -> Result<u64> {
    execute!(
        db,
        "UPDATE photos SET removal_at = $4 WHERE owner_id = $1 AND event_id IS NULL AND created_at <= $3
             AND (removal_at IS NULL OR removal_at < created_at + $2)",
        owner,
        millis(period),
        uploaded_by,
        told,
    )
}

/// Photos of libraries that have expired by `now` and of whose removal by then their owner was told, oldest first. Those of a closed
/// account are removed with it, and counted by its receipt.
pub async fn due(db: &dyn Executor, period: Duration, now: Timestamp, limit: i64) -> Result<Vec<Photo>> {
    fetch_all!(
        db,
        Photo,
        select!(
            "WHERE event_id IS NULL AND created_at <= $1 AND removal_at <= $2 AND removal_at >= created_at + $3
                 AND (SELECT closed_at FROM users WHERE users.id = photos.owner_id) IS NULL
             ORDER BY created_at, id LIMIT $4"
        ),
        now.minus(period),
        now,
        millis(period),
        limit,
    )
}

/// The removal of a photo, as its owner was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The photo.
    pub photo: PhotoId,
    /// When.
    pub at: Timestamp,
}

row! {
    pub(crate) struct RemovalRow {
        id: String,
        removal_at: i64,
    }
}

impl FromColumns for Removal {
    type Columns = RemovalRow;

    fn from_columns(row: RemovalRow) -> Result<Self> {
        Ok(Self { photo: decode::id(&row.id, "photos.id")?, at: Timestamp::from_millis(row.removal_at) })
    }
}

/// The removals of photos of a library that their owner was told of, in no order.
pub async fn announced(db: &dyn Executor, owner: UserId) -> Result<Vec<Removal>> {
    fetch_all!(
        db,
        Removal,
        "SELECT id, removal_at FROM photos WHERE owner_id = $1 AND event_id IS NULL AND removal_at IS NOT NULL",
        owner,
    )
}
