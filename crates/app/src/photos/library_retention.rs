//! Deleting photos that belong to no event after their retention period, and warning of it.

use std::time::Duration;

use domain::{DAY, Job, Timestamp, UserId};

use crate::events::retention::{LEAD, NOTICE, period};
use crate::operations::mails;
use crate::photos::removal;
use crate::{App, Result};

/// One warning tells of what expires within a day, so that uploads of a week are not warned of one by one.
const SPAN: Duration = DAY;
/// An owner gets one warning in this time.
const PAUSE: Duration = Duration::from_secs(20 * 60 * 60);
/// Rows that are read in one query.
const BATCH: i64 = 100;

/// Enqueues a warning to every photographer whose library has photos that will soon be due, or are due and have none.
///
/// # Errors
/// When the database fails; the next round goes on.
pub async fn enqueue_warnings(app: &App) -> Result<()> {
    let Some(period) = period(app) else { return Ok(()) };
    let now = app.now();
    let (soon, asked_before) = (now.plus(LEAD).minus(period), now.minus(PAUSE));
    loop {
        let owners =
            storage::photos::library_retention::owners_to_warn(&app.db, period, soon, asked_before, BATCH)
                .await?;
        if owners.is_empty() {
            return Ok(());
        }
        for user in owners {
            let mut tx = app.begin().await?;
            if storage::photos::library_retention::mark_warned(&mut tx, user, now, asked_before).await? {
                tx.enqueue(&Job::WarnOfLibraryRemoval { user, uploaded_by: soon.plus(SPAN).min(now) })
                    .await?;
                tx.commit().await?;
            }
        }
    }
}

/// The job of [`enqueue_warnings`]: one mail with one date, which is the removal of all of them once the mail is sent.
pub(crate) async fn warn(app: &App, user: UserId, uploaded_by: Timestamp) -> Result<()> {
    let Some(period) = period(app) else { return Ok(()) };
    let expiring = storage::photos::library_retention::to_warn(&app.db, user, period, uploaded_by).await?;
    let Some(last_upload) = expiring.last_upload else { return Ok(()) };
    let Some(owner) = storage::accounts::users::by_id(&app.db, user).await? else { return Ok(()) };
    let told = last_upload.plus(period).max(app.now().plus(NOTICE));
    let mail = mails::retention::library_removal_warning(&app.settings, &owner, expiring.photos, told)?;
    mails::deliver(app, &mail).await?;
    storage::photos::library_retention::confirm_warning(&app.db, user, period, uploaded_by, told).await?;
    Ok(())
}

/// Deletes the photos of libraries that are due.
///
/// # Errors
/// When the database or the media store fails; the next round resumes.
pub async fn remove_due(app: &App) -> Result<()> {
    let Some(period) = period(app) else { return Ok(()) };
    loop {
        let due = storage::photos::library_retention::due(&app.db, period, app.now(), BATCH).await?;
        if due.is_empty() {
            return Ok(());
        }
        tracing::info!(photos = due.len(), "deleting photos of libraries after their retention period");
        removal::remove_from_libraries(app, due).await?;
    }
}
