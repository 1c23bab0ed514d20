//! Deleting photos. Their files are the caller's: a row that outlives its file is found again by its deletion, a file
//! that outlives its row by the sweeper.

use domain::photos::Photo;
use domain::{EventId, PhotoId, UserId};

use super::select;
use crate::faces::{index, people};
use crate::operations::runtime::decode::{self, FromColumns as _};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, fetch_all};
use crate::photos::counters::{self, Counted, CountedRow, Counts};
use crate::{Engine, Executor, Result, Tx};

/// Photos that are deleted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// Those of an event.
    Event(EventId),
    /// Those of a photographer that belong to no event.
    Library(UserId),
}

impl Collection {
    pub(crate) fn id(self) -> String {
        match self {
            Self::Event(event) => event.to_string(),
            Self::Library(owner) => owner.to_string(),
        }
    }
}

/// Some of the photos of a collection, oldest first; none when all are deleted.
pub async fn batch(db: &dyn Executor, collection: Collection, limit: i64) -> Result<Vec<Photo>> {
    let statement = match collection {
        Collection::Event(_) => select!("WHERE event_id = $1 ORDER BY id LIMIT $2"),
        Collection::Library(_) => select!("WHERE owner_id = $1 AND event_id IS NULL ORDER BY id LIMIT $2"),
    };
    fetch_all!(db, Photo, statement, collection.id(), limit)
}

/// All photos of a collection, or those of them that a member has uploaded, oldest first.
pub async fn ids(
    db: &dyn Executor,
    collection: Collection,
    uploader: Option<UserId>,
) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos
         WHERE collection = $1 AND COALESCE(uploader_id, '') = COALESCE($2, uploader_id, '') ORDER BY id",
        collection.id(),
        uploader,
    )
}

/// Locks photos in the order of their ids, as everybody does who changes several, until the transaction ends. SQLite has one writer.
pub(crate) async fn lock_many(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    let mut statement = Statement::built("SELECT id FROM photos WHERE id IN ");
    statement.push_list(photos);
    statement.push(" ORDER BY id FOR NO KEY UPDATE");
    statement.execute(tx.writer()).await.map(drop)
}

row! {
    struct DeletedRow {
        ..counted: CountedRow,
        id: String,
    }
}

/// Deletes photos of one collection with their faces, and answers those that were still there, in no order. Photos of another
/// collection stay. What was uploaded stays counted.
pub async fn delete_many(tx: &mut Tx, collection: Collection, ids: &[PhotoId]) -> Result<Vec<PhotoId>> {
    if let Collection::Event(event) = collection {
        index::reread_event(tx, event).await?;
    }
    let people = people::in_photos(tx, ids).await?;
    let (mut deleted, mut counted) = (Vec::with_capacity(ids.len()), Vec::with_capacity(ids.len()));
    for ids in ids.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("DELETE FROM photos WHERE id IN ");
        statement.push_list(ids);
        // The function keeps an engine without statistics from the index on the whole collection.
        statement.push(" AND COALESCE(collection, '') = ").push_bind(collection.id());
        statement.push(concat!(" RETURNING id, ", counters::columns!()));
        let rows: Vec<DeletedRow> = statement.fetch_rows(tx.writer()).await?;
        for DeletedRow { counted: row, id } in rows {
            deleted.push(decode::id(&id, "photos.id")?);
            counted.push(Counted::from_columns(row)?);
        }
    }
    let gone = |photo: &Counted| (photo.collection(), Counts::default() - photo.counts());
    counters::add_all(tx, counted.iter().map(gone)).await?;
    people::delete_empty(tx, &people).await?;
    if let Some(photo) = counted.first() {
        index::reread_owner(tx, photo.owner).await?;
    }
    Ok(deleted)
}
