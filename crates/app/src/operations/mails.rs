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
use gateway::MailError;
use storage::operations::contact::Message;

use self::action::{ActionMail, OtherAction};
use self::writer::Writer;
use crate::{App, Result, Settings};

/// Hands a mail to the transport. An error does not name the address, which servers repeat in theirs: it is logged and kept with
/// the job, also after the account is closed or the invitation withdrawn.
pub(crate) async fn deliver(app: &App, mail: &Mail) -> Result<()> {
    tracing::info!(subject = mail.subject, "sending a mail");
    let sent = app.mailer.send(mail, app.now(), app.randomness.bytes()).await;
    app.metrics.record_mail(&sent);
    Ok(sent.map_err(|error| match error {
        MailError::Permanent(text) => MailError::Permanent(without_addresses(&text, mail)),
        MailError::Transient(text) => MailError::Transient(without_addresses(&text, mail)),
    })?)
}

fn without_addresses(text: &str, mail: &Mail) -> String {
    // A server may name the domain as it is written, or as DNS has it.
    let addresses = [Some(&mail.to), mail.reply_to.as_ref()].into_iter().flatten();
    addresses
        .flat_map(|address| [address.former_key(), address.key()])
        .fold(text.to_owned(), |text, address| without(&text, &address))
}

fn without(text: &str, address: &str) -> String {
    let (lower, mut cleaned, mut at) = (text.to_lowercase(), String::new(), 0);
    // Lower case can have another length; then nothing of the text is told.
    if lower.len() != text.len() {
        return String::from("the mail server refused the mail");
    }
    while let Some(found) = lower[at..].find(address) {
        let Some(before) = text.get(at..at + found) else {
            return String::from("the mail server refused the mail");
        };
        cleaned.push_str(before);
        cleaned.push_str("(address)");
        at += found + address.len();
    }
    cleaned + text.get(at..).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_mail_server_is_told_without_the_address() {
        // [TELL018] [ACC217]
        let mail = Mail {
            to: EmailAddress::parse("Guest@Example.com").unwrap(),
            reply_to: None,
            subject: String::new(),
            text: String::new(),
            html: String::new(),
            attachment: None,
            unsubscribe_url: None,
            links: Vec::new(),
        };
        let told = without_addresses("550 <guest@example.com>: no GUEST@EXAMPLE.COM here", &mail);
        assert_eq!(told, "550 <(address)>: no (address) here");
        assert_eq!(without_addresses("451 try later", &mail), "451 try later");
        assert_eq!(without_addresses("İ guest@example.com", &mail), "the mail server refused the mail");
    }
}
