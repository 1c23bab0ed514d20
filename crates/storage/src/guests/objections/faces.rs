//! The faces that objections are about: their places, without embeddings.

use std::collections::HashSet;

use domain::faces::BoundingBox;
use domain::guests::objections::ObjectedFace;
use domain::{EventId, FaceId, PhotoId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, fetch_all};
use crate::{Db, Executor, Result, Tx};

row! {
    pub(crate) struct ObjectedFaceRow {
        objection_id: String,
        face_id: String,
        photo_id: String,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        overruled: bool,
    }
}

impl FromColumns for ObjectedFace {
    type Columns = ObjectedFaceRow;

    fn from_columns(row: ObjectedFaceRow) -> Result<Self> {
        Ok(Self {
            objection: decode::id(&row.objection_id, "objection_faces.objection_id")?,
            face: decode::id(&row.face_id, "objection_faces.face_id")?,
            photo: decode::id(&row.photo_id, "objection_faces.photo_id")?,
            bounds: BoundingBox { x: row.x, y: row.y, width: row.width, height: row.height },
            overruled: row.overruled,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT objection_id, face_id, photo_id, x, y, width, height, overruled
             FROM objection_faces JOIN objections ON objections.id = objection_faces.objection_id ",
            $rest
        )
    };
}

/// Adds faces to objections.
pub async fn add_faces(tx: &mut Tx, faces: &[ObjectedFace]) -> Result<()> {
    for faces in faces.chunks(500) {
        let mut insert = Statement::built(
            "INSERT INTO objection_faces (objection_id, face_id, photo_id, x, y, width, height, overruled) ",
        );
        insert.push_values(faces.iter().map(|face| {
            [
                face.objection.into(),
                face.face.into(),
                face.photo.into(),
                face.bounds.x.into(),
                face.bounds.y.into(),
                face.bounds.width.into(),
                face.bounds.height.into(),
                face.overruled.into(),
            ]
        }));
        insert.push(" ON CONFLICT (objection_id, face_id) DO NOTHING");
        insert.execute(tx.writer()).await?;
    }
    Ok(())
}

/// The faces of all objections in an event, oldest photo first.
pub async fn faces_of_event(db: &dyn Executor, event: EventId) -> Result<Vec<ObjectedFace>> {
    fetch_all!(db, ObjectedFace, select!("WHERE event_id = $1 ORDER BY photo_id, face_id"), event)
}

/// The faces of a photo that are not to be found.
pub async fn suppressed_in(db: &dyn Executor, photo: PhotoId) -> Result<Vec<ObjectedFace>> {
    fetch_all!(
        db,
        ObjectedFace,
        select!(
            "WHERE photo_id = $1 AND choice = 'stop_finding' AND NOT waits AND NOT overruled ORDER BY face_id"
        ),
        photo,
    )
}

/// Which photos are out of results that a search has given, each with the face by which it was found: those in which somebody is
/// not to be found whose face that was. A face that is still stored was not theirs. Where none is known, it may have been.
pub async fn out_of_results(db: &Db, found: &[(PhotoId, Option<FaceId>)]) -> Result<HashSet<PhotoId>> {
    let mut suppressed: HashSet<PhotoId> = HashSet::new();
    for found in found.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(
            "SELECT DISTINCT photo_id FROM objection_faces JOIN objections ON objections.id = objection_faces.objection_id
             WHERE choice = 'stop_finding' AND NOT waits AND NOT overruled AND photo_id IN ",
        );
        statement.push_list(&found.iter().map(|(photo, _)| *photo).collect::<Vec<_>>());
        suppressed.extend(statement.fetch_all::<PhotoId>(db.reader()).await?);
    }
    let faces = found.iter().filter(|(photo, _)| suppressed.contains(photo)).filter_map(|(_, face)| *face);
    let mut there: HashSet<FaceId> = HashSet::new();
    for faces in faces.collect::<Vec<_>>().chunks(LIST_LIMIT) {
        let mut statement = Statement::built("SELECT id FROM faces WHERE id IN ");
        statement.push_list(faces);
        there.extend(statement.fetch_all::<FaceId>(db.reader()).await?);
    }
    let stays = |face: &Option<FaceId>| face.is_some_and(|face| there.contains(&face));
    let out = found.iter().filter(|(photo, face)| suppressed.contains(photo) && !stays(face));
    Ok(out.map(|(photo, _)| *photo).collect())
}
