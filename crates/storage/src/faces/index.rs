//! What indexes in memory are read from, and the numbers by which they know what has changed.
//!
//! An event's `revision` numbers the changes of what a search in it finds. The transaction that makes a change takes the
//! next number, and with it the lock of the event's row until it has ended: a transaction with a higher number commits
//! later. Its faces carry the number, so that whoever sees a face sees all faces of lower numbers, and has missed none
//! when it asks for those of higher ones. `removals` counts the changes that added nothing: an index that was read
//! before one of them is read from the beginning. The owner's row has the same numbers for all of their photos; it is
//! locked after the event's.

use domain::faces::Embedding;
use domain::{EventId, FaceId, PhotoId, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::photos::counters::Counts;
use crate::{Executor, Result, Tx};

/// The photos that a search covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In one event, but for hidden ones.
    Event(EventId),
    /// In all photos of one photographer: the library and every open event.
    Owner(UserId),
}

impl Scope {
    fn id(self) -> String {
        match self {
            Self::Event(event) => event.to_string(),
            Self::Owner(owner) => owner.to_string(),
        }
    }
}

/// The state of what a search in a scope finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The number of the last change.
    pub revision: i64,
    /// How many changes were such that faces are read from the beginning after them.
    pub removals: i64,
}

impl FromColumns for Version {
    type Columns = (i64, i64);

    fn from_columns((revision, removals): (i64, i64)) -> Result<Self> {
        Ok(Self { revision, removals })
    }
}

/// A face that a search compares.
#[derive(Clone, Debug)]
pub struct IndexedFace {
    /// Its id.
    pub id: FaceId,
    /// The photo it is in.
    pub photo: PhotoId,
    /// The number of the change with which it came.
    pub change: i64,
    /// Its embedding.
    pub embedding: Embedding,
}

row! {
    pub(crate) struct IndexedFaceRow {
        id: String,
        photo_id: String,
        change: i64,
        embedding: Vec<u8>,
    }
}

impl FromColumns for IndexedFace {
    type Columns = IndexedFaceRow;

    fn from_columns(row: IndexedFaceRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "faces.id")?,
            photo: decode::id(&row.photo_id, "faces.photo_id")?,
            change: row.change,
            embedding: decode::known(Embedding::from_bytes(&row.embedding), "faces.embedding")?,
        })
    }
}

/// A place in the order of a scope's faces: by their changes, then by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    change: i64,
    face: Option<FaceId>,
}

impl Position {
    /// Before every face.
    pub const START: Self = Self { change: 0, face: None };
}

impl Version {
    /// Before the faces that come after this state.
    pub const fn position(self) -> Position {
        Position { change: self.revision + 1, face: None }
    }
}

impl IndexedFace {
    /// Before the next face.
    pub const fn position(&self) -> Position {
        Position { change: self.change, face: Some(self.id) }
    }
}

/// The state of a scope; none when there is no such scope.
pub async fn version(db: &dyn Executor, scope: Scope) -> Result<Option<Version>> {
    let statement = match scope {
        Scope::Event(_) => "SELECT revision, removals FROM events WHERE id = $1",
        Scope::Owner(_) => "SELECT revision, removals FROM users WHERE id = $1",
    };
    fetch_optional!(db, Version, statement, scope.id())
}

/// The next faces in `scope` that the model pack called `pack` has described, at most `limit`. Fewer are the last there
/// are: then none is missing up to the change of the last one.
pub async fn page(
    db: &dyn Executor,
    scope: Scope,
    pack: &str,
    after: Position,
    limit: i64,
) -> Result<Vec<IndexedFace>> {
    let statement = match scope {
        // Hidden photos come from an index that is empty where nothing is hidden, so that others pay nothing for it.
        Scope::Event(_) => {
            "SELECT id, photo_id, event_change AS change, embedding FROM faces
             WHERE event_id = $1 AND pack = $2 AND (event_change, id) > ($3, $4)
                 AND photo_id NOT IN (SELECT id FROM photos WHERE event_id = $1 AND hidden)
             ORDER BY event_change, id LIMIT $5"
        }
        Scope::Owner(_) => {
            "SELECT faces.id, photo_id, owner_change AS change, embedding
             FROM faces LEFT JOIN events ON events.id = faces.event_id
             WHERE faces.owner_id = $1 AND pack = $2 AND (owner_change, faces.id) > ($3, $4)
                 AND deleting_since IS NULL AND deleted_at IS NULL
             ORDER BY owner_change, faces.id LIMIT $5"
        }
    };
    fetch_all!(db, IndexedFace, statement, scope.id(), pack, after.change, cursor(after.face), limit)
}

