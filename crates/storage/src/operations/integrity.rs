//! The invariants between rows that `afterglow check` verifies, and the rows that violate them.

use std::collections::HashSet;

use domain::photos::PhotoStatus;
use domain::{CouponId, EventId, Job, Paise, PhotoId, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::jobs::{self, JobState};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one};
use crate::payments::charges;
use crate::photos;
use crate::photos::counters::{self, Collected, Counts};
use crate::photos::visibility::is_hidden;
use crate::{Db, Executor, Result, Tx};

/// How many rows are read at a time.
const PAGE: i64 = 1_000;

/// An account whose balance is not its ledger's sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbalanced {
    /// Whose.
    pub user: UserId,
    /// The account's balance.
    pub balance: Paise,
    /// The ledger's sum.
    pub ledger: Paise,
}

row! {
    pub(crate) struct UnbalancedRow {
        id: String,
        credits: i64,
        ledger: i64,
    }
}

impl FromColumns for Unbalanced {
    type Columns = UnbalancedRow;

    fn from_columns(row: UnbalancedRow) -> Result<Self> {
        Ok(Self {
            user: decode::id(&row.id, "users.id")?,
            balance: Paise::new(row.credits),
            ledger: Paise::new(row.ledger),
        })
    }
}

/// The accounts, closed ones too, whose balance is not their ledger's sum.
pub async fn unbalanced(db: &dyn Executor) -> Result<Vec<Unbalanced>> {
    fetch_all!(
        db,
        Unbalanced,
        "SELECT users.id, credits, CAST(COALESCE(SUM(change), 0) AS BIGINT) AS ledger
         FROM users LEFT JOIN ledger ON ledger.user_id = users.id
         GROUP BY users.id HAVING credits <> COALESCE(SUM(change), 0) ORDER BY users.id",
    )
}

/// The payments of which a refund was reported and what it returns was not taken back: one that is kept though its payment is
/// recorded, or one that took less than its share of the credits.
pub async fn unapplied_refunds(db: &dyn Executor) -> Result<Vec<String>> {
    fetch_all!(
        db,
        String,
        "SELECT payments.payment_id AS payment_id FROM payments JOIN early_refunds ON early_refunds.provider = payments.provider
             AND early_refunds.payment_id = payments.payment_id
         UNION
         SELECT payments.payment_id AS payment_id FROM payments JOIN refunds ON refunds.provider = payments.provider
             AND refunds.payment_id = payments.payment_id AND refunds.status IN ('pending', 'processed')
         WHERE payments.bought = 'credits'
         GROUP BY payments.provider, payments.payment_id, payments.amount, payments.credits
         HAVING SUM(refunds.credits_taken + refunds.credits_missing)
             < payments.credits * CAST(SUM(refunds.amount) AS BIGINT) / payments.amount
         ORDER BY payment_id",
    )
}

/// The photos that nobody has paid for, though the account had no premium plan when they were uploaded, also none that was
/// refunded later, or whose refund came back when something else had given the plan: an upload's ledger row refers to its
/// photo's id.
pub async fn uncharged_photos(db: &dyn Executor) -> Result<Vec<PhotoId>> {
    // The condition of the partial index stands in the text, for SQLite does not see that 'upload' implies it.
    fetch_all!(
        db,
        PhotoId,
        "SELECT photos.id FROM photos JOIN users ON users.id = photos.owner_id
         WHERE (premium_since IS NULL OR premium_since > photos.created_at)
             AND NOT EXISTS (SELECT 1 FROM ledger WHERE kind <> 'adjustment' AND kind = 'upload'
                 AND reference = photos.id)
             AND NOT EXISTS (SELECT 1 FROM payments JOIN refunds ON refunds.provider = payments.provider
                 AND refunds.payment_id = payments.payment_id
                 WHERE payments.user_id = photos.owner_id AND payments.bought IN ('premium_plan', 'had_premium')
                     AND payments.captured_at <= photos.created_at
                     AND refunds.settled_at >= photos.created_at)
         ORDER BY photos.id",
    )
}

