//! Photos that all guests of an event may see: ready, and not hidden for somebody who is in them. Deleted ones are in another
//! table.

use domain::photos::Photo;
use domain::photos::captures::Place;
use domain::photos::stacks::Placed;
use domain::{AlbumId, EventId, PhotoId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{fetch_all, fetch_one, fetch_optional};
use crate::photos::select;
use crate::{Executor, Result};

/// A page of the photos of an event that its guests may see, or of those of them in an album: by the moment of capture,
/// earliest first, those without one last; those behind `after`.
pub async fn shown(
    db: &dyn Executor,
    event: EventId,
    album: Option<AlbumId>,
    after: Option<&Place>,
    limit: i64,
) -> Result<Vec<Photo>> {
    let captured_at = after.map_or(i64::MIN, |place| place.captured_at);
    let id = cursor(after.map(|place| place.id));
    // The functions keep an engine without statistics from other indexes, and the album as a value for each photo one with
    // statistics from sorting the album's.
    match album {
        None => fetch_all!(
            db,
            Photo,
            select!(
                "WHERE event_id = $1 AND (captured_at, id) > ($2, $3) AND COALESCE(status, '') = 'ready' AND NOT hidden
                 ORDER BY captured_at, id LIMIT $4"
            ),
            event,
            captured_at,
            id,
            limit,
        ),
        Some(album) => fetch_all!(
            db,
            Photo,
            select!(
                "WHERE event_id = $1 AND (captured_at, id) > ($2, $3) AND COALESCE(status, '') = 'ready' AND NOT hidden
                     AND (SELECT 1 FROM album_photos WHERE album_id = $5 AND photo_id = photos.id) IS NOT NULL
                 ORDER BY captured_at, id LIMIT $4"
            ),
            event,
            captured_at,
            id,
            limit,
            album,
        ),
    }
}

row! {
    pub(crate) struct PlacedRow {
        id: String,
        stack_id: Option<String>,
        stack_place: Option<i64>,
    }
}

impl FromColumns for Placed {
    type Columns = PlacedRow;

    fn from_columns(row: PlacedRow) -> Result<Self> {
        let stack = decode::stack(row.stack_id.as_deref(), row.stack_place, "photos.stack_id")?;
        Ok(Self { id: decode::id(&row.id, "photos.id")?, stack })
    }
}

/// All of them, in the same order.
pub async fn all_shown(db: &dyn Executor, event: EventId, album: Option<AlbumId>) -> Result<Vec<Placed>> {
    match album {
        None => fetch_all!(
            db,
            Placed,
            "SELECT id, stack_id, stack_place FROM photos
             WHERE event_id = $1 AND COALESCE(status, '') = 'ready' AND NOT hidden
             ORDER BY captured_at, id",
            event,
        ),
        Some(album) => fetch_all!(
            db,
            Placed,
            "SELECT id, stack_id, stack_place FROM photos
             WHERE event_id = $1 AND COALESCE(status, '') = 'ready' AND NOT hidden
                 AND (SELECT 1 FROM album_photos WHERE album_id = $2 AND photo_id = photos.id) IS NOT NULL
             ORDER BY captured_at, id",
            event,
            album,
        ),
    }
}

/// How many photos of an event that its guests may see, or of those of them in an album, stand behind others of their stacks.
pub async fn behind_shown(db: &dyn Executor, event: EventId, album: Option<AlbumId>) -> Result<i64> {
    match album {
        None => fetch_one!(
            db,
            i64,
            "SELECT COUNT(*) - COUNT(DISTINCT stack_id) FROM photos
             WHERE event_id = $1 AND stack_id IS NOT NULL AND COALESCE(status, '') = 'ready' AND NOT hidden",
            event,
        ),
        Some(album) => fetch_one!(
            db,
            i64,
            "SELECT COUNT(*) - COUNT(DISTINCT stack_id) FROM photos
             WHERE event_id = $1 AND stack_id IS NOT NULL AND COALESCE(status, '') = 'ready' AND NOT hidden
                 AND (SELECT 1 FROM album_photos WHERE album_id = $2 AND photo_id = photos.id) IS NOT NULL",
            event,
            album,
        ),
    }
}

/// How many photos of an event its guests may see, or how many of those in an album.
pub async fn count_shown(db: &dyn Executor, event: EventId, album: Option<AlbumId>) -> Result<i64> {
    match album {
        // The number of all is known; an index has the others.
        None => fetch_one!(
            db,
            i64,
            "SELECT photos_stored - (SELECT COUNT(*) FROM photos WHERE event_id = events.id AND (status <> 'ready' OR hidden))
             FROM events WHERE id = $1",
            event,
        ),
        Some(album) => fetch_one!(
            db,
            i64,
            "SELECT COUNT(*) FROM album_photos
             WHERE album_id = $1 AND (SELECT 1 FROM photos
                 WHERE id = photo_id AND COALESCE(event_id, '') = $2 AND COALESCE(status, '') = 'ready' AND NOT hidden) IS NOT NULL",
            album,
            event,
        ),
    }
}

/// The newest photos of an event that its guests may see, or of those of them in an album, by their upload, the newest first.
pub async fn newest_shown(
    db: &dyn Executor,
    event: EventId,
    album: Option<AlbumId>,
    limit: i64,
) -> Result<Vec<PhotoId>> {
    match album {
        None => fetch_all!(
            db,
            PhotoId,
            "SELECT id FROM photos WHERE event_id = $1 AND COALESCE(status, '') = 'ready' AND NOT hidden
             ORDER BY id DESC LIMIT $2",
            event,
            limit,
        ),
        Some(album) => fetch_all!(
            db,
            PhotoId,
            "SELECT photo_id FROM album_photos
             WHERE album_id = $3 AND (SELECT 1 FROM photos
                 WHERE id = photo_id AND COALESCE(event_id, '') = $1 AND COALESCE(status, '') = 'ready' AND NOT hidden) IS NOT NULL
             ORDER BY photo_id DESC LIMIT $2",
            event,
            limit,
            album,
        ),
    }
}

/// A photo of an event, or of one of its albums, if its guests may see it.
pub async fn one_shown(
    db: &dyn Executor,
    event: EventId,
    album: Option<AlbumId>,
    photo: PhotoId,
) -> Result<Option<Photo>> {
    let shown: Option<Photo> = fetch_optional!(
        db,
        Photo,
        select!(
            "WHERE id = $1 AND COALESCE(event_id, '') = $2 AND COALESCE(status, '') = 'ready' AND NOT hidden"
        ),
        photo,
        event,
    )?;
    Ok(shown.filter(|photo| album.is_none_or(|album| photo.albums.contains(&album))))
}
