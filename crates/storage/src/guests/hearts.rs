//! Hearts that guests put on photos: a number, and nothing of whose they are.

use domain::{EventId, PhotoId};

use crate::operations::runtime::statements::execute;
use crate::{Executor, Result};

/// Counts a heart that is put on a photo of an event, or taken from it, which never makes fewer than none. False when the
/// event has no such photo, or it is hidden from guests.
pub async fn count_heart(db: &dyn Executor, event: EventId, photo: PhotoId, on: bool) -> Result<bool> {
    let counted = execute!(
        db,
        "UPDATE photos SET hearts = CASE WHEN $3 THEN hearts + 1 WHEN hearts > 0 THEN hearts - 1 ELSE 0 END
         WHERE id = $1 AND event_id = $2 AND NOT hidden",
        photo,
        event,
        on,
    )?;
    Ok(counted == 1)
}
