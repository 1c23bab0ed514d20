//! Removing photos. Their files are the caller's: a row that outlives its file is found again by its deletion, a file
//! that outlives its row by the sweeper.

use domain::photos::Photo;
use domain::{EventId, PhotoId, UserId};
use sqlx::QueryBuilder;

use super::{PhotoRow, select};
use crate::db::each;
use crate::{Db, Result, Tx, decode, events};

/// Photos that are removed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// Those of an event.
    Event(EventId),
    /// Those of a photographer that belong to no event.
    Library(UserId),
}

impl Collection {
    fn id(self) -> String {
        match self {
            Self::Event(event) => event.to_string(),
            Self::Library(owner) => owner.to_string(),
        }
    }
}

/// Some of the photos of a collection, oldest first; none when all are gone.
pub async fn batch(db: &Db, collection: Collection, limit: i64) -> Result<Vec<Photo>> {
    let statement = match collection {
        Collection::Event(_) => select!("WHERE event_id = $1 ORDER BY id LIMIT $2"),
        Collection::Library(_) => select!("WHERE owner_id = $1 AND event_id IS NULL ORDER BY id LIMIT $2"),
    };
    let rows = each!(db.read(), conn => sqlx::query_as::<_, PhotoRow>(statement)
        .bind(collection.id())
        .bind(limit)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Photo::try_from).collect()
}

/// Removes photos of one collection with their faces, and says how many were there. Photos of another collection
/// stay. What was uploaded stays counted.
pub async fn delete_many(tx: &mut Tx, collection: Collection, ids: &[PhotoId]) -> Result<u64> {
    if let Collection::Event(event) = collection {
        events::bump(tx, &event.to_string()).await?;
    }
    let (mut deleted, mut owner) = (0, None);
    for ids in ids.chunks(500) {
        let owners: Vec<String> = each!(tx.conn(), conn => {
            let mut statement = QueryBuilder::new("DELETE FROM photos WHERE collection = ");
            statement.push_bind(collection.id()).push(" AND id IN (");
            let mut list = statement.separated(", ");
            for id in ids {
                list.push_bind(id.to_string());
            }
            statement.push(") RETURNING owner_id");
            statement.build_query_scalar().persistent(false).fetch_all(conn).await
        })?;
        deleted += owners.len() as u64;
        owner = owner.or(owners.into_iter().next());
    }
    if let Some(owner) = owner {
        events::bump_owner(tx, decode::id(&owner, "photos.owner_id")?).await?;
    }
    Ok(deleted)
}

/// Removes one photo of an owner with its faces, and answers what it was; none when there is no such photo of theirs.
pub async fn delete(tx: &mut Tx, id: PhotoId, owner: UserId) -> Result<Option<Photo>> {
    let Some((event, _)) = super::belonging(tx, id).await?.filter(|(_, whose)| *whose == owner) else {
        return Ok(None);
    };
    if let Some(event) = event {
        events::bump(tx, &event).await?;
    }
    let row = each!(tx.conn(), conn => sqlx::query_as::<_, PhotoRow>(
            "DELETE FROM photos WHERE id = $1
             RETURNING id, owner_id, event_id, media_key, content_hash, crc32, original_filename, format, size_bytes,
                 width, height, status, faces, created_at",
        )
        .bind(id.to_string())
        .fetch_optional(conn)
        .await)?;
    events::bump_owner(tx, owner).await?;
    row.map(Photo::try_from).transpose()
}
