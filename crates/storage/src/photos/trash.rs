//! Photos that were deleted and can be restored. They are in tables of their own, so that no statement about photos or faces
//! finds them: not a list, a search, a link, a ZIP or a number.

use domain::photos::{ContentHash, Photo, PhotoStatus};
use domain::{PhotoId, Timestamp, UserId};

use crate::faces::index;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, fetch_all, fetch_one, fetch_optional};
use crate::photos::counters::{self, Counted, CountedRow};
use crate::photos::visibility::{hold_again, is_hidden};
use crate::photos::{Collection, PhotoRow, columns, delete_many, is_open, lock_many};
use crate::{Db, Engine, Error, Executor, Result, Tx};

/// All columns of `photos`.
macro_rules! kept {
    () => {
        "id, owner_id, event_id, uploader_id, collection, media_key, content_hash, crc32, original_filename, format, size_bytes, width,
             height, status, failure_cause, failure, faces, focus_x, focus_y, cover_rank, pack, outdated, average_color, preview_bytes, preview_crc32, medium_bytes,
             not_me_reports, downloads, hearts, hidden, held, removal_at, captured_at, camera, lens, artist, copyright, name_key, name_fold, name_stem, described, stack_chosen, created_at"
    };
}

/// What of a face does not depend on when it came.
macro_rules! face {
    () => {
        "id, photo_id, event_id, owner_id, pack, x, y, width, height, score, blurred, embedding"
    };
}

macro_rules! objected {
    () => {
        "objection_id, face_id, photo_id, x, y, width, height, overruled"
    };
}

/// A photo in an album.
macro_rules! placed {
    () => {
        "album_id, photo_id"
    };
}

/// What is remembered of a file that was replaced.
macro_rules! former {
    () => {
        "photo_id, content_hash, replaced_at"
    };
}

mod faces;
mod guests;

use faces::restore_faces;
pub use faces::{decide, delete_faces, faces, has_faces, object, objected, reindex};

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!("trashed_album_photos"), ", trashed_at FROM trashed_photos ", $rest)
    };
}

/// A deleted photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trashed {
    /// As it was.
    pub photo: Photo,
    /// When it was deleted.
    pub at: Timestamp,
}

row! {
    pub(crate) struct TrashedRow {
        ..photo: PhotoRow,
        trashed_at: i64,
    }
}

impl FromColumns for Trashed {
    type Columns = TrashedRow;

    fn from_columns(row: TrashedRow) -> Result<Self> {
        Ok(Self { photo: Photo::from_columns(row.photo)?, at: Timestamp::from_millis(row.trashed_at) })
    }
}

/// What was restored.
#[derive(Clone, Debug, Default)]
pub struct Restored {
    /// The photos, as they were.
    pub photos: Vec<Photo>,
    /// Those of them that are to be indexed, for the first time or since another model pack is in use.
    pub to_index: Vec<PhotoId>,
}

row! {
    pub(crate) struct RestoredRow {
        ..counted: CountedRow,
        id: String,
    }
}

/// Adds to a statement that its photos are those of a list and of a collection.
macro_rules! these {
    ($statement:ident, $ids:expr, $collection:expr) => {{
        $statement.push_list($ids);
        // The function keeps an engine without statistics from the index on the whole collection.
        $statement.push(" AND COALESCE(collection, '') = ").push_bind($collection.id())
    }};
}

/// Those of deleted photos that are still there, locked until the transaction ends: whoever restores or removes some of them at
/// the same time has ended before, and what he took is not among them.
async fn lock_trashed(tx: &mut Tx, ids: &[PhotoId]) -> Result<Vec<PhotoId>> {
    let mut statement = Statement::built("SELECT id FROM trashed_photos WHERE id IN ");
    statement.push_list(ids);
    statement.push(" ORDER BY id");
    if tx.engine() == Engine::Postgres {
        statement.push(" FOR UPDATE");
    }
    statement.fetch_all(tx.writer()).await
}

