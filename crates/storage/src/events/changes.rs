//! Changing events.

use domain::events::Event;
use domain::{EventId, PhotoId};

use crate::events::select;
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::encode::{ToColumn as _, Value};
use crate::operations::runtime::executor::Executor as _;
use crate::operations::runtime::statements::{Statement, execute, fetch_optional};
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
    let chosen_expiry = event.expires_on.map(|day| event.time_zone.start_of_day(day));
    let mut columns: Vec<(&str, Value)> = vec![
        ("name", event.name.to_column()),
        ("date", event.date.to_column()),
        ("description", event.description.to_column()),
        ("time_zone", event.time_zone.name().to_column()),
        ("expires_on", event.expires_on.to_column()),
        ("chosen_expiry", chosen_expiry.to_column()),
        ("keep_days", event.keep_days.map(i64::from).to_column()),
        ("retained_from", event.retained_from().to_column()),
        ("pin", event.pin.to_column()),
        ("downloads", event.downloads.to_column()),
        ("more_until", event.more_until.to_column()),
        ("guest_photo_limit", i64::from(event.guest_photo_limit).to_column()),
    ];
    let invitation = event.invitation.as_ref();
    columns.extend([
        ("invitation_language", invitation.map(|invitation| invitation.language.as_str()).to_column()),
        ("invitation_text", invitation.map(|invitation| invitation.text.as_str()).to_column()),
    ]);
    columns.extend(event.flags.columns().map(|(name, value)| (name, value.to_column())));
    let mut statement = Statement::update("events", columns);
    statement.push(" WHERE id = ").push_bind(event.id);
    statement.execute(tx.writer()).await?;
    Ok(())
}

/// Makes a photo the cover of its event, or none, which is remembered: no other is chosen by itself from then on. While the photo is hidden the event has none, and has it again later.
pub async fn set_cover(tx: &mut Tx, event: EventId, photo: Option<PhotoId>) -> Result<()> {
    execute!(
        tx,
        "UPDATE events SET cover_photo = $2, without_cover = $3 WHERE id = $1",
        event,
        photo,
        photo.is_none()
    )?;
    Ok(())
}
