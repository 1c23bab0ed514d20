//! What is counted for a minute before endpoints are told.

use domain::events::Event;
use domain::webhooks::{BATCH, EventType};
use domain::{EventId, Job, Timestamp, UserId};
use storage::webhooks::counts::{self, Counted};

use super::payloads::Data;
use super::reports;
use crate::operations::runtime::queue::{Lease, Tx};
use crate::studio::hosts;
use crate::{App, Result};

/// Counts a photo that the transaction makes searchable for the first time.
pub(crate) async fn photo_indexed(
    tx: &mut Tx,
    event: Option<EventId>,
    owner: UserId,
    now: Timestamp,
) -> Result<()> {
    add(tx, EventType::PhotoIndexed, event, owner, Counted { photos: 1, ..Counted::default() }, now).await
}

/// The same for the photographer of its event.
pub(crate) async fn photo_searchable(
    tx: &mut Tx,
    event: EventId,
    owner: UserId,
    now: Timestamp,
) -> Result<()> {
    let counted = Counted { photos: 1, ..Counted::default() };
    add(tx, EventType::PhotoSearchable, Some(event), owner, counted, now).await
}

/// Counts a photo of a guest's that waits to be let in, as the transaction writes.
pub(crate) async fn guest_photo(tx: &mut Tx, event: &Event, now: Timestamp) -> Result<()> {
    let counted = Counted { photos: 1, ..Counted::default() };
    add(tx, EventType::GuestWaiting, Some(event.id), event.owner, counted, now).await
}

/// Counts searches that the transaction adds to the numbers of a day.
pub(crate) async fn searches_done(
    tx: &mut Tx,
    event: Option<EventId>,
    owner: UserId,
    (searches, searches_found): (i64, i64),
    now: Timestamp,
) -> Result<()> {
    let counted = Counted { searches, searches_found, ..Counted::default() };
    add(tx, EventType::SearchDone, event, owner, counted, now).await
}

/// The first number enqueues the job that tells of all that come until it runs.
async fn add(
    tx: &mut Tx,
    event_type: EventType,
    event: Option<EventId>,
    owner: UserId,
    counted: Counted,
    now: Timestamp,
) -> Result<()> {
    if counts::add(tx, event_type, event, owner, counted, now).await? {
        let collection = counts::collection_of(event, owner);
        tx.enqueue_at(&Job::ReportCounts { event_type, collection }, now.plus(BATCH)).await?;
    }
    Ok(())
}

/// The job of [`add`]. Of an event that is gone meanwhile nobody is told.
pub(crate) async fn report(app: &App, event_type: EventType, collection: &str, lease: &Lease) -> Result<()> {
    hosts::refresh(app).await?;
    let mut tx = app.begin().await?;
    if let Some(batch) = counts::take(&mut tx, event_type, collection).await? {
        let event = match batch.event {
            Some(event) => storage::events::by_id(&mut *tx, event).await?.filter(Event::is_open),
            None => None,
        };
        let (counted, since) = (batch.counted, batch.since);
        if (event.is_some() || batch.event.is_none())
            && let Some(data) = Data::counted(event_type, batch.event, counted, since)
        {
            reports::report(&mut tx, &data, app.now()).await?;
        }
        if let Some(event) = event
            && let Some(data) = Data::counted_for_owner(event_type, &event, app, counted, since)
        {
            reports::report_to_owner(&mut tx, event.owner, &data, app.now()).await?;
        }
    }
    tx.complete(lease).await?;
    tx.commit().await
}