/// The photos that wait for their indexing while no queued job is about them.
pub async fn unqueued_photos(db: &Db) -> Result<Vec<PhotoId>> {
    // The photos come first: a photo and its job begin in one transaction, so the jobs read afterwards have its job
    // unless that is done by then, which reading the photo again tells.
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
    let mut unqueued: Vec<PhotoId> = photos::by_ids(db, &waiting)
        .await?
        .into_iter()
        .filter(|photo| photo.status == PhotoStatus::Processing)
        .map(|photo| photo.id)
        .collect();
    unqueued.sort_unstable();
    Ok(unqueued)
}

/// The photos whose number of faces is not the number of faces stored for them.
pub async fn miscounted_photos(db: &dyn Executor) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT photos.id FROM photos LEFT JOIN faces ON faces.photo_id = photos.id
         GROUP BY photos.id HAVING photos.faces <> COUNT(faces.id) ORDER BY photos.id",
    )
}

/// Sets a photo's number of faces to the number stored for it, and what its event or library counts to what is there.
pub async fn recount_faces(tx: &mut Tx, id: PhotoId) -> Result<()> {
    let Some(photo) = counters::lock(tx, id).await? else {
        return Ok(());
    };
    execute!(
        &mut *tx,
        "UPDATE photos SET faces = (SELECT COUNT(*) FROM faces WHERE photo_id = photos.id) WHERE id = $1",
        id,
    )?;
    recount(tx, photo.collection()).await
}

/// What the photos in a group of rows of `photos` count.
macro_rules! counted {
    () => {
        "COUNT(*) AS photos, COUNT(CASE WHEN status = 'ready' AND NOT outdated THEN 1 END) AS indexed,
         COUNT(CASE WHEN status = 'failed' THEN 1 END) AS failed, CAST(COALESCE(SUM(faces), 0) AS BIGINT) AS faces,
         CAST(COALESCE(SUM(size_bytes), 0) AS BIGINT) AS bytes, COUNT(held) AS held,
         COUNT(CASE WHEN held IS NOT NULL AND status = 'ready' AND NOT outdated THEN 1 END) AS held_indexed,
         COUNT(CASE WHEN held IS NOT NULL AND status = 'failed' THEN 1 END) AS held_failed,
         CAST(COALESCE(SUM(CASE WHEN held IS NOT NULL THEN faces END), 0) AS BIGINT) AS held_faces"
    };
}

/// The events whose counters are not what their photos count.
pub async fn miscounted_events(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        concat!(
            "SELECT events.id FROM events LEFT JOIN (
                 SELECT event_id, ",
            counted!(),
            "  FROM photos WHERE event_id IS NOT NULL GROUP BY event_id
             ) AS counted ON counted.event_id = events.id
             WHERE photos_stored <> COALESCE(counted.photos, 0) OR photos_indexed <> COALESCE(counted.indexed, 0)
                 OR photos_failed <> COALESCE(counted.failed, 0) OR faces_stored <> COALESCE(counted.faces, 0)
                 OR bytes_stored <> COALESCE(counted.bytes, 0) OR photos_held <> COALESCE(counted.held, 0)
                 OR events.held_indexed <> COALESCE(counted.held_indexed, 0)
                 OR events.held_failed <> COALESCE(counted.held_failed, 0)
                 OR events.held_faces <> COALESCE(counted.held_faces, 0)
             ORDER BY events.id"
        ),
    )
}

