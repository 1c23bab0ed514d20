//! Faces that were found in photos, and their embeddings.

use domain::faces::{BoundingBox, Embedding};
use domain::{EventId, FaceId, PhotoId, UserId};
use futures::TryStreamExt as _;
use sqlx::QueryBuilder;

use crate::decode::FromColumns;
use crate::encode::ToColumn as _;
use crate::row::row;
use crate::statements::{LIST_LIMIT, dispatch, execute, fetch_all, fetch_optional, push_list};
use crate::{Executor, Result, Tx, decode};

/// The photos that a search covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In one event, but for hidden ones.
    Event(EventId),
    /// In all photos of one photographer: the library and every open event.
    Owner(UserId),
}

/// A face to be stored.
#[derive(Clone, Debug)]
pub struct NewFace {
    /// Its id.
    pub id: FaceId,
    /// Where it is in its photo.
    pub bounds: BoundingBox,
    /// How sure the detector is, 0 to 1.
    pub score: f64,
    /// Its embedding.
    pub embedding: Embedding,
}

/// A face that a search compares.
#[derive(Clone, Debug)]
pub struct StoredFace {
    /// Its id.
    pub id: FaceId,
    /// The photo it is in.
    pub photo: PhotoId,
    /// Where it is in its photo.
    pub bounds: BoundingBox,
    /// Its embedding.
    pub embedding: Embedding,
}

row! {
    pub(crate) struct FaceRow {
        id: String,
        photo_id: String,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        embedding: Vec<u8>,
    }
}

impl FromColumns for StoredFace {
    type Columns = FaceRow;

    fn from_columns(row: FaceRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "faces.id")?,
            photo: decode::id(&row.photo_id, "faces.photo_id")?,
            bounds: BoundingBox { x: row.x, y: row.y, width: row.width, height: row.height },
            embedding: decode::known(Embedding::from_bytes(&row.embedding), "faces.embedding")?,
        })
    }
}

/// A number that grows with every change of what a search in `scope` can find; none when there is no such scope.
pub async fn revision(db: impl Executor, scope: Scope) -> Result<Option<i64>> {
    let (statement, id) = match scope {
        Scope::Event(event) => ("SELECT revision FROM events WHERE id = $1", event.to_string()),
        Scope::Owner(owner) => ("SELECT revision FROM users WHERE id = $1", owner.to_string()),
    };
    fetch_optional!(db, i64, statement, id)
}

/// Every face in an event, in hidden photos too, that the model pack called `pack` has described.
pub async fn of_event(db: impl Executor, event: EventId, pack: &str) -> Result<Vec<StoredFace>> {
    fetch_all!(
        db,
        StoredFace,
        "SELECT id, photo_id, x, y, width, height, embedding FROM faces
         WHERE event_id = $1 AND pack = $2 ORDER BY photo_id, id",
        event,
        pack,
    )
}

/// Deletes faces, and counts those of their photos again. The caller tells the caches.
pub async fn delete(tx: &mut Tx, faces: &[(FaceId, PhotoId)]) -> Result<()> {
    for faces in faces.chunks(LIST_LIMIT) {
        dispatch!(tx.writer(), "DELETE FROM faces", conn => async {
            let mut statement = QueryBuilder::new("DELETE FROM faces WHERE id IN ");
            push_list(&mut statement, &faces.iter().map(|(face, _)| *face).collect::<Vec<_>>());
            statement.build().persistent(false).execute(conn).await.map(|_| ())
        })?;
        dispatch!(tx.writer(), "UPDATE photos", conn => async {
            let mut statement = QueryBuilder::new(
                "UPDATE photos SET faces = (SELECT COUNT(*) FROM faces WHERE photo_id = photos.id) WHERE id IN ",
            );
            push_list(&mut statement, &faces.iter().map(|(_, photo)| *photo).collect::<Vec<_>>());
            statement.build().persistent(false).execute(conn).await.map(|_| ())
        })?;
    }
    Ok(())
}

/// Every face in `scope` that the model pack called `pack` has described, oldest photo first.
pub async fn embeddings(db: impl Executor, scope: Scope, pack: &str) -> Result<Vec<StoredFace>> {
    let (statement, id) = match scope {
        Scope::Event(event) => (
            // From an index that is empty where nothing is hidden, so that others pay nothing for it.
            "SELECT id, photo_id, x, y, width, height, embedding FROM faces
             WHERE event_id = $1 AND pack = $2
                 AND photo_id NOT IN (SELECT id FROM photos WHERE event_id = $1 AND hidden)
             ORDER BY photo_id, id",
            event.to_string(),
        ),
        Scope::Owner(owner) => (
            "SELECT faces.id, photo_id, x, y, width, height, embedding
             FROM faces LEFT JOIN events ON events.id = faces.event_id
             WHERE faces.owner_id = $1 AND pack = $2 AND deleting_since IS NULL AND deleted_at IS NULL
             ORDER BY photo_id, faces.id",
            owner.to_string(),
        ),
    };
    // Row by row: an event's embeddings are tens of megabytes, which need not be in memory twice.
    let faces: Vec<Result<StoredFace>> = dispatch!(db.reader(), statement, conn => {
        let rows = sqlx::query_as::<_, FaceRow>(statement).bind(&id).bind(pack).fetch(conn);
        rows.map_ok(StoredFace::from_columns).try_collect()
    })?;
    faces.into_iter().collect()
}

/// The photo whose faces are stored.
pub(crate) struct Owned {
    pub(crate) photo: PhotoId,
    pub(crate) event: Option<EventId>,
    pub(crate) owner: UserId,
}

/// Replaces a photo's faces by `faces`.
pub(crate) async fn replace(tx: &mut Tx, of: &Owned, pack: &str, faces: &[NewFace]) -> Result<()> {
    execute!(tx, "DELETE FROM faces WHERE photo_id = $1", of.photo)?;
    // Eleven values a row, and SQLite takes 32,766 in a statement.
    for faces in faces.chunks(500) {
        dispatch!(tx.writer(), "INSERT INTO faces", conn => async {
            let mut insert = QueryBuilder::new(
                "INSERT INTO faces (id, photo_id, event_id, owner_id, pack, x, y, width, height, score, embedding) ",
            );
            insert.push_values(faces, |mut row, face| {
                row.push_bind(face.id.to_column())
                    .push_bind(of.photo.to_column())
                    .push_bind(of.event.to_column())
                    .push_bind(of.owner.to_column())
                    .push_bind(pack)
                    .push_bind(face.bounds.x)
                    .push_bind(face.bounds.y)
                    .push_bind(face.bounds.width)
                    .push_bind(face.bounds.height)
                    .push_bind(face.score)
                    .push_bind(face.embedding.to_bytes());
            });
            // Its text depends on the number of faces, so keeping it prepared would only fill the cache.
            insert.build().persistent(false).execute(conn).await.map(|_| ())
        })?;
    }
    Ok(())
}
