//! Photos of which a version before has not stored where they are looked at, or how well they stand for their event.

use domain::PhotoId;

use super::{focus, lock_many};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::statements::{LIST_LIMIT, fetch_all};
use crate::{Executor, Result, Tx};

/// Those with faces, from the one after `after`.
pub async fn unfocused(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos WHERE faces > 0 AND cover_rank IS NULL AND id > $1 ORDER BY id LIMIT $2",
        cursor(after),
        limit,
    )
}

/// Computes both anew.
pub async fn refocus(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    for photos in photos.chunks(LIST_LIMIT) {
        // Nobody indexes or replaces one of them meanwhile.
        lock_many(tx, photos).await?;
        focus::update(tx, photos).await?;
    }
    Ok(())
}
