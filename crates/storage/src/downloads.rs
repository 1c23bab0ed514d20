//! ZIPs that may be fetched: the matches of a search, under the hash of a token.

use domain::tokens::TokenHash;
use domain::{EventId, PhotoId, Timestamp};

use crate::db::each;
use crate::row::row;
use crate::{Db, Error, Result, Tx, decode};

/// The matches of one search in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The event they were found in.
    pub event: EventId,
    /// The photos, best match first. They may be gone by now.
    pub photos: Vec<PhotoId>,
    /// When they were found.
    pub created_at: Timestamp,
    /// When the token is no longer good.
    pub expires_at: Timestamp,
}

row! {
    struct DownloadRow {
        event_id: String,
        photo_ids: String,
        created_at: i64,
        expires_at: i64,
    }
}

impl TryFrom<DownloadRow> for Download {
    type Error = Error;

    fn try_from(row: DownloadRow) -> Result<Self> {
        let photos = row.photo_ids.split_whitespace().map(|id| decode::id(id, "downloads.photo_ids"));
        Ok(Self {
            event: decode::id(&row.event_id, "downloads.event_id")?,
            photos: photos.collect::<Result<_>>()?,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
        })
    }
}

/// Keeps a search's matches under the hash of a token.
pub async fn create(db: &Db, hash: &TokenHash, download: &Download) -> Result<()> {
    let photos: Vec<String> = download.photos.iter().map(PhotoId::to_string).collect();
    each!(db.write(), conn => sqlx::query(
            "INSERT INTO downloads (hash, event_id, photo_ids, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(hash.as_slice())
        .bind(download.event.to_string())
        .bind(photos.join(" "))
        .bind(download.created_at.as_millis())
        .bind(download.expires_at.as_millis())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// What a token stands for, expired or not.
pub async fn find(db: &Db, hash: &TokenHash) -> Result<Option<Download>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, DownloadRow>(
            "SELECT event_id, photo_ids, created_at, expires_at FROM downloads WHERE hash = $1",
        )
        .bind(hash.as_slice())
        .fetch_optional(conn)
        .await)?;
    row.map(Download::try_from).transpose()
}

/// Forgets those that were no longer good at `now`, and says how many they were.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    each!(tx.conn(), conn => sqlx::query("DELETE FROM downloads WHERE expires_at <= $1")
        .bind(now.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))
}

/// Forgets those of an event that is being deleted.
pub(crate) async fn delete_of(tx: &mut Tx, event: EventId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query("DELETE FROM downloads WHERE event_id = $1")
        .bind(event.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}
