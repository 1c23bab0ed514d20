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

/// That a photo is in an album.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The album.
    pub album: AlbumId,
    /// The photo.
    pub photo: PhotoId,
}

impl FromColumns for Membership {
    type Columns = (String, String);

    fn from_columns((album, photo): (String, String)) -> Result<Self> {
        Ok(Self {
            album: decode::id(&album, "album_photos.album_id")?,
            photo: decode::id(&photo, "album_photos.photo_id")?,
        })
    }
}

/// What putting photos into albums, or taking them out, did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// How many of the photos are the event's.
    pub photos: u64,
    /// What was not so before, or is so no more.
    pub changes: Vec<Membership>,
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
         WHERE event_id = $1 AND (SELECT photo_id FROM album_photos WHERE album_id = albums.id
             AND (SELECT 1 FROM photos WHERE photos.id = photo_id
                 AND COALESCE(photos.status, '') = 'ready' AND NOT photos.hidden) IS NOT NULL LIMIT 1) IS NOT NULL
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
        "SELECT photo_id FROM album_photos
         WHERE album_id = $1 AND (SELECT 1 FROM photos WHERE id = photo_id AND COALESCE(event_id, '') = $2
             AND COALESCE(uploader_id, '') = COALESCE($3, uploader_id, '')) IS NOT NULL
         ORDER BY photo_id",
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

/// Puts photos of an event into one of its albums, beside those that they are in.
pub async fn put(tx: &mut Tx, event: EventId, album: AlbumId, photos: &[PhotoId]) -> Result<Moved> {
    let mut moved = Moved::default();
    for photos in photos.chunks(LIST_LIMIT) {
        let there = lock_of_event(tx, event, photos).await?;
        moved.photos += there.len() as u64;
        if there.is_empty() {
            continue;
        }
        let mut statement = Statement::built("INSERT INTO album_photos (album_id, photo_id) SELECT ");
        statement.push("CAST(").push_bind(album).push(" AS TEXT), id FROM photos WHERE id IN ");
        statement.push_list(&there);
        statement
            .push(" ORDER BY id ON CONFLICT (album_id, photo_id) DO NOTHING RETURNING album_id, photo_id");
        moved.changes.extend(statement.fetch_all::<Membership>(tx.writer()).await?);
    }
    Ok(moved)
}

/// Takes photos of an event out of one of its albums, or out of all.
pub async fn take_out(
    tx: &mut Tx,
    event: EventId,
    album: Option<AlbumId>,
    photos: &[PhotoId],
) -> Result<Moved> {
    let mut moved = Moved::default();
    for photos in photos.chunks(LIST_LIMIT) {
        let there = lock_of_event(tx, event, photos).await?;
        moved.photos += there.len() as u64;
        if there.is_empty() {
            continue;
        }
        let mut statement = Statement::built("DELETE FROM album_photos WHERE photo_id IN ");
        statement.push_list(&there);
        if let Some(album) = album {
            statement.push(" AND album_id = ").push_bind(album);
        }
        statement.push(" RETURNING album_id, photo_id");
        moved.changes.extend(statement.fetch_all::<Membership>(tx.writer()).await?);
    }
    Ok(moved)
}

/// Those of the photos that are the event's, locked until the transaction ends.
async fn lock_of_event(tx: &mut Tx, event: EventId, photos: &[PhotoId]) -> Result<Vec<PhotoId>> {
    lock_many(tx, photos).await?;
    let mut statement = Statement::built("SELECT id FROM photos WHERE id IN ");
    statement.push_list(photos);
    // The function keeps an engine without statistics from the index on the whole event.
    statement.push(" AND COALESCE(event_id, '') = ").push_bind(event).push(" ORDER BY id");
    statement.fetch_all(tx.writer()).await
}
