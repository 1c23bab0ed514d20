//! What photos' files tell of their capture.

use domain::operations::runtime::texts::folded;
use domain::photos::Photo;
use domain::photos::captures::{Capture, Place, UNMEASURED, name_key};
use domain::photos::versions::stem_key;
use domain::{PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result};

impl FromColumns for Place {
    type Columns = (String, i64, String, i64, i64);

    fn from_columns(row: (String, i64, String, i64, i64)) -> Result<Self> {
        let (id, captured_at, name_key, hearts, sharpness) = row;
        Ok(Self { id: decode::id(&id, "photos.id")?, captured_at, name_key, hearts, sharpness })
    }
}

/// Where an owner's photo stands in the orders of lists; none when the owner has no such photo.
pub async fn place(db: &dyn Executor, owner: UserId, id: PhotoId) -> Result<Option<Place>> {
    // The function keeps an engine without statistics from the index of the owner.
    fetch_optional!(
        db,
        Place,
        "SELECT id, captured_at, name_key, hearts, COALESCE(sharpness, $3) FROM photos
         WHERE id = $1 AND COALESCE(owner_id, '') = $2",
        id,
        owner,
        UNMEASURED,
    )
}

/// Photos of versions before, whose files are still to be read for their capture, oldest first, from the one after `after`.
pub async fn undescribed(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos WHERE NOT described AND id > $1 ORDER BY id LIMIT $2",
        cursor(after),
        limit,
    )
}

/// Stores what a photo's file tells of its capture, unless another has taken its place. What it does not tell stays: an edited
/// version has what the file before it told.
pub async fn describe(db: &dyn Executor, photo: &Photo, capture: &Capture) -> Result<()> {
    execute!(
        db,
        "UPDATE photos SET captured_at = COALESCE($2, captured_at), camera = COALESCE($3, camera), lens = COALESCE($4, lens),
                name_key = $5, name_fold = $6, name_stem = $7, artist = COALESCE($8, artist),
                copyright = COALESCE($9, copyright), described = TRUE
         WHERE media_key = $1",
        photo.key,
        capture.at.map(Timestamp::as_millis),
        capture.camera.as_deref(),
        capture.lens.as_deref(),
        name_key(&photo.original_filename),
        folded(&photo.original_filename),
        stem_key(&photo.original_filename),
        capture.artist.as_deref(),
        capture.copyright.as_deref(),
    )?;
    Ok(())
}
