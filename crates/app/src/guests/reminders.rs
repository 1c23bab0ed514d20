//! What brings guests back to an event whose photos are not there yet, where nobody can write to them.

use domain::guests::subscriptions::Language;

use crate::guests::mails;
use crate::{App, Result, events};

/// An entry for a guest's calendar.
#[derive(Debug, PartialEq, Eq)]
pub struct Reminder {
    /// In the guest's language.
    pub title: String,
    /// The day after the event's, or tomorrow if that is past: `YYYYMMDD` (RFC 5545, 3.3.4).
    pub day: String,
    /// The event's page.
    pub url: String,
}

/// The reminder of an open event.
///
/// # Errors
/// [`domain::Refusal::EventNotFound`].
pub async fn of_event(app: &App, slug: &str, language: &Language) -> Result<Reminder> {
    let event = events::by_slug(app, slug).await?;
    Ok(Reminder {
        title: mails::results_title(&event, language)?,
        day: event.next_day(app.now()).strftime("%Y%m%d").to_string(),
        url: app.guest_page(event.owner, &event.slug),
    })
}
