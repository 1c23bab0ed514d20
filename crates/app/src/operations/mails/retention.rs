//! The mails that warn of the removal of photos.

use domain::Timestamp;
use domain::accounts::User;
use domain::events::Event;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;

use super::action::ActionMail;
use super::writer::Writer;
use crate::{Result, Settings};

/// The mail that warns that the photos of an event will be removed.
pub(crate) fn removal_warning(
    settings: &Settings,
    owner: &User,
    event: &Event,
    at: Timestamp,
) -> Result<Mail> {
    let writer = Writer::of(settings, owner.language)?;
    let texts = &writer.texts.removal_warning;
    let (photos, name) = (event.indexing.total.to_string(), unlinked(&event.name));
    let day = writer.day(event.time_zone.date(at));
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &owner.name,
        intro: writer.fill(&texts.intro, &[("event", &name), ("count", &photos), ("day", &day)]),
        action: &texts.action,
        url: format!("{}/admin/gallery?event={}", settings.public_url, event.id),
        other: None,
        outro: match event.expires_on {
            None if settings.keeping.days(event.keep_days) == settings.keeping.longest_days() => &texts.outro,
            None => &texts.outro_longer,
            Some(_) => &texts.outro_chosen,
        },
    }
    .to(owner.email.clone())
}

/// The mail that warns that photos of the library will be removed.
pub(crate) fn library_removal_warning(
    settings: &Settings,
    owner: &User,
    photos: i64,
    at: Timestamp,
) -> Result<Mail> {
    let writer = Writer::of(settings, owner.language)?;
    let texts = &writer.texts.library_removal_warning;
    let (photos, day) = (photos.to_string(), writer.day(at.date()));
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &owner.name,
        intro: writer.fill(&texts.intro, &[("count", &photos), ("day", &day)]),
        action: &texts.action,
        // No screen shows photos without an event; what the account downloads has them.
        url: format!("{}/admin/account", settings.public_url),
        other: None,
        outro: &texts.outro,
    }
    .to(owner.email.clone())
}