/// Deletes photos of one collection so that they can be restored, with their faces and what guests have asked about them, and
/// answers their number. Photos of another collection stay. They do not count any more; what was uploaded stays counted.
pub async fn put(tx: &mut Tx, collection: Collection, ids: &[PhotoId], at: Timestamp) -> Result<u64> {
    Ok(put_each(tx, collection, ids, at).await?.len() as u64)
}

/// Deletes photos as [`put`] does, and answers which they were, in no order.
pub async fn put_each(
    tx: &mut Tx,
    collection: Collection,
    ids: &[PhotoId],
    at: Timestamp,
) -> Result<Vec<PhotoId>> {
    let mut moved = Vec::with_capacity(ids.len());
    // The event before its photos, as everywhere; nobody indexes one of these until the transaction ends.
    if let Collection::Event(event) = collection {
        index::reread_event(tx, event).await?;
    }
    for ids in ids.chunks(LIST_LIMIT) {
        lock_many(tx, ids).await?;
        let mut statement = Statement::built(concat!(
            "INSERT INTO trashed_photos (",
            kept!(),
            ", trashed_at) SELECT ",
            kept!(),
            ", "
        ));
        statement.push("CAST(").push_bind(at.as_millis()).push(" AS BIGINT) FROM photos WHERE id IN ");
        these!(statement, ids, collection);
        let kept = statement.execute(tx.writer()).await?;
        for (table, rest) in [
            (
                "INSERT INTO trashed_faces",
                concat!(" (", face!(), ") SELECT ", face!(), " FROM faces WHERE photo_id IN "),
            ),
            (
                "INSERT INTO trashed_objection_faces",
                concat!(
                    " (",
                    objected!(),
                    ") SELECT ",
                    objected!(),
                    " FROM objection_faces WHERE photo_id IN "
                ),
            ),
            (
                "INSERT INTO trashed_replaced_files",
                concat!(" (", former!(), ") SELECT ", former!(), " FROM replaced_files WHERE photo_id IN "),
            ),
            (
                "INSERT INTO trashed_album_photos",
                concat!(" (", placed!(), ") SELECT ", placed!(), " FROM album_photos WHERE photo_id IN "),
            ),
        ] {
            let mut statement = Statement::built(table);
            statement.push(rest);
            statement.push_list(ids);
            // Not `EXISTS`, which PostgreSQL may turn into a join that reads the whole table.
            statement
                .push(" AND (SELECT 1 FROM trashed_photos WHERE trashed_photos.id = photo_id) IS NOT NULL");
            statement.execute(tx.writer()).await?;
        }
        guests::put(tx, ids).await?;
        let deleted = delete_many(tx, collection, ids).await?;
        if deleted.len() as u64 != kept {
            return Err(Error::Overtaken { table: "photos", expected: kept, moved: deleted.len() as u64 });
        }
        moved.extend(deleted);
    }
    Ok(moved)
}