/// The accounts whose library's counters are not what its photos count.
pub async fn miscounted_libraries(db: &dyn Executor) -> Result<Vec<UserId>> {
    fetch_all!(
        db,
        UserId,
        concat!(
            "SELECT users.id FROM users LEFT JOIN (
                 SELECT owner_id, ",
            counted!(),
            "  FROM photos WHERE event_id IS NULL GROUP BY owner_id
             ) AS counted ON counted.owner_id = users.id
             WHERE library_photos <> COALESCE(counted.photos, 0) OR library_indexed <> COALESCE(counted.indexed, 0)
                 OR library_failed <> COALESCE(counted.failed, 0) OR library_faces <> COALESCE(counted.faces, 0)
                 OR library_bytes <> COALESCE(counted.bytes, 0)
             ORDER BY users.id"
        ),
    )
}

/// Sets an event's counters to what its photos count.
pub async fn recount_event(tx: &mut Tx, id: EventId) -> Result<()> {
    recount(tx, Collected::Event(id)).await
}

/// Sets the counters of an account's library to what its photos count.
pub async fn recount_library(tx: &mut Tx, owner: UserId) -> Result<()> {
    recount(tx, Collected::Library(owner)).await
}

async fn recount(tx: &mut Tx, collection: Collected) -> Result<()> {
    // Locked by a statement before the one that counts, which would count what was there before it waited.
    let (id, lock, count) = match collection {
        Collected::Event(event) => (
            event.to_string(),
            "UPDATE events SET photos_stored = photos_stored WHERE id = $1",
            concat!("SELECT ", counted!(), " FROM photos WHERE event_id = $1"),
        ),
        Collected::Library(owner) => (
            owner.to_string(),
            "UPDATE users SET library_photos = library_photos WHERE id = $1",
            concat!("SELECT ", counted!(), " FROM photos WHERE owner_id = $1 AND event_id IS NULL"),
        ),
    };
    execute!(&mut *tx, lock, &id)?;
    let counts = fetch_one!(&mut *tx, Counts, count, &id)?;
    let Counts { photos, indexed, failed, faces, bytes, held, held_indexed, held_failed, held_faces } =
        counts;
    match collection {
        Collected::Event(_) => execute!(
            tx,
            "UPDATE events SET photos_stored = $2, photos_indexed = $3, photos_failed = $4, faces_stored = $5,
                 bytes_stored = $6, photos_held = $7, held_indexed = $8, held_failed = $9, held_faces = $10
             WHERE id = $1",
            id,
            photos,
            indexed,
            failed,
            faces,
            bytes,
            held,
            held_indexed,
            held_failed,
            held_faces,
        )?,
        Collected::Library(_) => execute!(
            tx,
            "UPDATE users SET library_photos = $2, library_indexed = $3, library_failed = $4, library_faces = $5,
                 library_bytes = $6 WHERE id = $1",
            id,
            photos,
            indexed,
            failed,
            faces,
            bytes,
        )?,
    };
    Ok(())
}

/// The accounts that count other uploads, or another price of them, than their ledger has, in all or on a day.
pub async fn miscounted_charges(db: &Db) -> Result<Vec<UserId>> {
    let mut accounts = fetch_all!(
        db,
        UserId,
        "SELECT users.id FROM users LEFT JOIN (
             SELECT user_id, COUNT(*) AS uploads, CAST(SUM(-change) AS BIGINT) AS spent
             FROM ledger WHERE kind = 'upload' GROUP BY user_id
         ) AS charged ON charged.user_id = users.id
         WHERE uploads_charged <> COALESCE(charged.uploads, 0) OR credits_spent <> COALESCE(charged.spent, 0)
         ORDER BY users.id",
    )?;
    accounts.extend(charges::differing(db).await?);
    accounts.sort_unstable();
    accounts.dedup();
    Ok(accounts)
}

/// Sets what an account counts of its uploads to what its ledger has. No balance moves.
pub async fn recount_charges(tx: &mut Tx, user: UserId) -> Result<()> {
    execute!(&mut *tx, "UPDATE users SET uploads_charged = uploads_charged WHERE id = $1", user)?;
    execute!(
        &mut *tx,
        "UPDATE users SET uploads_charged = (SELECT COUNT(*) FROM ledger WHERE user_id = users.id AND kind = 'upload'),
             credits_spent = (SELECT CAST(COALESCE(SUM(-change), 0) AS BIGINT) FROM ledger
                 WHERE user_id = users.id AND kind = 'upload')
         WHERE id = $1",
        user,
    )?;
    charges::sum_again(tx, user).await
}

