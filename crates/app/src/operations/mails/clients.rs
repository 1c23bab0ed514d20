//! The mails about what clients choose.

use domain::accounts::User;
use domain::events::Event;
use domain::guests::client_selections::ClientSelection;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;

use super::action::ActionMail;
use super::writer::Writer;
use crate::{Result, Settings};

/// The mail that tells that a client has finished choosing photos.
pub(crate) fn finished(
    settings: &Settings,
    owner: &User,
    event: &Event,
    selection: &ClientSelection,
    chosen: i64,
) -> Result<Mail> {
    let writer = Writer::of(settings, owner.language)?;
    let texts = &writer.texts.selection_finished;
    let (client, name) = (unlinked(&selection.name), unlinked(&event.name));
    let limit = selection.limit.map(|limit| limit.to_string());
    let text = if limit.is_some() { &texts.intro_limited } else { &texts.intro };
    let limit = limit.unwrap_or_default();
    let mut intro = writer.count(text, chosen, &[("client", &client), ("event", &name), ("limit", &limit)]);
    if let Some(message) = &selection.message {
        intro.push(' ');
        intro.push_str(&writer.fill(&texts.message, &[("message", &unlinked(message))]));
    }
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &owner.name,
        intro,
        action: &texts.action,
        url: format!("{}/admin/gallery?event={}&selection={}", settings.public_url, event.id, selection.id),
        other: None,
        outro: &texts.outro,
    }
    .to(owner.email.clone())
}
