//! Faces in which guests found themselves that their search had not. Nothing of the guest is stored.

use domain::FaceId;

use crate::operations::runtime::statements::execute;
use crate::{Result, Tx};

/// Counts a face that a search has missed; false when it was counted before, and when it is not there any more. A face is one
/// person's: whoever says it again says the same.
pub async fn add(tx: &mut Tx, face: FaceId) -> Result<bool> {
    let added = execute!(
        tx,
        "INSERT INTO missed_faces (face_id) SELECT id FROM faces WHERE id = $1 ON CONFLICT (face_id) DO NOTHING",
        face,
    )?;
    Ok(added == 1)
}