/// Restores deleted photos of one collection, which one of `packs` or another model pack has looked at. Those whose bytes are there
/// again stay where they are, and so do all when the event is closed.
pub async fn restore(
    tx: &mut Tx,
    collection: Collection,
    owner: UserId,
    packs: &[&str],
    ids: &[PhotoId],
) -> Result<Restored> {
    let mut restored = Restored::default();
    if let Collection::Event(event) = collection {
        // It locks the event: one that is deleted meanwhile is seen to be.
        index::reread_event(tx, event).await?;
        if !is_open(tx, event, owner).await? {
            return Ok(restored);
        }
    }
    for ids in ids.chunks(LIST_LIMIT) {
        let ids = lock_trashed(tx, ids).await?;
        if ids.is_empty() {
            continue;
        }
        let mut statement = Statement::built(concat!(
            "INSERT INTO photos (",
            kept!(),
            ") SELECT ",
            kept!(),
            " FROM trashed_photos WHERE id IN "
        ));
        these!(statement, &ids, collection).push(" AND COALESCE(owner_id, '') = ").push_bind(owner);
        statement
            .push(" ORDER BY id ON CONFLICT (collection, content_hash) DO NOTHING RETURNING ")
            .push(columns!("trashed_album_photos"));
        restored.photos.extend(statement.fetch_all::<Photo>(tx.writer()).await?);
    }
    let photos: Vec<PhotoId> = restored.photos.iter().map(|photo| photo.id).collect();
    let mut counted = Vec::with_capacity(photos.len());
    for ids in photos.chunks(LIST_LIMIT) {
        restore_faces(tx, ids).await?;
        guests::restore_known(tx, ids).await?;
        if let Collection::Event(event) = collection {
            hold_again(tx, event, ids).await?;
        }
        for text in [
            concat!(
                "INSERT INTO replaced_files (",
                former!(),
                ") SELECT ",
                former!(),
                " FROM trashed_replaced_files WHERE photo_id IN "
            ),
            concat!(
                "INSERT INTO album_photos (",
                placed!(),
                ") SELECT ",
                placed!(),
                " FROM trashed_album_photos WHERE photo_id IN "
            ),
        ] {
            let mut statement = Statement::built(text);
            statement.push_list(ids);
            statement.execute(tx.writer()).await?;
        }
        guests::restore_choices(tx, ids).await?;
        let mut statement =
            Statement::built("UPDATE photos SET outdated = (status = 'ready' AND COALESCE(pack, '') NOT IN ");
        // The photographer may have decided about a request meanwhile.
        statement.push_list(packs);
        statement.push(concat!("), hidden = ", is_hidden!(), " WHERE id IN "));
        statement.push_list(ids);
        statement.push(concat!(" RETURNING id, ", counters::columns!()));
        let rows: Vec<RestoredRow> = statement.fetch_rows(tx.writer()).await?;
        for RestoredRow { counted: row, id } in rows {
            let photo = Counted::from_columns(row)?;
            if photo.outdated || photo.status == PhotoStatus::Processing {
                restored.to_index.push(decode::id(&id, "photos.id")?);
            }
            counted.push(photo);
        }
        let removed = remove(tx, ids).await?.len();
        if removed != ids.len() {
            return Err(Error::Overtaken {
                table: "trashed_photos",
                expected: ids.len() as u64,
                moved: removed as u64,
            });
        }
    }
    if let Some(photo) = counted.first() {
        counters::add_all(tx, counted.iter().map(|photo| (photo.collection(), photo.counts()))).await?;
        index::reread_owner(tx, photo.owner).await?;
    }
    Ok(restored)
}

/// Removes deleted photos for good, and answers those that were still there. Their files are the caller's.
pub async fn remove(tx: &mut Tx, ids: &[PhotoId]) -> Result<Vec<Photo>> {
    let mut removed = Vec::with_capacity(ids.len());
    for ids in ids.chunks(LIST_LIMIT) {
        let ids = lock_trashed(tx, ids).await?;
        if ids.is_empty() {
            continue;
        }
        let mut statement = Statement::built("DELETE FROM trashed_photos WHERE id IN ");
        statement.push_list(&ids);
        statement.push(concat!(" RETURNING ", columns!("trashed_album_photos")));
        removed.extend(statement.fetch_all::<Photo>(tx.writer()).await?);
    }
    Ok(removed)
}

/// Where a page of the trash begins: behind this moment of deletion and photo.
pub type Place = (Timestamp, PhotoId);

/// A page of the deleted photos of a collection, or of those of them that a member has uploaded, those that were deleted last
/// first.
pub async fn page(
    db: &dyn Executor,
    collection: Collection,
    uploader: Option<UserId>,
    after: Option<Place>,
    limit: i64,
) -> Result<Vec<Trashed>> {
    // Behind every moment and id.
    let (at, id) = after.map_or((i64::MAX, String::new()), |(at, id)| (at.as_millis(), id.to_string()));
    fetch_all!(
        db,
        Trashed,
        select!(
            "WHERE collection = $1 AND (trashed_at, id) < ($2, $3) AND COALESCE(uploader_id, '') = COALESCE($5, uploader_id, '')
             ORDER BY trashed_at DESC, id DESC LIMIT $4"
        ),
        collection.id(),
        at,
        id,
        limit,
        uploader,
    )
}

