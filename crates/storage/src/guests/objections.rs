//! Guests who object to being found, by event.
//!
//! Whether a photo is hidden is a column of it, which follows from the rows here and from whether it is held: every function that changes these sets it
//! in the same transaction.

mod faces;

use domain::guests::objections::{Choice, MAIL_INTERVAL, ObjectedFace, Objection};
use domain::{EventId, ObjectionId, PhotoId, Timestamp, UserId};

use super::event_keys;
use crate::faces::index;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{
    LIST_LIMIT, Statement, execute, fetch_all, fetch_one, fetch_optional,
};
use crate::photos::visibility::is_hidden;
use crate::{Db, Executor, Result, Tx};

pub use faces::{add_faces, faces_of_event, out_of_results, suppressed_in};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, event_id, choice, notice_version, template, created_at, told_at, seen_at, waits, provisional_for,
                 without_capture
             FROM objections ",
            $rest
        )
    };
}

row! {
    pub(crate) struct ObjectionRow {
        id: String,
        event_id: String,
        choice: String,
        notice_version: String,
        template: Option<Vec<u8>>,
        created_at: i64,
        told_at: Option<i64>,
        seen_at: Option<i64>,
        waits: bool,
        provisional_for: Option<String>,
        without_capture: bool,
    }
}

impl FromColumns for Objection {
    type Columns = ObjectionRow;

    fn from_columns(row: ObjectionRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "objections.id")?,
            event: decode::id(&row.event_id, "objections.event_id")?,
            choice: decode::known(Choice::parse(&row.choice), "objections.choice")?,
            notice_version: row.notice_version,
            template: row.template,
            created_at: Timestamp::from_millis(row.created_at),
            told_at: decode::time(row.told_at),
            seen_at: decode::time(row.seen_at),
            waits: row.waits,
            provisional_for: decode::optional_id(
                row.provisional_for.as_deref(),
                "objections.provisional_for",
            )?,
            without_capture: row.without_capture,
        })
    }
}

/// The key of an event's objections; none when none was made, or the event is closed.
pub async fn key(db: &dyn Executor, event: EventId) -> Result<Option<Vec<u8>>> {
    event_keys::get(db, event, "objection_key").await
}

/// The key of an open event; `fresh` becomes it when there is none. Of concurrent callers the first decides for all.
pub async fn key_or_insert(db: &Db, event: EventId, fresh: &[u8]) -> Result<Option<Vec<u8>>> {
    event_keys::get_or_insert(db, event, "objection_key", fresh).await
}

/// Locks an open event whose objections have a key: until the transaction ends no photo of it becomes searchable. False when
/// it is closed or its key has gone.
pub async fn lock(tx: &mut Tx, event: EventId) -> Result<bool> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = $1 AND objection_key IS NOT NULL AND deleting_since IS NULL
             AND deleted_at IS NULL"
    );
    Ok(fetch_optional!(tx, String, statement, event)?.is_some())
}

/// Locks an event whose objections have a key, also one that is deleted and may be restored: until the transaction ends nobody asks
/// anything of it. False when its key has gone.
pub async fn lock_key(tx: &mut Tx, event: EventId) -> Result<bool> {
    let statement =
        for_update!(tx.engine(), "SELECT id FROM events WHERE id = $1 AND objection_key IS NOT NULL");
    Ok(fetch_optional!(tx, String, statement, event)?.is_some())
}

/// Inserts an objection in an event that the caller has locked, hides photos if it says so, and tells the caches.
pub async fn create(tx: &mut Tx, objection: &Objection, about: &[ObjectedFace]) -> Result<()> {
    index::reread_event(tx, objection.event).await?;
    execute!(
        &mut *tx,
        "INSERT INTO objections (id, event_id, choice, notice_version, template, created_at, told_at, seen_at, waits,
             provisional_for, without_capture)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        objection.id,
        objection.event,
        objection.choice.as_str(),
        objection.notice_version,
        objection.template.as_deref(),
        objection.created_at,
        objection.told_at,
        objection.seen_at,
        objection.waits,
        objection.provisional_for,
        objection.without_capture,
    )?;
    add_faces(tx, about).await?;
    update_hidden(tx, objection.id).await?;
    index::reread_owner_of(tx, objection.event).await
}

/// Hides the photos that an objection is about, or shows them, as all objections together say; those that are held stay hidden.
async fn update_hidden(tx: &mut Tx, id: ObjectionId) -> Result<()> {
    execute!(
        tx,
        concat!(
            "UPDATE photos SET hidden = ",
            is_hidden!(),
            " WHERE id IN (SELECT photo_id FROM objection_faces WHERE objection_id = $1)"
        ),
        id,
    )?;
    Ok(())
}

/// An objection.
pub async fn by_id(db: &dyn Executor, id: ObjectionId) -> Result<Option<Objection>> {
    fetch_optional!(db, Objection, select!("WHERE id = $1"), id)
}

/// The objections in an event, newest first.
pub async fn of_event(db: &dyn Executor, event: EventId) -> Result<Vec<Objection>> {
    fetch_all!(db, Objection, select!("WHERE event_id = $1 ORDER BY id DESC"), event)
}

/// Those in all open events of an owner, newest first, but for those to hide photos that are all deleted.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Objection>> {
    // Not `EXISTS`, which PostgreSQL turns into a join that reads the whole table of objected faces.
    fetch_all!(
        db,
        Objection,
        "SELECT objections.id, event_id, choice, notice_version, template, objections.created_at, told_at, seen_at, waits,
             provisional_for, without_capture
         FROM objections JOIN events ON events.id = objections.event_id
         WHERE owner_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL AND provisional_for IS NULL
             AND (choice <> 'hide'
                 OR (SELECT 1 FROM objection_faces WHERE objection_id = objections.id LIMIT 1) IS NOT NULL)
         ORDER BY objections.id DESC",
        owner,
    )
}

