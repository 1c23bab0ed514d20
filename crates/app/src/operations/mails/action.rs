//! A mail with a link, or two: its layout is in `templates/action`.

use askama::Template;
use domain::accounts::EmailAddress;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;

use super::writer::Writer;
use crate::Result;

/// A mail with a link, or two. Its wording is data, so that its two parts say the same.
pub(super) struct ActionMail<'a> {
    /// In which language, and what the service is called.
    pub(super) writer: &'a Writer<'a>,
    /// As the texts have it.
    pub(super) subject: &'a str,
    /// The reader's; empty where it is not known.
    pub(super) name: &'a str,
    /// The paragraph before the link, as it is read.
    pub(super) intro: String,
    /// The label of the button, as the texts have it.
    pub(super) action: &'a str,
    /// Where the button leads.
    pub(super) url: String,
    /// What can be done instead.
    pub(super) other: Option<OtherAction<'a>>,
    /// The paragraph after the links, as the texts have it.
    pub(super) outro: &'a str,
}

/// The second link of a mail.
pub(super) struct OtherAction<'a> {
    /// The paragraph before it.
    pub(super) intro: &'a str,
    /// The label of its button.
    pub(super) action: &'a str,
    /// Where it leads.
    pub(super) url: String,
}

/// What is read.
struct Shown<'a> {
    language: &'a str,
    site: &'a str,
    subject: &'a str,
    hello: String,
    intro: String,
    action: String,
    url: &'a str,
    other: Option<OtherAction<'a>>,
    outro: String,
}

#[derive(Template)]
#[template(path = "action.txt")]
struct ActionText<'a> {
    mail: &'a Shown<'a>,
}

#[derive(Template)]
#[template(path = "action.html")]
struct ActionHtml<'a> {
    mail: &'a Shown<'a>,
}

impl ActionMail<'_> {
    /// The mail to an address.
    pub(super) fn to(self, to: EmailAddress) -> Result<Mail> {
        let written = |text: &str| self.writer.fill(text, &[]);
        let subject = written(self.subject);
        let shown = Shown {
            language: self.writer.tag(),
            site: self.writer.site,
            subject: &subject,
            hello: self.writer.hello(&unlinked(self.name)),
            action: written(self.action),
            outro: written(self.outro),
            intro: self.intro,
            url: &self.url,
            other: self.other,
        };
        let (text, html) = (ActionText { mail: &shown }.render()?, ActionHtml { mail: &shown }.render()?);
        let other = shown.other.map(|other| other.url);
        Ok(Mail {
            to,
            reply_to: None,
            text,
            html,
            attachment: None,
            unsubscribe_url: None,
            links: std::iter::once(self.url.clone()).chain(other).collect(),
            subject,
        })
    }
}
