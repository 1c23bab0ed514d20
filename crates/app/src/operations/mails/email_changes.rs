//! The mails about another address of an account.

use domain::accounts::EmailAddress;
use domain::accounts::tokens::Token;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;

use super::{ActionMail, OtherAction};
use crate::{Result, Settings};

/// The label of the button that takes a change back.
const REVOKE: &str = "This wasn't me";

fn revocation_url(settings: &Settings, token: &Token) -> String {
    format!("{}/revoke-email-change#token={}", settings.public_url, token.reveal())
}

/// The mail with the link that verifies the new address of an account.
pub(crate) fn new_address(settings: &Settings, name: &str, to: EmailAddress, token: &Token) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Confirm your new email for Afterglow",
        name,
        intro: settings.named(
            "Somebody asked to use this address for their Afterglow account. If it was you, please confirm it here:",
        ),
        action: "Confirm my new email",
        url: format!("{}/verify-email?token={}", settings.public_url, token.reveal()),
        other: None,
        outro: "The link is good for 24 hours, and until it is used the former address stays in force. If it was not \
                you, you can ignore this mail.",
    }
    .to(to)
}

/// The mail to the current address when another one is requested with the password.
pub(crate) fn notice(settings: &Settings, name: &str, to: EmailAddress, revocation: &Token) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Your Afterglow email is about to change",
        name,
        intro: settings.named(
            "Somebody asked to use another email address for your Afterglow account. This address stays in force until \
             the new one is confirmed. If it was not you, stop it here:",
        ),
        action: REVOKE,
        url: revocation_url(settings, revocation),
        other: None,
        outro: "The link is good for 7 days. If it was you, there is nothing to do here.",
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
    name: &str,
    to: EmailAddress,
    new: &EmailAddress,
    links: &AgreementLinks,
) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Do you agree to a new email for Afterglow?",
        name,
        intro: format!(
            "Somebody who is logged in to your Afterglow account asked to use {} for it, in the place of this address. \
             This one stays in force until you agree and the new one is confirmed. If it was you, agree here:",
            unlinked(new.as_str())
        ),
        action: "Agree to the new email",
        url: format!("{}/agree-email-change#token={}", settings.public_url, links.agreement.reveal()),
        other: Some(OtherAction {
            intro: "If it was not you, do not agree, and stop it here:",
            action: REVOKE,
            url: revocation_url(settings, &links.revocation),
        }),
        outro: "The link to agree is good for 24 hours, the link to stop it for 7 days.",
    }
    .to(to)
}

/// The mail to the former address when another one has replaced it.
pub(crate) fn changed(settings: &Settings, name: &str, to: EmailAddress, revocation: &Token) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Your Afterglow email was changed",
        name,
        intro: settings.named(
            "Another email address was confirmed for your Afterglow account, and this one no longer opens it. If it was \
             not you, take it back here:",
        ),
        action: REVOKE,
        url: revocation_url(settings, revocation),
        other: None,
        outro: "The link is good for 7 days. If it was you, there is nothing to do here.",
    }
    .to(to)
}
