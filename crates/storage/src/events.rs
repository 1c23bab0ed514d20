//! Photographers' events.

use domain::events::{Event, Indexing};
use domain::{EventId, JobId, Paise, Timestamp, UserId};
use jiff::civil::Date;

use crate::db::each;
use crate::row::row;
use crate::{Db, Error, Result, Tx, decode, downloads};

// How far indexing is, and how many faces there are, is counted over the event's photos each time, from one index
// that holds all it takes. Counters beside them would have to be right after every crash, retry and deletion.
macro_rules! select {
    ($where:literal, $order:literal) => {
        concat!(
            "SELECT events.id, events.owner_id, name, date, slug, description, events.created_at, deleting_since,
                 deletion_job, deleted_at, photos_uploaded, last_upload_at, revision,
                 COUNT(photos.event_id) AS photos,
                 COUNT(CASE WHEN photos.status <> 'processing' THEN 1 END) AS photos_indexed,
                 CAST(COALESCE(SUM(photos.faces), 0) AS BIGINT) AS faces_indexed
             FROM events LEFT JOIN photos ON photos.event_id = events.id ",
            $where,
            " GROUP BY events.id ",
            $order
        )
    };
}
pub(crate) use select;

/// An event to be made.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// Its id.
    pub id: EventId,
    /// Whose it is.
    pub owner: UserId,
    /// Its name.
    pub name: String,
    /// The calendar day it takes place.
    pub date: Date,
    /// Its name in links; unique.
    pub slug: String,
    /// What the photographer says about it.
    pub description: Option<String>,
    /// When it is made.
    pub created_at: Timestamp,
    /// What the client says was paid for it; recorded alone.
    pub payment_amount: Option<Paise>,
    /// The coupon that the client says was used; recorded alone.
    pub coupon_code: Option<String>,
}

/// What became of the wish to delete an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// It had no photos and is gone.
    Done,
    /// It has photos, which the given job is to remove; the caller adds that job to the same transaction.
    Begun,
    /// It is being deleted already, by this job.
    Running(JobId),
    /// There is no such event of this owner, or it is gone.
    Missing,
}

row! {
    pub(crate) struct EventRow {
        id: String,
        owner_id: String,
        name: String,
        date: String,
        slug: String,
        description: Option<String>,
        created_at: i64,
        deleting_since: Option<i64>,
        deletion_job: Option<String>,
        deleted_at: Option<i64>,
        photos_uploaded: i64,
        last_upload_at: Option<i64>,
        revision: i64,
        photos: i64,
        photos_indexed: i64,
        faces_indexed: i64,
    }
}

impl TryFrom<EventRow> for Event {
    type Error = Error;

    fn try_from(row: EventRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "events.id")?,
            owner: decode::id(&row.owner_id, "events.owner_id")?,
            name: row.name,
            date: decode::known(row.date.parse().ok(), "events.date")?,
            slug: row.slug,
            description: row.description,
            created_at: Timestamp::from_millis(row.created_at),
            deleting_since: decode::time(row.deleting_since),
            deletion_job: decode::optional_id(row.deletion_job.as_deref(), "events.deletion_job")?,
            deleted_at: decode::time(row.deleted_at),
            photos_uploaded: row.photos_uploaded,
            last_upload_at: decode::time(row.last_upload_at),
            revision: row.revision,
            indexing: Indexing { indexed: row.photos_indexed, total: row.photos },
            faces_indexed: row.faces_indexed,
        })
    }
}

/// Makes an event.
///
/// # Errors
/// When the database fails, or the slug is taken, which its random part rules out.
pub async fn create(tx: &mut Tx, event: &NewEvent) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "INSERT INTO events (id, owner_id, name, date, slug, description, created_at, retained_from,
                 payment_amount, coupon_code)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(event.id.to_string())
        .bind(event.owner.to_string())
        .bind(&event.name)
        .bind(event.date.to_string())
        .bind(&event.slug)
        .bind(event.description.as_deref())
        .bind(event.created_at.as_millis())
        .bind(Timestamp::start_of_day(event.date).as_millis())
        .bind(event.payment_amount.map(Paise::get))
        .bind(event.coupon_code.as_deref())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// An owner's events, newest made first; those that are gone are left out, those that are going are not.
pub async fn by_owner(db: &Db, owner: UserId) -> Result<Vec<Event>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!(
            "WHERE events.owner_id = $1 AND deleted_at IS NULL",
            "ORDER BY events.created_at DESC, events.id DESC"
        ))
        .bind(owner.to_string())
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Event::try_from).collect()
}

/// Every event that an owner has or had, newest made first.
pub async fn all_by_owner(db: &Db, owner: UserId) -> Result<Vec<Event>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!(
            "WHERE events.owner_id = $1",
            "ORDER BY events.created_at DESC, events.id DESC"
        ))
        .bind(owner.to_string())
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Event::try_from).collect()
}

