//! Which photos guests are kept from. It is a column of each photo, `hidden`, so that every statement about what guests see asks
//! the same: a photo is hidden while it is held, and while a guest's request holds that it be hidden. Whatever changes one of the
//! two sets the column by [`is_hidden`] in the same transaction.

use domain::{EventId, PhotoId};

use crate::operations::runtime::statements::{Statement, execute, fetch_optional};
use crate::{Executor as _, Result, Tx};

/// Whether a guest's request holds that a photo be hidden.
macro_rules! is_objected {
    () => {
        "EXISTS (
             SELECT 1 FROM objection_faces JOIN objections ON objections.id = objection_faces.objection_id
             WHERE photo_id = photos.id AND choice = 'hide' AND NOT waits AND NOT overruled)"
    };
}
pub(crate) use is_objected;

/// Whether guests are kept from a photo.
macro_rules! is_hidden {
    () => {
        concat!("(held IS NOT NULL OR ", $crate::photos::visibility::is_objected!(), ")")
    };
}
pub(crate) use is_hidden;

/// Whether the event's team does not see the people in a photo either: not because it is held.
macro_rules! is_kept_from_team {
    () => {
        concat!("hidden AND (held IS NULL OR ", $crate::photos::visibility::is_objected!(), ")")
    };
}
pub(crate) use is_kept_from_team;

/// Holds a photo that the transaction has inserted into an event whose row it has locked.
pub(super) async fn hold(tx: &mut Tx, photo: PhotoId, number: i64) -> Result<()> {
    execute!(tx, "UPDATE photos SET held = $2, hidden = TRUE WHERE id = $1", photo, number)?;
    Ok(())
}

/// Has photos that come back from the trash held as the last ones, where they were held before: whoever publishes at this moment
/// has not seen them.
pub(super) async fn hold_again(tx: &mut Tx, event: EventId, photos: &[PhotoId]) -> Result<()> {
    let mut statement = Statement::built("SELECT id FROM photos WHERE held IS NOT NULL AND id IN ");
    statement.push_list(photos);
    let held: Vec<PhotoId> = statement.fetch_all(tx.writer()).await?;
    if held.is_empty() {
        return Ok(());
    }
    let number = fetch_optional!(
        &mut *tx,
        i64,
        "UPDATE events SET last_hold = last_hold + 1 WHERE id = $1 RETURNING last_hold",
        event,
    )?;
    let mut statement = Statement::built("UPDATE photos SET held = ");
    statement.push_bind(number.unwrap_or_default()).push(" WHERE id IN ");
    statement.push_list(&held);
    statement.execute(tx.writer()).await?;
    Ok(())
}
