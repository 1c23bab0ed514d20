//! Photos: taking in, finding, indexing, removing.

mod queries;
mod removal;

use domain::events::Indexing;
use domain::photos::{ImageFormat, MediaKey, Photo, PhotoStatus};
use domain::{EventId, PhotoId, Timestamp, UserId};

use crate::db::each;
use crate::dialect::for_update;
use crate::faces::{self, NewFace, Owned};
use crate::row::row;
use crate::{Db, Error, Result, Tx, activity, decode, events};

pub use queries::{
    PhotoQuery, by_hash, by_id, by_ids, by_key, count, known_keys, not_indexed_with, page, search, unready,
};
pub use removal::{Collection, batch, delete, delete_many};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, owner_id, event_id, media_key, content_hash, crc32, original_filename, format, size_bytes,
                 width, height, status, faces, created_at FROM photos ",
            $rest
        )
    };
}
pub(crate) use select;

/// What became of a new photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is there.
    Added,
    /// The same bytes are in the same event, or library; nothing has changed.
    Duplicate(Photo),
    /// Its event is being deleted, is gone, or is another photographer's; nothing has changed.
    EventClosed,
}

row! {
    pub(crate) struct PhotoRow {
        id: String,
        owner_id: String,
        event_id: Option<String>,
        media_key: String,
        content_hash: Vec<u8>,
        crc32: Option<i64>,
        original_filename: String,
        format: String,
        size_bytes: i64,
        width: i64,
        height: i64,
        status: String,
        faces: i64,
        created_at: i64,
    }
}

impl TryFrom<PhotoRow> for Photo {
    type Error = Error;

    fn try_from(row: PhotoRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "photos.id")?,
            owner: decode::id(&row.owner_id, "photos.owner_id")?,
            event: decode::optional_id(row.event_id.as_deref(), "photos.event_id")?,
            key: MediaKey::from_trusted(row.media_key),
            content_hash: decode::hash(&row.content_hash, "photos.content_hash")?,
            crc32: decode::crc32(row.crc32, "photos.crc32")?,
            original_filename: row.original_filename,
            format: decode::known(ImageFormat::from_media_type(&row.format), "photos.format")?,
            size_bytes: row.size_bytes,
            width: row.width,
            height: row.height,
            status: decode::known(PhotoStatus::from_stored(&row.status), "photos.status")?,
            faces: row.faces,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Within which a photo's bytes are unique: its event, or its owner's library.
fn collection_of(owner: UserId, event: Option<EventId>) -> String {
    event.map_or_else(|| owner.to_string(), |event| event.to_string())
}

/// Takes a photo in, unless its event is closed or has the same bytes: of two that come at the same moment, the
/// second finds the first. Its status and number of faces are those of a new one, whatever `photo` says.
pub async fn insert(tx: &mut Tx, photo: &Photo) -> Result<Inserted> {
    // Holding the event keeps it open until the photo is there, so that its deletion misses none.
    if let Some(event) = photo.event
        && !hold_open_event(tx, event, photo.owner).await?
    {
        return Ok(Inserted::EventClosed);
    }
    // The update changes nothing. It makes the statement answer the row that is there, and wait for one on its way.
    let row = each!(tx.conn(), conn => sqlx::query_as::<_, PhotoRow>(
            "INSERT INTO photos (id, owner_id, event_id, collection, media_key, content_hash, crc32, original_filename,
                 format, size_bytes, width, height, status, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             ON CONFLICT (collection, content_hash) DO UPDATE SET content_hash = excluded.content_hash
             RETURNING id, owner_id, event_id, media_key, content_hash, crc32, original_filename, format, size_bytes,
                 width, height, status, faces, created_at",
        )
        .bind(photo.id.to_string())
        .bind(photo.owner.to_string())
        .bind(photo.event.map(|event| event.to_string()))
        .bind(collection_of(photo.owner, photo.event))
        .bind(photo.key.as_str())
        .bind(photo.content_hash.as_slice())
        .bind(photo.crc32.map(i64::from))
        .bind(&photo.original_filename)
        .bind(photo.format.media_type())
        .bind(photo.size_bytes)
        .bind(photo.width)
        .bind(photo.height)
        .bind(PhotoStatus::Processing.as_str())
        .bind(photo.created_at.as_millis())
        .fetch_one(conn)
        .await)?;
    let there = Photo::try_from(row)?;
    if there.id != photo.id {
        return Ok(Inserted::Duplicate(there));
    }
    if let Some(event) = photo.event {
        count_upload(tx, event, photo.created_at).await?;
    }
    activity::count_upload(tx, photo.event, photo.owner, photo.created_at).await?;
    Ok(Inserted::Added)
}

async fn hold_open_event(tx: &mut Tx, event: EventId, owner: UserId) -> Result<bool> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = $1 AND owner_id = $2 AND deleting_since IS NULL AND deleted_at IS NULL"
    );
    let held: Option<String> = each!(tx.conn(), conn => sqlx::query_scalar(statement)
        .bind(event.to_string())
        .bind(owner.to_string())
        .fetch_optional(conn)
        .await)?;
    Ok(held.is_some())
}

