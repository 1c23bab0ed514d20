//! The mails to guests.

mod texts;

use askama::Template;
use domain::accounts::EmailAddress;
use domain::accounts::tokens::Token;
use domain::events::Event;
use domain::guests::subscriptions::{Language, Subscription};
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;
use domain::studio::studios::{Contact, Studio};

use self::texts::Texts;
use crate::operations::mails::writer::fill;
use crate::{Result, Settings};

/// The mail with the link that confirms a subscription.
pub(super) fn confirmation(
    settings: &Settings,
    event: &Event,
    studio: Option<&Studio>,
    to: &Subscription,
    token: &Token,
) -> Result<Mail> {
    let (language, Texts { direction, confirmation: texts, .. }) = texts::of(&to.language)?;
    let name = unlinked(&event.name);
    let values = [("event", name.as_str())];
    GuestMail {
        site: &settings.site_name,
        language,
        direction: &direction,
        intro: fill(&texts.intro, &values),
        action: &texts.action,
        url: format!("{}#confirm={}", settings.event_url(&event.slug), token.reveal()),
        outro: &texts.outro,
        unsubscribe: None,
        // Nobody has confirmed the address: what its owner may not have asked for leads nowhere else.
        studio: studio.map(|studio| Sender { name: unlinked(&studio.name), contact: None }),
    }
    .to(&to.email, fill(&texts.subject, &values), None)
}

/// What the mail about new photos tells.
pub(super) struct News<'a> {
    /// How many photos are new.
    pub(super) count: usize,
    /// The download token of the results.
    pub(super) results: &'a str,
    /// The token that ends the subscription.
    pub(super) unsubscribe: &'a Token,
}

/// The mail that tells of new photos.
pub(super) fn new_photos(
    settings: &Settings,
    event: &Event,
    studio: Option<&Studio>,
    to: &Subscription,
    news: &News<'_>,
) -> Result<Mail> {
    let (language, Texts { direction, new_photos: texts, .. }) = texts::of(&to.language)?;
    let count = news.count.to_string();
    let name = unlinked(&event.name);
    let values = [("event", name.as_str()), ("count", count.as_str())];
    let (url, token) = (settings.event_url(&event.slug), news.unsubscribe.reveal());
    GuestMail {
        site: &settings.site_name,
        language,
        direction: &direction,
        intro: fill(&texts.intro, &values),
        action: &texts.action,
        url: format!("{url}#results={}", news.results),
        outro: &texts.outro,
        unsubscribe: Some(End { text: &texts.unsubscribe, url: format!("{url}#unsubscribe={token}") }),
        studio: studio.map(|studio| Sender {
            name: unlinked(&studio.name),
            contact: studio.contact.as_ref().map(Contact::as_str),
        }),
    }
    .to(
        &to.email,
        fill(&texts.subject, &values),
        Some(format!("{}/api/face/unsubscribe/{token}", settings.public_url)),
    )
}

/// The mail that tells a guest of whom no photo was found that the event is complete.
pub(super) fn completion(
    settings: &Settings,
    event: &Event,
    studio: Option<&Studio>,
    to: &Subscription,
    unsubscribe: &Token,
) -> Result<Mail> {
    let (language, Texts { direction, new_photos, completion: texts, .. }) = texts::of(&to.language)?;
    let name = unlinked(&event.name);
    let values = [("event", name.as_str())];
    let (url, token) = (settings.event_url(&event.slug), unsubscribe.reveal());
    GuestMail {
        site: &settings.site_name,
        language,
        direction: &direction,
        intro: fill(&texts.intro, &values),
        action: &texts.action,
        url: url.clone(),
        outro: &texts.outro,
        unsubscribe: Some(End { text: &new_photos.unsubscribe, url: format!("{url}#unsubscribe={token}") }),
        studio: studio.map(|studio| Sender {
            name: unlinked(&studio.name),
            contact: studio.contact.as_ref().map(Contact::as_str),
        }),
    }
    .to(
        &to.email,
        fill(&texts.subject, &values),
        Some(format!("{}/api/face/unsubscribe/{token}", settings.public_url)),
    )
}

/// The mail that a guest has asked for, with the link to the results of `token`.
pub(super) fn results_link(
    settings: &Settings,
    event: &Event,
    studio: Option<&Studio>,
    to: &EmailAddress,
    language: &Language,
    token: &str,
) -> Result<Mail> {
    let (language, Texts { direction, results_link: texts, .. }) = texts::of(language)?;
    let name = unlinked(&event.name);
    let values = [("event", name.as_str())];
    GuestMail {
        site: &settings.site_name,
        language,
        direction: &direction,
        intro: fill(&texts.intro, &values),
        action: &texts.action,
        url: format!("{}#results={token}", settings.event_url(&event.slug)),
        outro: &texts.outro,
        unsubscribe: None,
        // As in a confirmation.
        studio: studio.map(|studio| Sender { name: unlinked(&studio.name), contact: None }),
    }
    .to(to, fill(&texts.subject, &values), None)
}

/// What the photos of an event that a guest waits for are called, in the guest's language.
pub(super) fn results_title(event: &Event, language: &Language) -> Result<String> {
    let (_, texts) = texts::of(language)?;
    Ok(fill(&texts.results_link.subject, &[("event", &event.name)]))
}

struct GuestMail<'a> {
    site: &'a str,
    language: &'a str,
    direction: &'a str,
    intro: String,
    action: &'a str,
    url: String,
    outro: &'a str,
    unsubscribe: Option<End<'a>>,
    studio: Option<Sender<'a>>,
}

/// Whose event it is, and how the studio is reached.
struct Sender<'a> {
    name: String,
    contact: Option<&'a str>,
}

/// How the subscription is ended.
struct End<'a> {
    text: &'a str,
    url: String,
}

#[derive(Template)]
#[template(path = "guest_mail.txt")]
struct GuestText<'a> {
    mail: &'a GuestMail<'a>,
}

#[derive(Template)]
#[template(path = "guest_mail.html")]
struct GuestHtml<'a> {
    subject: &'a str,
    mail: &'a GuestMail<'a>,
}

impl GuestMail<'_> {
    fn to(self, to: &EmailAddress, subject: String, unsubscribe_url: Option<String>) -> Result<Mail> {
        let (text, html) =
            (GuestText { mail: &self }.render()?, GuestHtml { subject: &subject, mail: &self }.render()?);
        let links = [Some(self.url), self.unsubscribe.map(|end| end.url)].into_iter().flatten().collect();
        Ok(Mail {
            to: to.clone(),
            reply_to: None,
            subject,
            text,
            html,
            attachment: None,
            unsubscribe_url,
            links,
        })
    }
}
