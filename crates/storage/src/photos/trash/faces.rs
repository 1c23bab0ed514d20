//! The faces of deleted photos, and what guests have asked about them.

use domain::faces::{BoundingBox, Embedding};
use domain::guests::objections::ObjectedFace;
use domain::{EventId, FaceId, ObjectionId, PhotoId};

use crate::faces::StoredFace;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::ToColumn as _;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all};
use crate::photos::focus;
use crate::{Executor, Result, Tx};

/// A face in a deleted photo.
#[derive(Clone, Debug)]
pub struct TrashedFace {
    /// The face.
    pub face: StoredFace,
    /// The model pack that has described it.
    pub pack: String,
}

row! {
    pub(crate) struct TrashedFaceRow {
        id: String,
        photo_id: String,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        embedding: Vec<u8>,
        pack: String,
    }
}

impl FromColumns for TrashedFace {
    type Columns = TrashedFaceRow;

    fn from_columns(row: TrashedFaceRow) -> Result<Self> {
        let face = StoredFace {
            id: decode::id::<FaceId>(&row.id, "trashed_faces.id")?,
            photo: decode::id(&row.photo_id, "trashed_faces.photo_id")?,
            bounds: BoundingBox { x: row.x, y: row.y, width: row.width, height: row.height },
            embedding: decode::known(Embedding::from_bytes(&row.embedding), "trashed_faces.embedding")?,
        };
        Ok(Self { face, pack: row.pack })
    }
}

/// Restores the faces of photos that are restored. Indexes are read from their beginning, so that the numbers of the changes
/// with which the faces came do not matter.
pub(super) async fn restore_faces(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    for (table, rest) in [
        (
            "INSERT INTO faces",
            concat!(
                " (",
                face!(),
                ", event_change, owner_change) SELECT ",
                face!(),
                ", 1, 1 FROM trashed_faces WHERE photo_id IN "
            ),
        ),
        (
            "INSERT INTO objection_faces",
            concat!(
                " (",
                objected!(),
                ") SELECT ",
                objected!(),
                " FROM trashed_objection_faces WHERE photo_id IN "
            ),
        ),
    ] {
        let mut statement = Statement::built(table);
        statement.push(rest);
        statement.push_list(photos);
        statement.execute(tx.writer()).await?;
    }
    Ok(())
}

/// The faces in the deleted photos of an event that guests have asked about.
pub async fn objected(db: &dyn Executor, event: EventId) -> Result<Vec<ObjectedFace>> {
    fetch_all!(
        db,
        ObjectedFace,
        "SELECT objection_id, face_id, photo_id, x, y, trashed_objection_faces.width, trashed_objection_faces.height, overruled
         FROM trashed_objection_faces JOIN trashed_photos ON trashed_photos.id = photo_id WHERE event_id = $1",
        event,
    )
}

/// Notes the faces in deleted photos that an objection is about.
pub async fn object(tx: &mut Tx, faces: &[ObjectedFace]) -> Result<()> {
    for faces in faces.chunks(LIST_LIMIT / 8) {
        let mut statement =
            Statement::built(concat!("INSERT INTO trashed_objection_faces (", objected!(), ") "));
        statement.push_values(faces.iter().map(|face| {
            [
                face.objection.to_column(),
                face.face.to_column(),
                face.photo.to_column(),
                face.bounds.x.to_column(),
                face.bounds.y.to_column(),
                face.bounds.width.to_column(),
                face.bounds.height.to_column(),
                face.overruled.to_column(),
            ]
        }));
        statement.push(" ON CONFLICT (objection_id, face_id) DO NOTHING");
        statement.execute(tx.writer()).await?;
    }
    Ok(())
}

/// Decides against the guest, or for them, about the faces of an objection in photos that are deleted at the time.
pub async fn decide(tx: &mut Tx, objection: ObjectionId, overruled: bool) -> Result<()> {
    execute!(
        tx,
        "UPDATE trashed_objection_faces SET overruled = $2 WHERE objection_id = $1",
        objection,
        overruled,
    )?;
    Ok(())
}

/// Deletes faces in deleted photos with their embeddings; they do not come back with their photos.
pub async fn delete_faces(tx: &mut Tx, faces: &[FaceId]) -> Result<()> {
    for faces in faces.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("DELETE FROM trashed_faces WHERE id IN ");
        statement.push_list(faces);
        statement.push(" RETURNING photo_id");
        let photos: Vec<PhotoId> = statement.fetch_all(tx.writer()).await?;
        if photos.is_empty() {
            continue;
        }
        let mut statement = Statement::built(
            "UPDATE trashed_photos SET faces = (SELECT COUNT(*) FROM trashed_faces WHERE photo_id = trashed_photos.id)
             WHERE id IN ",
        );
        statement.push_list(&photos);
        statement.execute(tx.writer()).await?;
        focus::update_trashed(tx, &photos).await?;
    }
    Ok(())
}

/// The faces in the deleted photos of an event.
pub async fn faces(db: &dyn Executor, event: EventId) -> Result<Vec<TrashedFace>> {
    fetch_all!(
        db,
        TrashedFace,
        "SELECT id, photo_id, x, y, width, height, embedding, pack FROM trashed_faces WHERE event_id = $1 ORDER BY id",
        event,
    )
}
