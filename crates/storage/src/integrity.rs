//! What `afterglow check` asks: what must hold between rows, and where it does not.

use std::collections::HashSet;

use domain::photos::PhotoStatus;
use domain::{CouponId, EventId, Job, Paise, PhotoId, UserId};

use crate::db::each;
use crate::jobs::{self, JobState};
use crate::row::row;
use crate::{Db, Result, Tx, decode, photos};

/// How many rows are read at a time.
const PAGE: i64 = 1_000;

/// An account whose balance is not its ledger's sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbalanced {
    /// Whose.
    pub user: UserId,
    /// What the account says.
    pub balance: Paise,
    /// What the ledger says.
    pub ledger: Paise,
}

row! {
    struct UnbalancedRow {
        id: String,
        credits: i64,
        ledger: i64,
    }
}

/// The accounts, closed ones too, whose balance is not their ledger's sum.
pub async fn unbalanced(db: &Db) -> Result<Vec<Unbalanced>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, UnbalancedRow>(
            "SELECT users.id, credits, CAST(COALESCE(SUM(change), 0) AS BIGINT) AS ledger
             FROM users LEFT JOIN ledger ON ledger.user_id = users.id
             GROUP BY users.id HAVING credits <> COALESCE(SUM(change), 0) ORDER BY users.id",
        )
        .fetch_all(conn)
        .await)?;
    rows.into_iter()
        .map(|row| {
            Ok(Unbalanced {
                user: decode::id(&row.id, "users.id")?,
                balance: Paise::new(row.credits),
                ledger: Paise::new(row.ledger),
            })
        })
        .collect()
}

/// The photos that nobody has paid for, though the account had no premium plan when they were taken in: an upload's
/// ledger row refers to its photo's id.
pub async fn uncharged_photos(db: &Db) -> Result<Vec<PhotoId>> {
    // The condition of the partial index stands in the text, for SQLite does not see that 'upload' implies it.
    let ids: Vec<String> = each!(db.read(), conn => sqlx::query_scalar(
            "SELECT photos.id FROM photos JOIN users ON users.id = photos.owner_id
             WHERE (premium_since IS NULL OR premium_since > photos.created_at)
                 AND NOT EXISTS (SELECT 1 FROM ledger WHERE kind <> 'adjustment' AND kind = 'upload'
                     AND reference = photos.id)
             ORDER BY photos.id",
        )
        .fetch_all(conn)
        .await)?;
    ids.iter().map(|id| decode::id(id, "photos.id")).collect()
}

/// The photos that wait for their indexing while no queued job is about them.
pub async fn unqueued_photos(db: &Db) -> Result<Vec<PhotoId>> {
    // The photos come first: a photo and its job begin in one transaction, so the jobs read afterwards have its job
    // unless that is done by then, which the last look at the photo tells.
    let mut waiting = Vec::new();
    loop {
        let page = photos::unready(db, waiting.last().copied(), PAGE).await?;
        if page.is_empty() {
            break;
        }
        waiting.extend(page);
    }
    let mut queued = HashSet::new();
    let mut after = None;
    loop {
        let page = jobs::in_state(db, JobState::Queued, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        queued.extend(page.into_iter().filter_map(|row| match row.job {
            Some(Job::IndexPhoto { photo }) => Some(photo),
            _ => None,
        }));
    }
    waiting.retain(|photo| !queued.contains(photo));
    let mut forgotten: Vec<PhotoId> = photos::by_ids(db, &waiting)
        .await?
        .into_iter()
        .filter(|photo| photo.status == PhotoStatus::Processing)
        .map(|photo| photo.id)
        .collect();
    forgotten.sort_unstable();
    Ok(forgotten)
}

/// The photos whose number of faces is not the number of faces stored for them.
pub async fn miscounted_photos(db: &Db) -> Result<Vec<PhotoId>> {
    let ids: Vec<String> = each!(db.read(), conn => sqlx::query_scalar(
            "SELECT photos.id FROM photos LEFT JOIN faces ON faces.photo_id = photos.id
             GROUP BY photos.id HAVING photos.faces <> COUNT(faces.id) ORDER BY photos.id",
        )
        .fetch_all(conn)
        .await)?;
    ids.iter().map(|id| decode::id(id, "photos.id")).collect()
}

/// Makes a photo's number of faces the number of those that are stored for it.
pub async fn recount_faces(tx: &mut Tx, id: PhotoId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE photos SET faces = (SELECT COUNT(*) FROM faces WHERE photo_id = photos.id) WHERE id = $1",
        )
        .bind(id.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// The events that have more photos than were ever uploaded to them, as they count.
pub async fn undercounted_events(db: &Db) -> Result<Vec<EventId>> {
    let ids: Vec<String> = each!(db.read(), conn => sqlx::query_scalar(
            "SELECT id FROM events
             WHERE photos_uploaded < (SELECT COUNT(*) FROM photos WHERE event_id = events.id) ORDER BY id",
        )
        .fetch_all(conn)
        .await)?;
    ids.iter().map(|id| decode::id(id, "events.id")).collect()
}

/// Makes an event's number of uploads at least the number of its photos.
pub async fn recount_uploads(tx: &mut Tx, id: EventId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE events SET photos_uploaded = (SELECT COUNT(*) FROM photos WHERE event_id = events.id)
             WHERE id = $1
                 AND photos_uploaded < (SELECT COUNT(*) FROM photos WHERE event_id = events.id)",
        )
        .bind(id.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// The coupons whose number of uses is not the number of those reserved and spent.
pub async fn miscounted_coupons(db: &Db) -> Result<Vec<CouponId>> {
    let ids: Vec<String> = each!(db.read(), conn => sqlx::query_scalar(
            "SELECT id FROM coupons WHERE uses <> (SELECT COUNT(*) FROM coupon_uses
                 WHERE coupon_id = coupons.id AND state <> 'released') ORDER BY id",
        )
        .fetch_all(conn)
        .await)?;
    ids.iter().map(|id| decode::id(id, "coupons.id")).collect()
}

/// Makes a coupon's number of uses the number of those reserved and spent.
///
/// # Errors
/// When the database fails, or there were more uses than the coupon allows.
pub async fn recount_uses(tx: &mut Tx, id: CouponId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE coupons SET uses = (SELECT COUNT(*) FROM coupon_uses
                 WHERE coupon_id = coupons.id AND state <> 'released') WHERE id = $1",
        )
        .bind(id.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// The events whose deletion has begun and whose job is neither queued nor running.
pub async fn stalled_deletions(db: &Db) -> Result<Vec<EventId>> {
    let ids: Vec<String> = each!(db.read(), conn => sqlx::query_scalar(
            "SELECT id FROM events WHERE deleting_since IS NOT NULL AND deleted_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = events.deletion_job AND jobs.state = 'queued')
             ORDER BY id",
        )
        .fetch_all(conn)
        .await)?;
    ids.iter().map(|id| decode::id(id, "events.id")).collect()
}
