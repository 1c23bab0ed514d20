//! Faces that were found in photos, and their embeddings.

pub mod consents;
pub mod index;
pub mod missed_faces;
pub mod not_me_reports;
pub mod people;

use domain::faces::{BoundingBox, Embedding};
use domain::{EventId, FaceId, PhotoId, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all, fetch_one};
use crate::photos::counters::{self, Counted, Counts};
use crate::photos::focus;
use crate::{Db, Engine, Executor, Result, Tx};

/// A face to be stored.
#[derive(Clone, Debug)]
pub struct NewFace {
    /// Its id.
    pub id: FaceId,
    /// Where it is in its photo.
    pub bounds: BoundingBox,
    /// How sure the detector is, 0 to 1.
    pub score: f64,
    /// Whether it is blurred.
    pub is_blurred: bool,
    /// Its embedding.
    pub embedding: Embedding,
}

/// A face with its place.
#[derive(Clone, Debug)]
pub struct StoredFace {
    /// Its id.
    pub id: FaceId,
    /// The photo it is in.
    pub photo: PhotoId,
    /// Where it is in its photo.
    pub bounds: BoundingBox,
    /// The model pack that has described it.
    pub pack: String,
    /// Its embedding.
    pub embedding: Embedding,
    /// Whether guests' searches leave its photo out.
    pub hidden: bool,
}

row! {
    pub(crate) struct FaceRow {
        id: String,
        photo_id: String,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        pack: String,
        embedding: Vec<u8>,
        hidden: bool,
    }
}

impl FromColumns for StoredFace {
    type Columns = FaceRow;

    fn from_columns(row: FaceRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "faces.id")?,
            photo: decode::id(&row.photo_id, "faces.photo_id")?,
            bounds: BoundingBox { x: row.x, y: row.y, width: row.width, height: row.height },
            pack: row.pack,
            embedding: decode::known(Embedding::from_bytes(&row.embedding), "faces.embedding")?,
            hidden: row.hidden,
        })
    }
}

impl FromColumns for BoundingBox {
    type Columns = (f64, f64, f64, f64);

    fn from_columns((x, y, width, height): (f64, f64, f64, f64)) -> Result<Self> {
        Ok(Self { x, y, width, height })
    }
}

/// Every face in an event, in hidden photos too, whatever model pack has described it.
pub async fn of_event(db: &dyn Executor, event: EventId) -> Result<Vec<StoredFace>> {
    fetch_all!(
        db,
        StoredFace,
        "SELECT faces.id, photo_id, x, y, faces.width, faces.height, faces.pack, embedding, hidden
         FROM faces JOIN photos ON photos.id = photo_id
         WHERE faces.event_id = $1 ORDER BY photo_id, faces.id",
        event,
    )
}

/// Every face in a photo.
pub async fn of_photo(db: &dyn Executor, photo: PhotoId) -> Result<Vec<StoredFace>> {
    fetch_all!(
        db,
        StoredFace,
        "SELECT faces.id, photo_id, x, y, faces.width, faces.height, faces.pack, embedding, hidden
         FROM faces JOIN photos ON photos.id = photo_id
         WHERE photo_id = $1 ORDER BY faces.id",
        photo,
    )
}

/// The embeddings of those of these faces that are an owner's and that `pack` has described, in no order.
pub async fn embeddings(db: &Db, owner: UserId, pack: &str, faces: &[FaceId]) -> Result<Vec<Embedding>> {
    let mut embeddings = Vec::new();
    for faces in faces.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("SELECT embedding FROM faces WHERE id IN ");
        statement.push_list(faces);
        // The functions keep an engine without statistics from the indexes on all faces of an owner.
        statement.push(" AND COALESCE(owner_id, '') = ").push_bind(owner);
        statement.push(" AND COALESCE(pack, '') = ").push_bind(pack);
        let rows: Vec<Vec<u8>> = statement.fetch_all(db.reader()).await?;
        for row in rows {
            embeddings.push(decode::known(Embedding::from_bytes(&row), "faces.embedding")?);
        }
    }
    Ok(embeddings)
}

/// Where the faces of a photo are, from left to right; the embeddings are not read.
pub async fn places(db: &dyn Executor, photo: PhotoId) -> Result<Vec<BoundingBox>> {
    fetch_all!(
        db,
        BoundingBox,
        "SELECT x, y, width, height FROM faces WHERE photo_id = $1 ORDER BY x, id",
        photo
    )
}