/// An owner's events that are gone since `since` or later, last gone first.
pub async fn deleted_since(db: &Db, owner: UserId, since: Timestamp) -> Result<Vec<Event>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!(
            "WHERE events.owner_id = $1 AND deleted_at >= $2",
            "ORDER BY deleted_at DESC, events.id DESC"
        ))
        .bind(owner.to_string())
        .bind(since.as_millis())
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Event::try_from).collect()
}

/// An event, whatever its state.
pub async fn by_id(db: &Db, id: EventId) -> Result<Option<Event>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!("WHERE events.id = $1", ""))
        .bind(id.to_string())
        .fetch_optional(conn)
        .await)?;
    row.map(Event::try_from).transpose()
}

/// The event of a link, whatever its state.
pub async fn by_slug(db: &Db, slug: &str) -> Result<Option<Event>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!("WHERE events.slug = $1", ""))
        .bind(slug)
        .fetch_optional(conn)
        .await)?;
    row.map(Event::try_from).transpose()
}

/// The event that a job deletes, or has deleted.
pub async fn by_deletion_job(db: &Db, job: JobId) -> Result<Option<Event>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!("WHERE deletion_job = $1", ""))
        .bind(job.to_string())
        .fetch_optional(conn)
        .await)?;
    row.map(Event::try_from).transpose()
}

/// The events whose deletion has begun and not ended.
pub async fn being_deleted(db: &Db) -> Result<Vec<Event>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, EventRow>(select!(
            "WHERE deleting_since IS NOT NULL AND deleted_at IS NULL",
            "ORDER BY deleting_since"
        ))
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Event::try_from).collect()
}

/// Closes an event to guests and uploads. One without photos is gone at once; one with photos waits for `job`.
/// However often and from wherever it is asked for, one deletion begins.
pub async fn begin_deletion(
    tx: &mut Tx,
    id: EventId,
    owner: UserId,
    job: JobId,
    now: Timestamp,
) -> Result<Deletion> {
    let closed = each!(tx.conn(), conn => sqlx::query(
            "UPDATE events SET deleting_since = $4, deletion_job = $3, revision = revision + 1
             WHERE id = $1 AND owner_id = $2 AND deleting_since IS NULL AND deleted_at IS NULL",
        )
        .bind(id.to_string())
        .bind(owner.to_string())
        .bind(job.to_string())
        .bind(now.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    if closed == 0 {
        return running_deletion(tx, id, owner).await;
    }
    bump_owner(tx, owner).await?;
    downloads::delete_of(tx, id).await?;
    // An upload holds the event's row while it adds its photo, so none can come in after this look.
    if finish_deletion(tx, id, now).await? { Ok(Deletion::Done) } else { Ok(Deletion::Begun) }
}

async fn running_deletion(tx: &mut Tx, id: EventId, owner: UserId) -> Result<Deletion> {
    let job: Option<String> = each!(tx.conn(), conn => sqlx::query_scalar(
            "SELECT deletion_job FROM events
             WHERE id = $1 AND owner_id = $2 AND deletion_job IS NOT NULL AND deleted_at IS NULL",
        )
        .bind(id.to_string())
        .bind(owner.to_string())
        .fetch_optional(conn)
        .await)?;
    Ok(match decode::optional_id(job.as_deref(), "events.deletion_job")? {
        Some(job) => Deletion::Running(job),
        None => Deletion::Missing,
    })
}

/// Ends a deletion: true once, when no photo is left; the row stays with its numbers.
pub async fn finish_deletion(tx: &mut Tx, id: EventId, now: Timestamp) -> Result<bool> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE events SET deleted_at = $2
             WHERE id = $1 AND deleting_since IS NOT NULL AND deleted_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM photos WHERE photos.event_id = events.id)",
        )
        .bind(id.to_string())
        .bind(now.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Empties what an owner has written into events that are gone, for an account that is closed; says how many they were.
pub async fn erase_texts(tx: &mut Tx, owner: UserId) -> Result<u64> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE events SET name = '', description = NULL, slug = id, coupon_code = NULL
             WHERE owner_id = $1 AND deleted_at IS NOT NULL AND slug <> id",
        )
        .bind(owner.to_string())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))
}

/// Tells the caches of an event's searches that they are stale.
pub(crate) async fn bump(tx: &mut Tx, event: &str) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query("UPDATE events SET revision = revision + 1 WHERE id = $1")
        .bind(event)
        .execute(conn)
        .await
        .map(|_| ()))
}

/// Tells the caches of searches over all of an owner's photos that they are stale.
pub(crate) async fn bump_owner(tx: &mut Tx, owner: UserId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query("UPDATE users SET revision = revision + 1 WHERE id = $1")
        .bind(owner.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}