/// Whether `pack` has described a face in `scope`, maybe in a hidden photo.
pub async fn has(db: &dyn Executor, scope: Scope, pack: &str) -> Result<bool> {
    let statement = match scope {
        Scope::Event(_) => "SELECT id FROM faces WHERE event_id = $1 AND pack = $2 LIMIT 1",
        Scope::Owner(_) => "SELECT id FROM faces WHERE owner_id = $1 AND pack = $2 LIMIT 1",
    };
    Ok(fetch_optional!(db, String, statement, scope.id(), pack)?.is_some())
}

/// How many faces `pack` has described in `scope`, in hidden photos too.
pub async fn count(db: &dyn Executor, scope: Scope, pack: &str) -> Result<i64> {
    let statement = match scope {
        Scope::Event(_) => "SELECT COUNT(*) FROM faces WHERE event_id = $1 AND pack = $2",
        Scope::Owner(_) => "SELECT COUNT(*) FROM faces WHERE owner_id = $1 AND pack = $2",
    };
    fetch_one!(db, i64, statement, scope.id(), pack)
}

/// How many faces guests' searches compare in an event, whatever pack has described them: all but those in hidden photos.
pub async fn of_guests(db: &dyn Executor, event: EventId) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT CAST(COALESCE(SUM(faces_stored), 0)
             - (SELECT COALESCE(SUM(faces), 0) FROM photos WHERE event_id = $1 AND hidden) AS BIGINT)
         FROM events WHERE id = $1",
        event,
    )
}

/// How many faces an owner has in the library and in events that are open, whatever pack has described them.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT CAST(COALESCE(SUM(faces), 0) AS BIGINT) FROM (
             SELECT faces_stored AS faces FROM events
             WHERE owner_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL
             UNION ALL SELECT library_faces FROM users WHERE id = $1
         ) AS collections",
        owner,
    )
}

/// The number of a change that adds faces to an event, whose photos count so much more; until the transaction ends no other
/// is handed out.
pub(crate) async fn extend_event(tx: &mut Tx, event: EventId, change: Counts) -> Result<i64> {
    fetch_one!(
        tx,
        i64,
        "UPDATE events SET revision = revision + 1, photos_indexed = photos_indexed + $2,
             photos_failed = photos_failed + $3, faces_stored = faces_stored + $4, held_indexed = held_indexed + $5,
             held_failed = held_failed + $6, held_faces = held_faces + $7
         WHERE id = $1 RETURNING revision",
        event,
        change.indexed,
        change.failed,
        change.faces,
        change.held_indexed,
        change.held_failed,
        change.held_faces,
    )
}

/// Says of the change just numbered that it takes faces away too.
pub(crate) async fn count_removal(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(tx, "UPDATE events SET removals = removals + 1 WHERE id = $1", event)?;
    Ok(())
}

/// The number of a change in all of an owner's photos; `removes` says that faces are taken away too.
pub(crate) async fn extend_owner(tx: &mut Tx, owner: UserId, removes: bool) -> Result<i64> {
    fetch_one!(
        tx,
        i64,
        "UPDATE users SET revision = revision + 1, removals = removals + $2 WHERE id = $1 RETURNING revision",
        owner,
        i64::from(removes),
    )
}

/// Has the indexes of an event read from the beginning.
pub(crate) async fn reread_event(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(tx, "UPDATE events SET revision = revision + 1, removals = removals + 1 WHERE id = $1", event)?;
    Ok(())
}

/// Has the indexes of all photos of an owner read from the beginning.
pub(crate) async fn reread_owner(tx: &mut Tx, owner: UserId) -> Result<()> {
    execute!(tx, "UPDATE users SET revision = revision + 1, removals = removals + 1 WHERE id = $1", owner)?;
    Ok(())
}

/// The same for the owner of an event.
pub(crate) async fn reread_owner_of(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(
        tx,
        "UPDATE users SET revision = revision + 1, removals = removals + 1
         WHERE id = (SELECT owner_id FROM events WHERE id = $1)",
        event,
    )?;
    Ok(())
}