/// Deletes faces in an event, and counts those of their photos again.
pub async fn delete(tx: &mut Tx, event: EventId, faces: &[(FaceId, PhotoId)]) -> Result<()> {
    if faces.is_empty() {
        return Ok(());
    }
    index::reread_event(tx, event).await?;
    let people = people::in_photos(tx, &faces.iter().map(|(_, photo)| *photo).collect::<Vec<_>>()).await?;
    for faces in faces.chunks(LIST_LIMIT) {
        let photos: Vec<PhotoId> = faces.iter().map(|(_, photo)| *photo).collect();
        let before = lock(tx, &photos).await?;
        let mut statement = Statement::built("DELETE FROM faces WHERE id IN ");
        statement.push_list(&faces.iter().map(|(face, _)| *face).collect::<Vec<_>>());
        statement.execute(tx.writer()).await?;
        let mut statement = Statement::built(
            "UPDATE photos SET faces = (SELECT COUNT(*) FROM faces WHERE photo_id = photos.id) WHERE id IN ",
        );
        statement.push_list(&photos);
        statement.push(concat!(" RETURNING ", counters::columns!()));
        let after: Vec<Counted> = statement.fetch_all(tx.writer()).await?;
        focus::update(tx, &photos).await?;
        // Of the same photos, which are locked: the sums differ by what was deleted, of those that are held too.
        let gone = before.iter().map(|photo| (photo.collection(), Counts::default() - photo.counts()));
        let left = after.iter().map(|photo| (photo.collection(), photo.counts()));
        counters::add_all(tx, gone.chain(left)).await?;
    }
    people::delete_empty(tx, &people).await?;
    index::reread_owner_of(tx, event).await
}

/// Locks photos in the order of their ids, as everybody does who changes several, and answers what they count. The transaction has
/// locked their event.
async fn lock(tx: &mut Tx, photos: &[PhotoId]) -> Result<Vec<Counted>> {
    let mut statement =
        Statement::built(concat!("SELECT ", counters::columns!(), " FROM photos WHERE id IN "));
    statement.push_list(photos).push(" ORDER BY id");
    // SQLite's transactions lock everything.
    if tx.engine() == Engine::Postgres {
        statement.push(" FOR NO KEY UPDATE");
    }
    statement.fetch_all(tx.writer()).await
}

/// The photo whose faces are stored.
pub(crate) struct Owned {
    pub(crate) photo: PhotoId,
    pub(crate) event: Option<EventId>,
    pub(crate) owner: UserId,
    /// The number of this change in the event; 0 in a library.
    pub(crate) event_change: i64,
}

/// Replaces a photo's faces by `faces`, in an event whose row the transaction has locked by numbering the change. Those that
/// have the ids of faces that were there stay the same people's.
pub(crate) async fn replace(tx: &mut Tx, of: &Owned, pack: &str, faces: &[NewFace]) -> Result<()> {
    let of_people = people::faces_in_photo(tx, of.photo).await?;
    let removes = execute!(&mut *tx, "DELETE FROM faces WHERE photo_id = $1", of.photo)? > 0;
    if let Some(event) = of.event.filter(|_| removes) {
        index::count_removal(tx, event).await?;
    }
    let owner_change = index::extend_owner(tx, of.owner, removes).await?;
    // Fifteen values a row, and SQLite takes 32,766 in a statement.
    for faces in faces.chunks(500) {
        let mut insert = Statement::built(
            "INSERT INTO faces (id, photo_id, event_id, owner_id, pack, event_change, owner_change, x, y, width,
                 height, score, blurred, embedding, person_id) ",
        );
        insert.push_values(faces.iter().map(|face| {
            [
                face.id.into(),
                of.photo.into(),
                of.event.into(),
                of.owner.into(),
                pack.into(),
                of.event_change.into(),
                owner_change.into(),
                face.bounds.x.into(),
                face.bounds.y.into(),
                face.bounds.width.into(),
                face.bounds.height.into(),
                face.score.into(),
                face.is_blurred.into(),
                face.embedding.to_bytes().into(),
                of_people.get(&face.id).copied().into(),
            ]
        }));
        // Its text depends on the number of faces, so keeping it prepared would only fill the cache.
        insert.execute(tx.writer()).await?;
    }
    people::delete_empty(tx, &of_people.into_values().collect::<Vec<_>>()).await
}

/// Gives faces of a photo other embeddings, and deletes its others, in an event whose row the transaction has locked by numbering
/// the change; answers how many it has now.
pub(crate) async fn describe(
    tx: &mut Tx,
    of: &Owned,
    pack: &str,
    faces: &[(FaceId, Embedding)],
) -> Result<i64> {
    // Some are deleted, and all leave the indexes that have what the other pack says of them.
    if let Some(event) = of.event {
        index::count_removal(tx, event).await?;
    }
    let owner_change = index::extend_owner(tx, of.owner, true).await?;
    let people = people::in_photos(tx, &[of.photo]).await?;
    // One after the other: a list of rows would have to name the type of its bytes, which the engines call differently.
    for (id, embedding) in faces {
        execute!(
            &mut *tx,
            "UPDATE faces SET embedding = $3, pack = $4, event_change = $5, owner_change = $6
             WHERE id = $1 AND photo_id = $2",
            *id,
            of.photo,
            embedding.to_bytes().as_slice(),
            pack,
            of.event_change,
            owner_change,
        )?;
    }
    execute!(
        &mut *tx,
        "DELETE FROM faces WHERE photo_id = $1 AND owner_change <> $2",
        of.photo,
        owner_change
    )?;
    people::delete_empty(tx, &people).await?;
    fetch_one!(tx, i64, "SELECT COUNT(*) FROM faces WHERE photo_id = $1", of.photo)
}