async fn count_upload(tx: &mut Tx, event: EventId, at_time: Timestamp) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE events SET photos_uploaded = photos_uploaded + 1,
                 last_upload_at = CASE WHEN last_upload_at > $2 THEN last_upload_at ELSE $2 END,
                 retained_from = CASE WHEN retained_from > $2 THEN retained_from ELSE $2 END
             WHERE id = $1",
        )
        .bind(event.to_string())
        .bind(at_time.as_millis())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// How far indexing is over all photos of an owner that can be searched: the library and every open event.
pub async fn indexing(db: &Db, owner: UserId) -> Result<Indexing> {
    let (indexed, total): (i64, i64) = each!(db.read(), conn => sqlx::query_as(
            "SELECT COUNT(CASE WHEN status <> 'processing' THEN 1 END), COUNT(*)
             FROM photos LEFT JOIN events ON events.id = photos.event_id
             WHERE photos.owner_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL",
        )
        .bind(owner.to_string())
        .fetch_one(conn)
        .await)?;
    Ok(Indexing { indexed, total })
}

/// Makes a photo ready and puts `faces`, as the model pack called `pack` found them, in the place of those it had.
/// False when the photo is gone; then the transaction is to be dropped.
pub async fn finish_indexing(tx: &mut Tx, id: PhotoId, pack: &str, faces: &[NewFace]) -> Result<bool> {
    let Some((event, owner)) = belonging(tx, id).await? else {
        return Ok(false);
    };
    if let Some(event) = &event {
        events::bump(tx, event).await?;
    }
    let count = i64::try_from(faces.len()).unwrap_or(i64::MAX);
    let updated = each!(tx.conn(), conn => sqlx::query(
            "UPDATE photos SET status = $2, failure = NULL, faces = $3, pack = $4 WHERE id = $1",
        )
        .bind(id.to_string())
        .bind(PhotoStatus::Ready.as_str())
        .bind(count)
        .bind(pack)
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?;
    if updated == 0 {
        return Ok(false);
    }
    faces::replace(tx, &Owned { photo: id, event: event.as_deref(), owner }, pack, faces).await?;
    events::bump_owner(tx, owner).await?;
    Ok(true)
}

/// Marks a photo that waits for its indexing as one that cannot be indexed, with the reason for operators. False when
/// it is gone, or was indexed before: what is found of it stays then.
pub async fn fail_indexing(tx: &mut Tx, id: PhotoId, reason: &str) -> Result<bool> {
    each!(tx.conn(), conn => sqlx::query("UPDATE photos SET status = $2, failure = $3 WHERE id = $1 AND status <> $4")
        .bind(id.to_string())
        .bind(PhotoStatus::Failed.as_str())
        .bind(reason)
        .bind(PhotoStatus::Ready.as_str())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Lets a photo that could not be indexed wait for its indexing once more; false when it is gone or did not fail.
pub async fn retry_indexing(tx: &mut Tx, id: PhotoId) -> Result<bool> {
    each!(tx.conn(), conn => sqlx::query("UPDATE photos SET status = $2, failure = NULL WHERE id = $1 AND status = $3")
        .bind(id.to_string())
        .bind(PhotoStatus::Processing.as_str())
        .bind(PhotoStatus::Failed.as_str())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Keeps the CRC-32 of a photo that was taken in before it was kept.
pub async fn set_crc32(db: &Db, id: PhotoId, crc32: u32) -> Result<()> {
    each!(db.write(), conn => sqlx::query("UPDATE photos SET crc32 = $2 WHERE id = $1")
        .bind(id.to_string())
        .bind(i64::from(crc32))
        .execute(conn)
        .await
        .map(|_| ()))
}

/// The event and the owner of a photo.
async fn belonging(tx: &mut Tx, id: PhotoId) -> Result<Option<(Option<String>, UserId)>> {
    let row: Option<(Option<String>, String)> = each!(tx.conn(), conn => sqlx::query_as(
            "SELECT event_id, owner_id FROM photos WHERE id = $1",
        )
        .bind(id.to_string())
        .fetch_optional(conn)
        .await)?;
    row.map(|(event, owner)| Ok((event, decode::id(&owner, "photos.owner_id")?))).transpose()
}
