//! The faces of deleted photos, and what guests have asked about them.

use domain::guests::objections::ObjectedFace;
use domain::{EventId, FaceId, ObjectionId, PhotoId};

use crate::faces::StoredFace;
use crate::operations::runtime::encode::ToColumn as _;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all, fetch_optional};
use crate::photos::focus;
use crate::{Executor, Result, Tx};

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

/// Has deleted photos from which an objection has taken faces away indexed again once they are restored.
pub async fn reindex(tx: &mut Tx, objection: ObjectionId) -> Result<()> {
    execute!(
        tx,
        "UPDATE trashed_photos SET pack = NULL
         WHERE id IN (SELECT photo_id FROM trashed_objection_faces WHERE objection_id = $1)",
        objection,
    )?;
    Ok(())
}

/// Whether `pack` has described a face in a deleted photo of an event.
pub async fn has_faces(db: &dyn Executor, event: EventId, pack: &str) -> Result<bool> {
    let face = fetch_optional!(
        db,
        FaceId,
        "SELECT id FROM trashed_faces WHERE event_id = $1 AND pack = $2 LIMIT 1",
        event,
        pack,
    )?;
    Ok(face.is_some())
}

/// The faces in the deleted photos of an event.
pub async fn faces(db: &dyn Executor, event: EventId) -> Result<Vec<StoredFace>> {
    fetch_all!(
        db,
        StoredFace,
        "SELECT id, photo_id, x, y, width, height, pack, embedding, TRUE AS hidden FROM trashed_faces
         WHERE event_id = $1 ORDER BY id",
        event,
    )
}