/// The events that have more photos than were ever uploaded to them, as they count, or more held ones.
pub async fn undercounted_events(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events WHERE (SELECT photos_uploaded < COUNT(*) OR uploads_held < COUNT(held)
             OR last_hold < COALESCE(MAX(held), 0) FROM photos WHERE event_id = events.id) ORDER BY id",
    )
}

/// Raises an event's numbers of uploads to those of its photos.
pub async fn recount_uploads(tx: &mut Tx, id: EventId) -> Result<()> {
    execute!(
        tx,
        "UPDATE events SET (photos_uploaded, uploads_held, last_hold) = (
             SELECT CASE WHEN photos_uploaded < COUNT(*) THEN COUNT(*) ELSE photos_uploaded END,
                 CASE WHEN uploads_held < COUNT(held) THEN COUNT(held) ELSE uploads_held END,
                 CASE WHEN last_hold < MAX(held) THEN MAX(held) ELSE last_hold END
             FROM photos WHERE event_id = events.id)
         WHERE id = $1",
        id,
    )?;
    Ok(())
}

/// The coupons whose number of uses is not the number of those reserved and spent.
pub async fn miscounted_coupons(db: &dyn Executor) -> Result<Vec<CouponId>> {
    fetch_all!(
        db,
        CouponId,
        "SELECT id FROM coupons WHERE uses <> (SELECT COUNT(*) FROM coupon_uses
             WHERE coupon_id = coupons.id AND state <> 'released') ORDER BY id",
    )
}

/// Sets a coupon's number of uses to the number reserved and spent.
///
/// # Errors
/// When the database fails, or there were more uses than the coupon allows.
pub async fn recount_uses(tx: &mut Tx, id: CouponId) -> Result<()> {
    execute!(
        tx,
        "UPDATE coupons SET uses = (SELECT COUNT(*) FROM coupon_uses
             WHERE coupon_id = coupons.id AND state <> 'released') WHERE id = $1",
        id,
    )?;
    Ok(())
}

/// The events whose deletion has begun and whose job is neither queued nor running.
pub async fn stalled_deletions(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events WHERE deleting_since IS NOT NULL AND deleted_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = events.deletion_job AND jobs.state = 'queued')
         ORDER BY id",
    )
}

/// The photos of open events that are hidden though they are not held and no objection says so, or the other way round.
pub async fn mishidden_photos(db: &dyn Executor) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        concat!(
            "SELECT photos.id FROM photos JOIN events ON events.id = photos.event_id
             WHERE deleting_since IS NULL AND deleted_at IS NULL AND hidden <> ",
            is_hidden!(),
            " ORDER BY photos.id"
        ),
    )
}

/// The photos, deleted ones too, that are in albums of another event than theirs.
pub async fn misplaced_photos(db: &dyn Executor) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT photo_id AS id FROM album_photos JOIN albums ON albums.id = album_id
             JOIN photos ON photos.id = photo_id
         WHERE albums.event_id <> COALESCE(photos.event_id, '')
         UNION
         SELECT photo_id FROM trashed_album_photos JOIN albums ON albums.id = album_id
             JOIN trashed_photos ON trashed_photos.id = photo_id
         WHERE albums.event_id <> COALESCE(trashed_photos.event_id, '')
         ORDER BY id",
    )
}