/// Ends the wait of a request that the photographer has decided about, and with it what held for that time. Answers whether it
/// waited.
pub async fn end_wait(tx: &mut Tx, objection: &Objection) -> Result<bool> {
    let ended =
        execute!(&mut *tx, "UPDATE objections SET waits = FALSE WHERE id = $1 AND waits", objection.id)?;
    execute!(
        tx,
        "DELETE FROM objections WHERE event_id = $1 AND provisional_for = $2",
        objection.event,
        objection.id,
    )?;
    Ok(ended == 1)
}

/// The open events with requests that wait, were made after `since`, and of which the photographer was neither told nor reminded
/// after `told_before`.
pub async fn to_remind(db: &dyn Executor, since: Timestamp, told_before: Timestamp) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT DISTINCT event_id FROM objections JOIN events ON events.id = objections.event_id
         WHERE waits AND objections.created_at > $1 AND COALESCE(reminded_at, objections.created_at) <= $2
             AND deleting_since IS NULL AND deleted_at IS NULL
         ORDER BY event_id",
        since,
        told_before,
    )
}

/// Has the next mail about an event tell once more of the requests that wait.
pub async fn remind(tx: &mut Tx, event: EventId, now: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE objections SET told_at = NULL, reminded_at = $2 WHERE event_id = $1 AND waits",
        event,
        now,
    )?;
    Ok(())
}

/// Those in an event whose template is kept and which hold: one that waits has no effect.
pub async fn with_template(db: &dyn Executor, event: EventId) -> Result<Vec<Objection>> {
    fetch_all!(
        db,
        Objection,
        select!("WHERE event_id = $1 AND template IS NOT NULL AND NOT waits ORDER BY id"),
        event,
    )
}

/// Replaces the template of an objection.
pub async fn set_template(tx: &mut Tx, id: ObjectionId, template: &[u8]) -> Result<()> {
    execute!(tx, "UPDATE objections SET template = $2 WHERE id = $1 AND template IS NOT NULL", id, template)?;
    Ok(())
}

/// Decides against the guest, or for them again: about these photos of the objection. Without a face left in force
/// the template is deleted.
pub async fn decide(tx: &mut Tx, objection: &Objection, photos: &[PhotoId], overruled: bool) -> Result<()> {
    index::reread_event(tx, objection.event).await?;
    for photos in photos.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("UPDATE objection_faces SET overruled = ");
        statement.push_bind(overruled).push(" WHERE objection_id = ").push_bind(objection.id);
        statement.push(" AND photo_id IN ");
        statement.push_list(photos);
        statement.execute(tx.writer()).await?;
    }
    update_hidden(tx, objection.id).await
}

/// Deletes the template of an objection.
pub async fn delete_template(tx: &mut Tx, id: ObjectionId) -> Result<()> {
    execute!(tx, "UPDATE objections SET template = NULL WHERE id = $1", id)?;
    Ok(())
}

/// When the mail about the objections of an event may be sent of which none has told; none when one of them has caused
/// it already.
pub async fn mail_due(tx: &mut Tx, event: EventId, now: Timestamp) -> Result<Option<Timestamp>> {
    let waiting = fetch_one!(
        &mut *tx,
        i64,
        "SELECT COUNT(*) FROM objections WHERE event_id = $1 AND told_at IS NULL AND created_at > $2",
        event,
        now.minus(MAIL_INTERVAL.saturating_mul(2)),
    )?;
    if waiting > 0 {
        return Ok(None);
    }
    let told =
        fetch_one!(tx, i64, "SELECT COALESCE(MAX(told_at), 0) FROM objections WHERE event_id = $1", event,)?;
    Ok(Some(now.max(Timestamp::from_millis(told).plus(MAIL_INTERVAL))))
}

/// Records that a mail has told of these objections.
pub async fn mark_told(db: &dyn Executor, told: &[ObjectionId], now: Timestamp) -> Result<()> {
    for told in told.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("UPDATE objections SET told_at = ");
        statement.push_bind(now).push(" WHERE told_at IS NULL AND id IN ");
        statement.push_list(told);
        statement.execute(db.writer()).await?;
    }
    Ok(())
}

/// Records that the photographer has seen an objection, and with it those of its event before it.
pub async fn mark_seen(db: &dyn Executor, objection: &Objection, now: Timestamp) -> Result<()> {
    execute!(
        db,
        "UPDATE objections SET seen_at = $3 WHERE event_id = $1 AND id <= $2 AND seen_at IS NULL",
        objection.event,
        objection.id,
        now,
    )?;
    Ok(())
}

/// Deletes the objections of an event and their key.
pub async fn delete_of(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(&mut *tx, "UPDATE events SET objection_key = NULL WHERE id = $1", event)?;
    execute!(tx, "DELETE FROM objections WHERE event_id = $1", event)?;
    Ok(())
}

/// The same once an event, which the caller has locked, has no photo left, nor any that can be restored: until then those that are
/// hidden stay so, and the answer is false.
pub async fn delete_without_photos(tx: &mut Tx, event: EventId) -> Result<bool> {
    let is_empty = fetch_optional!(
        &mut *tx,
        i64,
        "SELECT photos_stored FROM events
         WHERE id = $1 AND photos_stored = 0
             AND (SELECT 1 FROM trashed_photos WHERE event_id = events.id LIMIT 1) IS NULL",
        event,
    )?;
    if is_empty.is_some() {
        delete_of(tx, event).await?;
    }
    Ok(is_empty.is_some())
}
