//! When the retention period of an event's photos has ended.
//!
//! An event expires a period after the later of its date (midnight UTC) and its last upload, which
//! `domain::events::Event::expires_at` computes for one event and the column `retained_from` for all of them.

use std::time::Duration;

use domain::events::Event;
use domain::{EventId, Timestamp};

use crate::dialect::for_update;
use crate::events::select;
use crate::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

/// The open events that have photos and have expired by `now`, longest first.
pub async fn due(db: impl Executor, period: Duration, now: Timestamp, limit: i64) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!(
            "WHERE deleting_since IS NULL AND deleted_at IS NULL AND retained_from <= $1
             AND EXISTS (SELECT 1 FROM photos there WHERE there.event_id = events.id)",
            "ORDER BY retained_from, events.id LIMIT $2"
        ),
        now.minus(period),
        limit,
    )
}

/// Whether an event is still open and expired. Its row is locked, so that this stays so until the transaction ends: no upload
/// comes between this and the removal of its photos.
pub async fn lock_due(tx: &mut Tx, event: EventId, period: Duration, now: Timestamp) -> Result<bool> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = $1 AND retained_from <= $2 AND deleting_since IS NULL AND deleted_at IS NULL"
    );
    let due = fetch_optional!(tx, String, statement, event, now.minus(period))?;
    Ok(due.is_some())
}

/// The open events that have photos, expire after `now` and no later than `ahead` from it, and whose owner was not
/// warned of that moment, soonest first.
pub async fn to_warn(
    db: impl Executor,
    period: Duration,
    ahead: Duration,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!(
        "WHERE deleting_since IS NULL AND deleted_at IS NULL AND retained_from > $1 AND retained_from <= $2
             AND (warned_for IS NULL OR warned_for <> retained_from + $3)
             AND EXISTS (SELECT 1 FROM photos there WHERE there.event_id = events.id)",
        "ORDER BY retained_from, events.id LIMIT $4"
    ),
        now.minus(period),
        now.plus(ahead).minus(period),
        i64::try_from(period.as_millis()).unwrap_or(i64::MAX),
        limit,
    )
}

/// Records that the owner is warned of the removal at `expires_at`; true for the first caller alone.
pub async fn mark_warned(tx: &mut Tx, event: EventId, expires_at: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE events SET warned_for = $2 WHERE id = $1 AND (warned_for IS NULL OR warned_for <> $2)",
        event,
        expires_at,
    )?;
    Ok(updated == 1)
}
