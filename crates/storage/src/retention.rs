//! When an event's photos have been kept long enough.
//!
//! An event expires a period after the later of its date (midnight UTC) and its last upload, which
//! `domain::events::Event::expires_at` computes for one event and the column `retained_from` for all of them.

use std::time::Duration;

use domain::events::Event;
use domain::{EventId, Timestamp};

use crate::db::each;
use crate::dialect::for_update;
use crate::events::{EventRow, select};
use crate::{Db, Result, Tx};

/// The open events that have photos and have expired by `now`, longest first.
pub async fn due(db: &Db, period: Duration, now: Timestamp, limit: i64) -> Result<Vec<Event>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!(
            "WHERE deleting_since IS NULL AND deleted_at IS NULL AND retained_from <= $1
                 AND EXISTS (SELECT 1 FROM photos there WHERE there.event_id = events.id)",
            "ORDER BY retained_from, events.id LIMIT $2"
        ))
        .bind(now.minus(period).as_millis())
        .bind(limit)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Event::try_from).collect()
}

/// Whether an event is still open and expired. It is held, so that this stays so until the transaction ends: no upload
/// comes between this and the removal of its photos.
pub async fn lock_due(tx: &mut Tx, event: EventId, period: Duration, now: Timestamp) -> Result<bool> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = $1 AND retained_from <= $2 AND deleting_since IS NULL AND deleted_at IS NULL"
    );
    let held: Option<String> = each!(tx.conn(), conn => sqlx::query_scalar(statement)
        .bind(event.to_string())
        .bind(now.minus(period).as_millis())
        .fetch_optional(conn)
        .await)?;
    Ok(held.is_some())
}

/// The open events that have photos, expire after `now` and no later than `ahead` from it, and whose owner was not
/// warned of that moment, soonest first.
pub async fn to_warn(
    db: &Db,
    period: Duration,
    ahead: Duration,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<Event>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!(
            "WHERE deleting_since IS NULL AND deleted_at IS NULL AND retained_from > $1 AND retained_from <= $2
                 AND (warned_for IS NULL OR warned_for <> retained_from + $3)
                 AND EXISTS (SELECT 1 FROM photos there WHERE there.event_id = events.id)",
            "ORDER BY retained_from, events.id LIMIT $4"
        ))
        .bind(now.minus(period).as_millis())
        .bind(now.plus(ahead).minus(period).as_millis())
        .bind(i64::try_from(period.as_millis()).unwrap_or(i64::MAX))
        .bind(limit)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Event::try_from).collect()
}

/// Notes that the owner is warned of the removal at `expires_at`; true for the one caller who does so first.
pub async fn mark_warned(tx: &mut Tx, event: EventId, expires_at: Timestamp) -> Result<bool> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE events SET warned_for = $2 WHERE id = $1 AND (warned_for IS NULL OR warned_for <> $2)",
        )
        .bind(event.to_string())
        .bind(expires_at.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}
