//! The mails about another address of an account.

use domain::accounts::tokens::Token;
use domain::accounts::{EmailAddress, User};
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;

use super::action::{ActionMail, OtherAction};
use super::writer::Writer;
use crate::{Result, Settings};

fn revocation_url(settings: &Settings, token: &Token) -> String {
    format!("{}/revoke-email-change#token={}", settings.public_url, token.reveal())
}

/// The mail with the link that verifies the new address of an account.
pub(crate) fn new_address(settings: &Settings, user: &User, to: EmailAddress, token: &Token) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.email_changes.new_address;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: format!("{}/verify-email?token={}", settings.public_url, token.reveal()),
        other: None,
        outro: &texts.outro,
    }
    .to(to)
}

/// The mail to the current address when another one is requested with the password.
pub(crate) fn notice(settings: &Settings, user: &User, to: EmailAddress, revocation: &Token) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.email_changes.notice;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: revocation_url(settings, revocation),
        other: None,
        outro: &texts.outro,
    }
    .to(to)
}

/// The links of [`agreement`].
pub(crate) struct AgreementLinks {
    /// Agrees to the change.
    pub(crate) agreement: Token,
    /// Takes it back.
    pub(crate) revocation: Token,
}

/// The mail to the current address when another one is requested without the password. It names the new one, which is what
/// its reader agrees to.
pub(crate) fn agreement(
    settings: &Settings,
    user: &User,
    to: EmailAddress,
    new: &EmailAddress,
    links: &AgreementLinks,
) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.email_changes.agreement;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[("email", &unlinked(new.as_str()))]),
        action: &texts.action,
        url: format!("{}/agree-email-change#token={}", settings.public_url, links.agreement.reveal()),
        other: Some(OtherAction {
            intro: &texts.other.intro,
            action: &texts.other.action,
            url: revocation_url(settings, &links.revocation),
        }),
        outro: &texts.outro,
    }
    .to(to)
}

/// The mail to the former address when another one has replaced it.
pub(crate) fn changed(
    settings: &Settings,
    user: &User,
    to: EmailAddress,
    revocation: &Token,
) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.email_changes.changed;
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &user.name,
        intro: writer.fill(&texts.intro, &[]),
        action: &texts.action,
        url: revocation_url(settings, revocation),
        other: None,
        outro: &texts.outro,
    }
    .to(to)
}
