//! What is to be done, by mail on Mondays, for those who want it.

use domain::accounts::User;
use domain::statistics::{WEEK, next_summary, week_before};
use domain::{Job, Timestamp, UserId};

use crate::operations::mails;
use crate::operations::mails::digest::Week;
use crate::payments::receipts::rupees;
use crate::statistics::digest;
use crate::{App, Result, statistics};

/// Accounts that are read in one query.
const BATCH: i64 = 100;

/// Whether an account gets the mail.
///
/// # Errors
/// When the database fails.
pub async fn wanted(app: &App, user: &User) -> Result<bool> {
    Ok(storage::statistics::weekly::due_at(&app.db, user.id).await?.is_some())
}

/// Mails an account what is to be done every Monday from the next on, or not.
///
/// # Errors
/// When the database fails.
pub async fn set_wanted(app: &App, user: &User, wanted: bool) -> Result<()> {
    let first = wanted.then(|| next_summary(app.now()));
    Ok(storage::statistics::weekly::set(&app.db, user.id, first).await?)
}

/// Enqueues the mails that are due. Weeks that were missed, while nothing ran, are not made up for.
pub(crate) async fn enqueue_due(app: &App) -> Result<()> {
    let now = app.now();
    let next = next_summary(now);
    loop {
        let due = storage::statistics::weekly::due(&app.db, now, BATCH).await?;
        if due.is_empty() {
            return Ok(());
        }
        for user in due {
            let mut tx = app.begin().await?;
            if storage::statistics::weekly::advance(&mut tx, user, now, next).await? {
                tx.enqueue(&Job::SendWeeklySummary { user, due: next.minus(WEEK) }).await?;
                tx.commit().await?;
            }
        }
    }
}

/// The job of [`enqueue_due`]. Mails nothing where nothing is to be done, nor to an address that nobody has confirmed, nor to an account
/// that is locked, whose links open nothing.
pub(crate) async fn send(app: &App, user: UserId, due: Timestamp) -> Result<()> {
    let Some(user) = storage::accounts::users::by_id(&app.db, user).await? else { return Ok(()) };
    if user.email_verified_at.is_none() || user.locked_at.is_some() || !wanted(app, &user).await? {
        return Ok(());
    }
    let digest = digest::gather(app, &user, app.now()).await?;
    if digest.is_empty() {
        return Ok(());
    }
    statistics::write(app).await?;
    let (from, to) = week_before(due);
    let counts = storage::statistics::activity::of_days(&app.db, user.id, from, to).await?;
    let week = Week { from: from.date(), to: to.date(), counts };
    let credits = digest.low_credits.map(rupees);
    let mail = mails::digest::mail(&app.settings, &user, &digest, credits.as_deref(), &week)?;
    mails::deliver(app, &mail).await
}
