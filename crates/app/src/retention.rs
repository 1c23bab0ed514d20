//! Removing photos that were kept long enough, and saying so before.

use std::time::Duration;

use domain::accounts::User;
use domain::events::Event;
use domain::{DAY, EventId, Job, Timestamp};

use crate::{App, Result, deletions, mails};

/// How long before the removal the photographer is warned.
const WARNING_PERIOD: Duration = DAY.saturating_mul(7);
/// Events that are looked at in one step.
const STEP: i64 = 100;

/// How long photos are kept; none when they are kept for ever.
fn period(app: &App) -> Option<Duration> {
    (app.settings.retention_days > 0).then(|| DAY * app.settings.retention_days)
}

/// Removes the photos and faces of every event that is due; the event itself stays.
///
/// # Errors
/// When the database or the media store fails; the next round does what was left.
pub async fn remove_due(app: &App) -> Result<()> {
    let Some(period) = period(app) else { return Ok(()) };
    loop {
        let due = storage::retention::due(&app.db, period, app.now(), STEP).await?;
        if due.is_empty() {
            return Ok(());
        }
        for event in due {
            deletions::remove_due(app, event.id, period).await?;
            tracing::info!(event = %event.id, "photos were kept long enough and are removed");
        }
    }
}

/// Has the owner of every event that will soon be due warned, once for each date.
pub async fn warn_ahead(app: &App) -> Result<()> {
    let Some(period) = period(app) else { return Ok(()) };
    loop {
        let soon = storage::retention::to_warn(&app.db, period, WARNING_PERIOD, app.now(), STEP).await?;
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

/// The job behind [`warn_ahead`]; an upload since then has moved the date, and another warning will come.
pub(crate) async fn warn(app: &App, event: EventId, at: Timestamp) -> Result<()> {
    let Some((event, owner)) = still_due(app, event, at).await? else {
        return Ok(());
    };
    mails::deliver(app, &mails::removal_warning(&app.settings, &owner, &event, at)).await
}

async fn still_due(app: &App, event: EventId, at: Timestamp) -> Result<Option<(Event, User)>> {
    let event = storage::events::by_id(&app.db, event).await?;
    let event =
        event.filter(|event| event.is_open() && event.expires_at(app.settings.retention_days) == Some(at));
    let Some(event) = event else { return Ok(None) };
    let owner = storage::users::by_id(&app.db, event.owner).await?;
    Ok(owner.map(|owner| (event, owner)))
}
