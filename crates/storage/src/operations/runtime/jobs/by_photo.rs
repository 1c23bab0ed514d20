//! Jobs by the photo that they are about.

use domain::{PhotoId, Timestamp};

use crate::operations::runtime::statements::execute;
use crate::{Result, Tx};

/// Lets the job that indexes a photo and waits be due at once; false when there is none. One that a worker holds does not count,
/// also when its lease has expired: the worker may have looked at the photo before, and then completes the job without the work.
pub async fn hasten(tx: &mut Tx, photo: PhotoId, now: Timestamp) -> Result<bool> {
    let queued = execute!(
        tx,
        "UPDATE jobs SET run_at = CASE WHEN run_at > $2 THEN $2 ELSE run_at END
         WHERE photo_id = $1 AND kind = 'index_photo' AND state = 'queued' AND lease IS NULL",
        photo,
        now,
    )?;
    Ok(queued > 0)
}

/// Lets every job of a photo that waits for its next attempt be due at once; says how many they were.
pub async fn hasten_all(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    execute!(
        tx,
        "UPDATE jobs SET run_at = $1 WHERE photo_id IS NOT NULL AND state = 'queued' AND lease IS NULL AND run_at > $1",
        now,
    )
}

/// Forgets the failed jobs of a photo, in whose place another is enqueued; says how many they were.
pub async fn forget_failed(tx: &mut Tx, photo: PhotoId) -> Result<u64> {
    execute!(tx, "DELETE FROM jobs WHERE photo_id = $1 AND state = 'failed'", photo)
}
