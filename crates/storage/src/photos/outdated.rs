//! Photos that were indexed with another model pack than the one in use: no search finds them.
//!
//! Only ready ones are marked. That their status is named all the same leads SQLite to the partial index.

use domain::PhotoId;

use crate::statements::{execute, fetch_all, fetch_one};
use crate::{Executor, Result, Tx};

/// Marks ready photos whose faces another pack than `pack` has described, at most so many, and says how many they were.
pub async fn mark_outdated(db: impl Executor, pack: &str, limit: i64) -> Result<u64> {
    // Two ranges of the index on the pack, which `<>` would not use.
    execute!(
        db,
        "UPDATE photos SET outdated = TRUE WHERE id IN (
             SELECT id FROM photos WHERE status = 'ready' AND (pack < $1 OR pack > $1) AND NOT outdated LIMIT $2)",
        pack,
        limit,
    )
}

/// Unmarks photos that `pack` has described after all, such as after a change back; says how many they were.
pub async fn mark_current(db: impl Executor, pack: &str) -> Result<u64> {
    execute!(db, "UPDATE photos SET outdated = FALSE WHERE outdated AND status = 'ready' AND pack = $1", pack)
}

/// How many photos wait to be indexed again, of all photographers.
pub async fn count_outdated(db: impl Executor) -> Result<i64> {
    fetch_one!(db, i64, "SELECT COUNT(*) FROM photos WHERE outdated AND status = 'ready'")
}

/// Photos that wait to be indexed again while no job does so or has failed to, those of the newest events first.
pub async fn outdated(db: impl Executor, limit: i64) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT photos.id FROM photos LEFT JOIN events ON events.id = photos.event_id
         WHERE outdated AND photos.status = 'ready' AND deleting_since IS NULL
             AND NOT EXISTS (SELECT 1 FROM jobs WHERE photo_id = photos.id AND kind = 'index_photo' AND state <> 'done')
         ORDER BY COALESCE(retained_from, photos.created_at) DESC, photos.id DESC LIMIT $1",
        limit,
    )
}

/// Leaves a ready photo as it is, since `pack` cannot describe it: the decoder refuses its bytes by now.
pub async fn skip_outdated(tx: &mut Tx, id: PhotoId, pack: &str) -> Result<()> {
    execute!(
        tx,
        "UPDATE photos SET outdated = FALSE, pack = $2 WHERE id = $1 AND status = 'ready'",
        id,
        pack,
    )?;
    Ok(())
}
