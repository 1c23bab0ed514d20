//! The mails about what clients choose.

use domain::accounts::User;
use domain::events::Event;
use domain::guests::client_selections::ClientSelection;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;

use super::ActionMail;
use crate::{Result, Settings};

/// The mail that tells that a client has finished choosing photos.
pub(crate) fn finished(
    settings: &Settings,
    owner: &User,
    event: &Event,
    selection: &ClientSelection,
    chosen: i64,
) -> Result<Mail> {
    let (client, event_name) = (unlinked(&selection.name), unlinked(&event.name));
    let photos = if chosen == 1 { String::from("1 photo") } else { format!("{chosen} photos") };
    let of = selection.limit.map_or_else(String::new, |limit| format!(" of at most {limit}"));
    let message = selection.message.as_deref().map(unlinked);
    let message = message.map_or_else(String::new, |message| format!(" They wrote: \"{message}\""));
    ActionMail {
        site: &settings.site_name,
        subject: "A client has chosen photos",
        name: &owner.name,
        intro: format!("{client} has finished choosing from \"{event_name}\": {photos}{of}.{message}"),
        action: "See the photos",
        url: format!("{}/admin/gallery?event={}&selection={}", settings.public_url, event.id, selection.id),
        other: None,
        outro: "Nothing changes in what they have chosen now. Under Guests you can reopen it for them.",
    }
    .to(owner.email.clone())
}