/// Those photos of a collection that were deleted at this moment, from the one after `after`, in the order of their ids.
pub async fn deleted_at(
    db: &dyn Executor,
    collection: Collection,
    at: Timestamp,
    after: Option<PhotoId>,
    limit: i64,
) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM trashed_photos WHERE collection = $1 AND trashed_at = $2 AND id > $3 ORDER BY id LIMIT $4",
        collection.id(),
        at,
        cursor(after),
        limit,
    )
}

/// How many photos of a collection, or of those of them that a member has uploaded, are deleted and can be restored.
pub async fn count(db: &dyn Executor, collection: Collection, uploader: Option<UserId>) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM trashed_photos
         WHERE collection = $1 AND COALESCE(uploader_id, '') = COALESCE($2, uploader_id, '')",
        collection.id(),
        uploader,
    )
}

/// A deleted photo.
pub async fn by_id(db: &dyn Executor, id: PhotoId) -> Result<Option<Trashed>> {
    fetch_optional!(db, Trashed, select!("WHERE id = $1"), id)
}

/// Those of the photos that are deleted and can be restored, in no order.
pub async fn by_ids(db: &Db, ids: &[PhotoId]) -> Result<Vec<Photo>> {
    let mut photos = Vec::new();
    for ids in ids.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(concat!(
            "SELECT ",
            columns!("trashed_album_photos"),
            " FROM trashed_photos WHERE id IN "
        ));
        statement.push_list(ids);
        photos.extend(statement.fetch_all::<Photo>(db.reader()).await?);
    }
    Ok(photos)
}

/// The deleted photo of a collection with these bytes.
pub async fn by_hash(
    db: &dyn Executor,
    collection: Collection,
    hash: &ContentHash,
) -> Result<Option<PhotoId>> {
    fetch_optional!(
        db,
        PhotoId,
        "SELECT id FROM trashed_photos WHERE collection = $1 AND content_hash = $2 ORDER BY trashed_at DESC LIMIT 1",
        collection.id(),
        hash,
    )
}

/// Photos that were deleted by `before`, oldest first. Those that were deleted with their event wait for as long as it can be restored,
/// and until it is.
pub async fn due(db: &dyn Executor, before: Timestamp, limit: i64) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM trashed_photos
         WHERE trashed_at <= $1
             AND (SELECT 1 FROM events
                  WHERE events.id = event_id
                      AND (restoring_since = trashed_at
                          OR (deleting_since = trashed_at AND restorable_until IS NOT NULL))) IS NULL
         ORDER BY trashed_at, id LIMIT $2",
        before,
        limit,
    )
}

/// Those of deleted photos that are not on their way back with their event.
pub async fn left_in_trash(db: &dyn Executor, ids: &[PhotoId]) -> Result<Vec<PhotoId>> {
    let mut left = Vec::with_capacity(ids.len());
    for ids in ids.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("SELECT id FROM trashed_photos WHERE id IN ");
        statement.push_list(ids);
        statement.push(
            " AND (SELECT 1 FROM events WHERE events.id = event_id AND restoring_since = trashed_at) IS NULL
             ORDER BY id",
        );
        left.extend(statement.fetch_all::<PhotoId>(db.reader()).await?);
    }
    Ok(left)
}

/// All deleted photos of everybody, from the one after `after`: for walks over the whole.
pub async fn all(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<Photo>> {
    fetch_all!(
        db,
        Photo,
        concat!(
            "SELECT ",
            columns!("trashed_album_photos"),
            " FROM trashed_photos WHERE id > $1 ORDER BY id LIMIT $2"
        ),
        cursor(after),
        limit,
    )
}
