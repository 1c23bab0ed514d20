//! The largest events of all accounts.

use domain::EventId;
use domain::events::Event;

use super::accounts::AFTER_ALL;
use crate::events::{EventRow, columns};
use crate::operations::runtime::decode::FromColumns;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::fetch_all;
use crate::{Executor, Result};

/// An event with its size and its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedEvent {
    /// The event.
    pub event: Event,
    /// The bytes of its originals.
    pub bytes: i64,
    /// The owner's address.
    pub owner_email: String,
    /// The owner's name.
    pub owner_name: String,
}

row! {
    pub(crate) struct SizedRow {
        ..event: EventRow,
        bytes_stored: i64,
        owner_email: String,
        owner_name: String,
    }
}

impl FromColumns for SizedEvent {
    type Columns = SizedRow;

    fn from_columns(row: SizedRow) -> Result<Self> {
        let SizedRow { event, bytes_stored, owner_email, owner_name } = row;
        Ok(Self { event: Event::from_columns(event)?, bytes: bytes_stored, owner_email, owner_name })
    }
}

/// The events that are not deleted, largest first, from the one after `before`: a size and the event that has it.
pub async fn largest_events(
    db: &dyn Executor,
    before: Option<(i64, EventId)>,
    limit: i64,
) -> Result<Vec<SizedEvent>> {
    let (bytes, id) =
        before.map_or((i64::MAX, String::from(AFTER_ALL)), |(bytes, id)| (bytes, id.to_string()));
    fetch_all!(
        db,
        SizedEvent,
        concat!(
            "SELECT ",
            columns!(),
            ", bytes_stored, (SELECT email FROM users WHERE users.id = owner_id) AS owner_email,
                 (SELECT users.name FROM users WHERE users.id = owner_id) AS owner_name
             FROM events WHERE deleted_at IS NULL AND (bytes_stored, id) < ($1, $2)
             ORDER BY bytes_stored DESC, id DESC LIMIT $3"
        ),
        bytes,
        id,
        limit,
    )
}
