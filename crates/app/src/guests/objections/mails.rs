//! The mail to a photographer about guests' requests.

use domain::events::Event;
use domain::guests::objections::{Choice, MAIL_INTERVAL, Objection, REMINDED_FOR, REMINDER_INTERVAL};
use domain::{EventId, Job, ObjectionId};

use crate::operations::mails;
use crate::operations::mails::guests::GuestRequests;
use crate::{App, Result};

/// The job that an objection enqueues: one mail tells of all that none has told of.
pub(crate) async fn tell(app: &App, event: EventId) -> Result<()> {
    let objections = storage::guests::objections::of_event(&app.db, event).await?;
    let untold: Vec<_> = objections.into_iter().filter(|objection| objection.told_at.is_none()).collect();
    if untold.is_empty() {
        return Ok(());
    }
    let event = storage::events::by_id(&app.db, event).await?.filter(Event::is_open);
    let Some(event) = event else { return Ok(()) };
    let Some(owner) = storage::accounts::users::by_id(&app.db, event.owner).await? else { return Ok(()) };
    let count = |counts: fn(&Objection) -> bool| {
        i64::try_from(untold.iter().filter(|each| counts(each)).count()).unwrap_or(i64::MAX)
    };
    let requests = GuestRequests {
        hide: count(|each| each.choice == Choice::Hide && !each.waits),
        stop_finding: count(|each| each.choice == Choice::StopFinding && !each.waits),
        wait: count(|each| each.waits && !each.without_capture),
        unproven: count(|each| each.waits && each.without_capture),
    };
    mails::deliver(app, &mails::guests::requests(&app.settings, &owner, &event, &requests)?).await?;
    let (told, now): (Vec<ObjectionId>, _) = (untold.iter().map(|each| each.id).collect(), app.now());
    let mut tx = app.begin().await?;
    // Until the transaction ends nobody asks anything; whoever does afterwards has the next mail sent.
    storage::guests::objections::lock_key(&mut tx, event.id).await?;
    storage::guests::objections::mark_told(&mut *tx, &told, now).await?;
    // Whoever has asked while this mail was sent has counted on it.
    let left = storage::guests::objections::of_event(&mut *tx, event.id).await?;
    if left.iter().any(|objection| objection.told_at.is_none()) {
        tx.enqueue_at(&Job::TellOfObjections { event: event.id }, now.plus(MAIL_INTERVAL)).await?;
    }
    tx.commit().await
}

/// Reminds photographers of requests that wait for them.
pub(crate) async fn remind(app: &App) -> Result<()> {
    let now = app.now();
    let (since, told_before) = (now.minus(REMINDED_FOR), now.minus(REMINDER_INTERVAL));
    for event in storage::guests::objections::to_remind(&app.db, since, told_before).await? {
        let mut tx = app.begin().await?;
        storage::guests::objections::remind(&mut tx, event, now).await?;
        tx.enqueue(&Job::TellOfObjections { event }).await?;
        tx.commit().await?;
    }
    Ok(())
}
