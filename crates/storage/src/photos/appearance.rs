//! What is measured of photos' pictures.

use domain::PhotoId;
use domain::photos::MediaKey;
use domain::photos::appearance::Appearance;

use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

/// Searchable photos that are not measured, from the one after `after`: those of a version before, and restored ones.
pub async fn unmeasured(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos WHERE sharpness IS NULL AND status = 'ready' AND id > $1 ORDER BY id LIMIT $2",
        cursor(after),
        limit,
    )
}

/// Stores what was measured of the picture with this original; false when its photo is deleted, or another has taken its place.
pub async fn measure(tx: &mut Tx, original: &MediaKey, appearance: &Appearance) -> Result<bool> {
    let statement = "SELECT id FROM photos WHERE media_key = $1";
    let Some(id) = fetch_optional!(&mut *tx, PhotoId, statement, original)? else { return Ok(false) };
    store(tx, id, appearance).await
}

/// The same for a photo that the transaction has locked.
pub(super) async fn store(tx: &mut Tx, id: PhotoId, appearance: &Appearance) -> Result<bool> {
    let sharpness = appearance.sharpness.thousandths();
    if execute!(&mut *tx, "UPDATE photos SET sharpness = $2, stack_due = TRUE WHERE id = $1", id, sharpness)?
        == 0
    {
        return Ok(false);
    }
    execute!(
        &mut *tx,
        "INSERT INTO photo_looks (photo_id, look) VALUES ($1, $2) ON CONFLICT (photo_id) DO UPDATE SET look = excluded.look",
        id,
        appearance.look.cells(),
    )?;
    Ok(true)
}

/// Forgets what was measured of the file before.
pub(super) async fn forget(tx: &mut Tx, id: PhotoId) -> Result<()> {
    execute!(tx, "DELETE FROM photo_looks WHERE photo_id = $1", id)?;
    Ok(())
}
