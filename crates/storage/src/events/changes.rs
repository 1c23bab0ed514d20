//! Changing events.

use domain::events::Event;
use domain::{EventId, PhotoId};

use crate::events::select;
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Result, Tx};

/// An open event, locked until the transaction ends: two changes at once both count, and no upload comes between.
pub async fn lock(tx: &mut Tx, id: EventId) -> Result<Option<Event>> {
    let statement = for_update!(
        tx.engine(),
        select!("WHERE id = $1 AND deleting_since IS NULL AND deleted_at IS NULL", "")
    );
    fetch_optional!(tx, Event, statement, id)
}

/// Stores what can be changed of an event that the transaction has locked, but for its cover.
pub async fn save(tx: &mut Tx, event: &Event) -> Result<()> {
    execute!(
        tx,
        "UPDATE events SET name = $2, date = $3, description = $4, time_zone = $5, expires_on = $6,
             chosen_expiry = $7, retained_from = $8, subscriptions_allowed = $9, keeps_metadata = $10,
             uploads_closed = $11, pin = $12, downloads = $13, takes_questions = $14, browsable = $15
         WHERE id = $1",
        event.id,
        event.name,
        event.date,
        event.description,
        event.time_zone.name(),
        event.expires_on,
        event.expires_on.map(|day| event.time_zone.start_of_day(day)),
        event.retained_from(),
        event.subscriptions_allowed,
        event.keeps_metadata,
        event.uploads_closed,
        event.pin,
        event.downloads,
        event.takes_questions,
        event.browsable,
    )?;
    Ok(())
}

/// Makes a photo the cover of its event, or none. While the photo is hidden the event has none, and has it again later.
pub async fn set_cover(tx: &mut Tx, event: EventId, photo: Option<PhotoId>) -> Result<()> {
    execute!(tx, "UPDATE events SET cover_photo = $2 WHERE id = $1", event, photo)?;
    Ok(())
}
