//! The mails to photographers and to the operator. Their wording is in `texts/photographer_mails`, their layout in `templates/`.

pub(crate) mod account_news;
mod action;
pub(crate) mod clients;
pub(crate) mod digest;
pub(crate) mod email_changes;
pub(crate) mod guests;
pub(crate) mod retention;
pub(crate) mod team;
pub(crate) mod texts;
pub(crate) mod writer;

use askama::Template;
use domain::accounts::languages::AccountLanguage;
use domain::accounts::tokens::Token;
use domain::accounts::{EmailAddress, User};
use domain::operations::mails::{Attachment, Mail};
use domain::operations::runtime::texts::unlinked;
use storage::operations::contact::Message;

use self::action::{ActionMail, OtherAction};
use self::writer::Writer;
use crate::{App, Result, Settings};

/// Hands a mail to the transport.
pub(crate) async fn deliver(app: &App, mail: &Mail) -> Result<()> {
    tracing::info!(subject = mail.subject, "sending a mail");
    let sent = app.mailer.send(mail, app.now(), app.randomness.bytes()).await;
    app.metrics.record_mail(&sent);
    Ok(sent?)
}

/// The mail with the link that verifies an address.
pub(crate) fn verification(
    settings: &Settings,
    user: &User,
    to: EmailAddress,
    token: &Token,
) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.verification;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[("name", &unlinked(&user.name))]),
        action: &texts.action,
        url: format!("{}/verify-email?token={}", settings.public_url, token.reveal()),
        other: Some(OtherAction {
            intro: &texts.other.intro,
            action: &texts.other.action,
            url: format!("{}/revoke-registration#token={}", settings.public_url, token.reveal()),
        }),
        outro: &texts.outro,
    }
    .to(to)
}

/// The mail with the receipt of the deletion of a closed account.
pub(crate) fn deletion_receipt(
    settings: &Settings,
    language: AccountLanguage,
    to: EmailAddress,
    receipt: String,
) -> Result<Mail> {
    let writer = Writer::of(settings, language)?;
    let texts = &writer.texts.deletion_receipt;
    let mail = ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: "",
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: format!("{}/privacy", settings.public_url),
        other: None,
        outro: &texts.outro,
    }
    .to(to)?;
    let (file_name, media_type) = ("deletion-receipt.json", "application/json");
    Ok(Mail { attachment: Some(Attachment { file_name, media_type, text: receipt }), ..mail })
}

/// The mail after a change of the password.
pub(crate) fn password_change_notice(settings: &Settings, user: &User, to: EmailAddress) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.password_changed;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: format!("{}/forgot-password", settings.public_url),
        other: None,
        outro: &texts.outro,
    }
    .to(to)
}

/// The mail with the link that sets a new password.
pub(crate) fn password_reset(settings: &Settings, user: &User, token: &Token) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.password_reset;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: format!("{}/reset-password#token={}", settings.public_url, token.reveal()),
        other: None,
        outro: &texts.outro,
    }
    .to(user.email.clone())
}

/// The mail after many wrong passwords.
pub(crate) fn wrong_passwords(settings: &Settings, user: &User) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.wrong_passwords;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: format!("{}/forgot-password", settings.public_url),
        other: None,
        outro: &texts.outro,
    }
    .to(user.email.clone())
}

/// The mail that shows whether mails go out, to somebody who is called `name`.
pub(crate) fn test(
    site: &str,
    public_url: &str,
    language: AccountLanguage,
    name: &str,
    to: EmailAddress,
) -> Result<Mail> {
    let writer = Writer::new(site, language)?;
    let texts = &writer.texts.test;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name,
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: public_url.to_owned(),
        other: None,
        outro: &texts.outro,
    }
    .to(to)
}

/// The mail that forwards a message of the contact form to the operator, in English; replies go to its writer.
pub(crate) fn contact(settings: &Settings, message: &Message) -> Result<Mail> {
    let subject = format!("{} contact: {}", settings.site_name, message.subject);
    Ok(Mail {
        to: settings.support_email.clone(),
        reply_to: Some(message.email.clone()),
        text: ContactText { message }.render()?,
        html: ContactHtml { subject: &subject, message }.render()?,
        subject,
        attachment: None,
        unsubscribe_url: None,
        links: Vec::new(),
    })
}

#[derive(Template)]
#[template(path = "contact.txt")]
struct ContactText<'a> {
    message: &'a Message,
}

#[derive(Template)]
#[template(path = "contact.html")]
struct ContactHtml<'a> {
    subject: &'a str,
    message: &'a Message,
}
