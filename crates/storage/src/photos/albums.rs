//! Albums of events.

use domain::photos::albums::Album;
use domain::{AlbumId, EventId, PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{
    LIST_LIMIT, Statement, execute, fetch_all, fetch_one, fetch_optional,
};
use crate::photos::lock_many;
use crate::{Executor, Result, Tx};

row! {
    pub(crate) struct AlbumRow {
        id: String,
        event_id: String,
        name: String,
        created_at: i64,
    }
}

impl FromColumns for Album {
    type Columns = AlbumRow;

    fn from_columns(row: AlbumRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "albums.id")?,
            event: decode::id(&row.event_id, "albums.event_id")?,
            name: row.name,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Adds an album to an event, which the transaction has locked, behind its others; false when another one is called so.
pub async fn create(tx: &mut Tx, album: &Album) -> Result<bool> {
    let added = execute!(
        tx,
        "INSERT INTO albums (id, event_id, name, position, created_at)
         VALUES ($1, $2, $3, (SELECT COALESCE(MAX(position) + 1, 0) FROM albums WHERE event_id = $2), $4)
         ON CONFLICT (event_id, name) DO NOTHING",
        album.id,
        album.event,
        album.name,
        album.created_at,
    )?;
    Ok(added == 1)
}

/// Calls an album of an event that the transaction has locked otherwise; false when another one is called so.
pub async fn rename(tx: &mut Tx, album: &Album, name: &str) -> Result<bool> {
    let renamed = execute!(
        tx,
        "UPDATE albums SET name = $3 WHERE id = $1
             AND NOT EXISTS (SELECT 1 FROM albums AS others WHERE event_id = $2 AND name = $3 AND others.id <> $1)",
        album.id,
        album.event,
        name,
    )?;
    Ok(renamed == 1)
}

/// Puts the albums of an event that the transaction has locked into this order.
pub async fn arrange(tx: &mut Tx, albums: &[Album]) -> Result<()> {
    for (position, album) in (0_i64..).zip(albums) {
        execute!(
            &mut *tx,
            "UPDATE albums SET position = $3 WHERE id = $1 AND event_id = $2",
            album.id,
            album.event,
            position,
        )?;
    }
    Ok(())
}

/// Deletes an album; its photos stay, deleted ones that can be restored too.
pub async fn delete(tx: &mut Tx, id: AlbumId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM albums WHERE id = $1", id)? == 1)
}

/// Deletes the albums of an event that has no photos any more.
pub(crate) async fn delete_of_unrestorable(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(
        tx,
        "DELETE FROM albums WHERE event_id = (SELECT id FROM events WHERE id = $1 AND restorable_until IS NULL)",
        event,
    )?;
    Ok(())
}

/// An album.
pub async fn by_id(db: &dyn Executor, id: AlbumId) -> Result<Option<Album>> {
    fetch_optional!(db, Album, "SELECT id, event_id, name, created_at FROM albums WHERE id = $1", id)
}

/// The albums of an event, in their order.
pub async fn list(db: &dyn Executor, event: EventId) -> Result<Vec<Album>> {
    fetch_all!(
        db,
        Album,
        "SELECT id, event_id, name, created_at FROM albums WHERE event_id = $1 ORDER BY position, id",
        event,
    )
}

/// The albums of an event that have photos which its guests may see, in their order.
pub async fn shown(db: &dyn Executor, event: EventId) -> Result<Vec<Album>> {
    // A value and not a condition on rows: an engine would read all photos to join them.
    fetch_all!(
        db,
        Album,
        "SELECT id, event_id, name, created_at FROM albums
         WHERE event_id = $1 AND (SELECT photos.id FROM photos WHERE photos.album_id = albums.id
             AND COALESCE(photos.status, '') = 'ready' AND NOT photos.hidden LIMIT 1) IS NOT NULL
         ORDER BY position, albums.id",
        event,
    )
}

/// The photos of an event that are in one of its albums, in the order of their uploads; of one uploader if there is one.
pub async fn photos_of(
    db: &dyn Executor,
    event: EventId,
    album: AlbumId,
    uploader: Option<UserId>,
) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos WHERE album_id = $1 AND COALESCE(event_id, '') = $2
             AND COALESCE(uploader_id, '') = COALESCE($3, uploader_id, '') ORDER BY id",
        album,
        event,
        uploader,
    )
}

/// All albums of an owner's events, those of each in their order.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Album>> {
    fetch_all!(
        db,
        Album,
        "SELECT albums.id, event_id, albums.name, albums.created_at FROM events JOIN albums ON event_id = events.id
         WHERE owner_id = $1 ORDER BY position, albums.id",
        owner,
    )
}

/// How many albums an event has.
pub async fn count(db: &dyn Executor, event: EventId) -> Result<i64> {
    fetch_one!(db, i64, "SELECT COUNT(*) FROM albums WHERE event_id = $1", event)
}

/// Puts photos of an event into one of its albums, or into none, and answers the number of those that are there.
pub async fn put(tx: &mut Tx, event: EventId, album: Option<AlbumId>, photos: &[PhotoId]) -> Result<u64> {
    let mut put = 0;
    for photos in photos.chunks(LIST_LIMIT) {
        lock_many(tx, photos).await?;
        let mut statement = Statement::built("UPDATE photos SET album_id = ");
        statement.push_bind(album).push(" WHERE id IN ");
        statement.push_list(photos);
        // The function keeps an engine without statistics from the index on the whole event.
        statement.push(" AND COALESCE(event_id, '') = ").push_bind(event);
        put += statement.execute(tx.writer()).await?;
    }
    Ok(put)
}
