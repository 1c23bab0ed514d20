//! Deleting photos after their retention period, and warning of it.

use std::time::Duration;

use domain::accounts::User;
use domain::events::Event;
use domain::{DAY, EventId, Job, Timestamp};

use crate::{App, Result, deletions, mails};

/// How long before the deletion the photographer is warned.
const WARNING_PERIOD: Duration = DAY.saturating_mul(7);
/// Events that are read in one query.
const BATCH: i64 = 100;

/// The retention period; none when photos are retained for ever.
fn period(app: &App) -> Option<Duration> {
    (app.settings.retention_days > 0).then(|| DAY * app.settings.retention_days)
}

/// Deletes the photos and faces of every event whose retention period is over; the event itself stays.
///
/// # Errors
/// When the database or the media store fails; the next round resumes.
pub async fn remove_due(app: &App) -> Result<()> {
    let Some(period) = period(app) else { return Ok(()) };
    loop {
        let due = storage::retention::due(&app.db, period, app.now(), BATCH).await?;
        if due.is_empty() {
            return Ok(());
        }
        for event in due {
            deletions::remove_due(app, event.id, period).await?;
            tracing::info!(event = %event.id, "the photos of an event were deleted after their retention period");
        }
    }
}

/// Enqueues a warning to the owner of every event that will soon be due, once for each date.
pub async fn enqueue_warnings(app: &App) -> Result<()> {
    let Some(period) = period(app) else { return Ok(()) };
    loop {
        let soon = storage::retention::to_warn(&app.db, period, WARNING_PERIOD, app.now(), BATCH).await?;
        if soon.is_empty() {
            return Ok(());
        }
        for event in soon {
            let Some(at) = event.expires_at(app.settings.retention_days) else { continue };
            let mut tx = app.begin().await?;
            if storage::retention::mark_warned(&mut tx, event.id, at).await? {
                tx.enqueue(&Job::WarnOfRemoval { event: event.id, at }).await?;
                tx.commit().await?;
            }
        }
    }
}

/// The job of [`enqueue_warnings`]. Does nothing when an upload has moved the date since: another warning will come.
pub(crate) async fn warn(app: &App, event: EventId, at: Timestamp) -> Result<()> {
    let Some((event, owner)) = still_due(app, event, at).await? else {
        return Ok(());
    };
    mails::deliver(app, &mails::removal_warning(&app.settings, &owner, &event, at)?).await
}

async fn still_due(app: &App, event: EventId, at: Timestamp) -> Result<Option<(Event, User)>> {
    let event = storage::events::by_id(&app.db, event).await?;
    let event =
        event.filter(|event| event.is_open() && event.expires_at(app.settings.retention_days) == Some(at));
    let Some(event) = event else { return Ok(None) };
    let owner = storage::users::by_id(&app.db, event.owner).await?;
    Ok(owner.map(|owner| (event, owner)))
}
