//! Deleting photos after their retention period, and warning of it.

use std::time::Duration;

use domain::accounts::User;
use domain::events::{self, Event};
use domain::{DAY, EventId, Job, Timestamp};

use crate::accounts::deletion_receipts;
use crate::operations::mails;
use crate::photos::removal;
use crate::{App, Result};

/// How long before the removal the photographer is warned at least.
pub(crate) const NOTICE: Duration = events::NOTICE;
/// How long before the removal a warning is enqueued, so that its mail arrives in time.
pub(crate) const LEAD: Duration = Duration::from_secs(7 * 24 * 60 * 60 + 6 * 60 * 60);
/// A warning that is not delivered after this is enqueued again, for a later date.
const PATIENCE: Duration = DAY;
/// Events that are read in one query.
const BATCH: i64 = 100;

/// The installation's own retention period; none when photos are kept for ever.
pub(crate) fn period(app: &App) -> Option<Duration> {
    let keeping = app.settings.keeping;
    (keeping.default_days() > 0).then(|| keeping.default_period())
}

/// Deletes the photos and faces of every event whose retention period is over; the event itself stays.
///
/// # Errors
/// When the database or the media store fails; the next round resumes.
pub async fn remove_due(app: &App) -> Result<()> {
    let keeping = app.settings.keeping;
    loop {
        let due = storage::events::retention::due(&app.db, keeping, app.now(), BATCH).await?;
        if due.is_empty() {
            return deletion_receipts::settle_open(app).await;
        }
        for event in due {
            let told = event.removal_at.unwrap_or_else(|| app.now());
            removal::remove_due(app, &event, told).await?;
            tracing::info!(event = %event.id, "the photos of an event were deleted after their retention period");
        }
    }
}

/// Deletes what guests have left in events that have expired and have no photo any more, neither one that was kept until then nor
/// one in the trash: their requests, their subscriptions and what their devices keep.
pub(crate) async fn forget_guests(app: &App) -> Result<()> {
    let keeping = app.settings.keeping;
    loop {
        let events =
            storage::events::retention::with_guests_alone(&app.db, keeping, app.now(), BATCH).await?;
        if events.is_empty() {
            return Ok(());
        }
        for event in events {
            let mut tx = app.begin().await?;
            if storage::events::retention::lock_expired(&mut tx, event, keeping, app.now()).await?
                && storage::guests::objections::delete_without_photos(&mut tx, event).await?
            {
                storage::guests::subscriptions::delete_of(&mut tx, event).await?;
                storage::guests::kept_searches::delete_key(&mut tx, event).await?;
                tx.commit().await?;
            }
        }
    }
}

/// Enqueues a warning to the owner of every event that will soon be due, or is due and has none: its removal moves, so that
/// the warning comes at least [`NOTICE`] before.
pub async fn enqueue_warnings(app: &App) -> Result<()> {
    let keeping = app.settings.keeping;
    let warning =
        storage::events::retention::Warning { keeping, notice: NOTICE, lead: LEAD, patience: PATIENCE };
    let mut after = None;
    loop {
        let soon = storage::events::retention::to_warn(&app.db, warning, app.now(), after, BATCH).await?;
        // Each is looked at once: by the rules of time zones that another program had, the database may expect another moment.
        let Some(last) = soon.last() else { return Ok(()) };
        after = Some(last.id);
        for event in soon {
            let Some(expiry) = event.computed_expiry(keeping) else { continue };
            let at = expiry.max(app.now().plus(NOTICE));
            let mut tx = app.begin().await?;
            if storage::events::retention::mark_warned(&mut tx, event.id, at).await? {
                tx.enqueue(&Job::WarnOfRemoval { event: event.id, at }).await?;
                tx.commit().await?;
            }
        }
    }
}

/// The job of [`enqueue_warnings`]. The date that the mail tells is [`NOTICE`] ahead however late the job is, and becomes the
/// date of the removal once the mail is sent. Does nothing when another warning was enqueued since, or an upload has moved
/// the date: another warning will come.
pub(crate) async fn warn(app: &App, event: EventId, planned: Timestamp) -> Result<()> {
    let Some((event, owner)) = still_due(app, event, planned).await? else {
        return Ok(());
    };
    let told = planned.max(app.now().plus(NOTICE));
    mails::deliver(app, &mails::retention::removal_warning(&app.settings, &owner, &event, told)?).await?;
    storage::events::retention::confirm_warning(&app.db, event.id, planned, told).await?;
    Ok(())
}

async fn still_due(app: &App, event: EventId, planned: Timestamp) -> Result<Option<(Event, User)>> {
    if storage::events::retention::warned_for(&app.db, event).await? != Some(planned) {
        return Ok(None);
    }
    let keeping = app.settings.keeping;
    let event = storage::events::by_id(&app.db, event).await?;
    let event = event.filter(|event| {
        let is_told = event.removal_at == Some(planned);
        let expires_by_then = event.computed_expiry(keeping).is_some_and(|expiry| expiry <= planned);
        event.is_open() && !is_told && expires_by_then
    });
    let Some(event) = event else { return Ok(None) };
    let owner = storage::accounts::users::by_id(&app.db, event.owner).await?;
    Ok(owner.map(|owner| (event, owner)))
}