/// Takes a photo out of those albums that are another event's.
pub async fn take_out_of_albums(tx: &mut Tx, id: PhotoId) -> Result<()> {
    for statement in [
        "DELETE FROM album_photos WHERE photo_id = $1 AND (SELECT event_id FROM albums WHERE id = album_id)
             <> (SELECT COALESCE(event_id, '') FROM photos WHERE id = photo_id)",
        "DELETE FROM trashed_album_photos WHERE photo_id = $1 AND (SELECT event_id FROM albums WHERE id = album_id)
             <> (SELECT COALESCE(event_id, '') FROM trashed_photos WHERE id = photo_id)",
    ] {
        execute!(&mut *tx, statement, id)?;
    }
    Ok(())
}

/// Hides a photo, or shows it, as the objections and whether it is held say, and tells the caches.
pub async fn rehide(tx: &mut Tx, id: PhotoId) -> Result<()> {
    execute!(
        &mut *tx,
        "UPDATE events SET revision = revision + 1, removals = removals + 1
         WHERE id = (SELECT event_id FROM photos WHERE id = $1)",
        id,
    )?;
    execute!(tx, concat!("UPDATE photos SET hidden = ", is_hidden!(), " WHERE id = $1"), id,)?;
    Ok(())
}

/// The events that are closed and still have objections or their key, or have templates without it.
pub async fn leftover_objections(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events
         WHERE ((deleting_since IS NOT NULL OR deleted_at IS NOT NULL) AND restorable_until IS NULL
                 AND (objection_key IS NOT NULL OR EXISTS (SELECT 1 FROM objections WHERE event_id = events.id)))
             OR (objection_key IS NULL AND EXISTS (
                 SELECT 1 FROM objections WHERE event_id = events.id AND template IS NOT NULL))
         ORDER BY id",
    )
}

/// The events that are closed, or have no key, and still have subscriptions; and closed ones with a key.
pub async fn leftover_subscriptions(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events
         WHERE (subscription_key IS NOT NULL AND (deleting_since IS NOT NULL OR deleted_at IS NOT NULL)
                 AND restorable_until IS NULL)
             OR (subscription_key IS NULL AND EXISTS (SELECT 1 FROM subscriptions WHERE event_id = events.id))
         ORDER BY id",
    )
}

/// The events that are closed and still have the key of the searches that guests' devices keep.
pub async fn leftover_search_keys(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events
         WHERE (deleting_since IS NOT NULL OR deleted_at IS NOT NULL) AND restorable_until IS NULL AND search_key IS NOT NULL
         ORDER BY id",
    )
}

/// The events that are closed and still have members or invitations.
pub async fn leftover_teams(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events WHERE (deleting_since IS NOT NULL OR deleted_at IS NOT NULL) AND restorable_until IS NULL
             AND id IN (SELECT event_id FROM event_members UNION SELECT event_id FROM event_invitations)
         ORDER BY id",
    )
}

/// Events with people that should not be there: events whose faces are not put together, and those with people that have no
/// face, or one of another event.
pub async fn events_with_wrong_people(db: &dyn Executor) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT DISTINCT events.id FROM events JOIN people ON people.event_id = events.id
         WHERE NOT groups_faces
             OR NOT EXISTS (SELECT 1 FROM faces WHERE person_id = people.id)
             OR EXISTS (SELECT 1 FROM faces WHERE person_id = people.id
                 AND (faces.event_id IS NULL OR faces.event_id <> people.event_id))
         ORDER BY events.id",
    )
}

/// Deletes what [`events_with_wrong_people`] finds in an event: all of its people where there should be none, and else those
/// that are wrong, whose faces are put together anew.
pub async fn delete_wrong_people(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(
        tx,
        "DELETE FROM people WHERE event_id = $1 AND (
             EXISTS (SELECT 1 FROM events WHERE id = $1 AND NOT groups_faces)
             OR NOT EXISTS (SELECT 1 FROM faces WHERE person_id = people.id)
             OR EXISTS (SELECT 1 FROM faces WHERE person_id = people.id
                 AND (faces.event_id IS NULL OR faces.event_id <> people.event_id)))",
        event,
    )?;
    Ok(())
}
