//! The mail to a photographer about guests' requests.

use domain::EventId;
use domain::events::Event;
use domain::guests::objections::Choice;

use crate::operations::mails;
use crate::{App, Result};

/// The job that an objection enqueues: one mail tells of all that none has told of.
pub(crate) async fn tell(app: &App, event: EventId) -> Result<()> {
    let objections = storage::guests::objections::of_event(&app.db, event).await?;
    let untold: Vec<_> = objections.into_iter().filter(|objection| objection.told_at.is_none()).collect();
    let Some(newest) = untold.first() else { return Ok(()) };
    let event = storage::events::by_id(&app.db, event).await?.filter(Event::is_open);
    let Some(event) = event else { return Ok(()) };
    let Some(owner) = storage::accounts::users::by_id(&app.db, event.owner).await? else { return Ok(()) };
    let hide = untold.iter().filter(|objection| objection.choice == Choice::Hide).count();
    let requests = mails::GuestRequests { hide, stop_finding: untold.len() - hide };
    mails::deliver(app, &mails::guest_requests(&app.settings, &owner, &event, &requests)?).await?;
    Ok(storage::guests::objections::mark_told(&app.db, event.id, newest.id, app.now()).await?)
}
