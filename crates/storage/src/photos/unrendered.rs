//! Photos that lack the rendition of medium size, which earlier versions did not make.

use domain::PhotoId;
use domain::photos::MediaKey;

use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Executor, Result, Tx};

/// Photos that lack it while no job makes it or has failed to, the newest first.
pub async fn unrendered(db: &dyn Executor, limit: i64) -> Result<Vec<PhotoId>> {
    // Not `NOT EXISTS`, which PostgreSQL turns into a join that reads the whole table of jobs.
    fetch_all!(
        db,
        PhotoId,
        "SELECT photos.id FROM photos LEFT JOIN events ON events.id = photos.event_id
         WHERE photos.status = 'ready' AND medium_bytes IS NULL AND deleting_since IS NULL
             AND (SELECT 1 FROM jobs
                 WHERE photo_id = photos.id AND kind = 'render_photo' AND state <> 'done' LIMIT 1) IS NULL
         ORDER BY photos.id DESC LIMIT $1",
        limit,
    )
}

/// Records that it is stored, with its size; false when the photo is deleted, or its original was replaced.
pub async fn finish_rendering(tx: &mut Tx, original: &MediaKey, bytes: i64) -> Result<bool> {
    let updated = execute!(tx, "UPDATE photos SET medium_bytes = $2 WHERE media_key = $1", original, bytes)?;
    Ok(updated == 1)
}
