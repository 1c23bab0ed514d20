//! Which photos guests are kept from. It is a column of each photo, `hidden`, so that every statement about what guests see asks
//! the same: a photo is hidden while it is held, and while a guest's request holds that it be hidden. Whatever changes one of the
//! two sets the column by [`is_hidden`] in the same transaction.

use domain::events::publication::Publication;
use domain::{EventId, PhotoId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::statements::{Statement, execute, fetch_one};
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

/// What an event makes of a photo that arrives.
pub(super) struct Arrival {
    pub(super) publication: Publication,
    pub(super) last_hold: i64,
}

impl FromColumns for Arrival {
    type Columns = (String, i64);

    fn from_columns((publication, last_hold): (String, i64)) -> Result<Self> {
        let publication = decode::known(Publication::from_stored(&publication), "events.publication")?;
        Ok(Self { publication, last_hold })
    }
}

/// Holds a photo that the transaction has inserted into an event whose row it has locked.
pub(super) async fn hold(tx: &mut Tx, photo: PhotoId, number: i64) -> Result<()> {
    execute!(tx, "UPDATE photos SET held = $2, hidden = TRUE WHERE id = $1", photo, number)?;
    Ok(())
}

/// What becomes of photos that come back from the trash and were held before. They are held as the last ones, as whoever publishes at
/// this moment has not seen them; in an event that is complete, of which no photo is held, they are published. The caller sets
/// `hidden` next.
pub(super) async fn hold_again(tx: &mut Tx, event: EventId, photos: &[PhotoId]) -> Result<()> {
    let mut statement = Statement::built("SELECT id FROM photos WHERE held IS NOT NULL AND id IN ");
    statement.push_list(photos);
    let held: Vec<PhotoId> = statement.fetch_all(tx.writer()).await?;
    if held.is_empty() {
        return Ok(());
    }
    let Arrival { publication, last_hold } = fetch_one!(
        &mut *tx,
        Arrival,
        "UPDATE events SET last_hold = last_hold + CASE publication WHEN 'complete' THEN 0 ELSE 1 END,
             uploads_held = uploads_held - CASE publication WHEN 'complete' THEN CAST($2 AS BIGINT) ELSE 0 END
         WHERE id = $1 RETURNING publication, last_hold",
        event,
        i64::try_from(held.len()).unwrap_or(i64::MAX),
    )?;
    let number = (publication != Publication::Complete).then_some(last_hold);
    let mut statement = Statement::built("UPDATE photos SET held = ");
    statement.push_bind(number).push(" WHERE id IN ");
    statement.push_list(&held);
    statement.execute(tx.writer()).await?;
    Ok(())
}
