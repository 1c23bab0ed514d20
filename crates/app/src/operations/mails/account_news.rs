//! The mail that tells what was done with an account.

use domain::accounts::{AccountNews, EmailAddress, User};
use domain::operations::mails::Mail;

use super::action::ActionMail;
use super::writer::Writer;
use crate::{Result, Settings};

/// The mail that tells what was done with an account, and with its password.
pub(crate) fn mail(settings: &Settings, user: &User, to: EmailAddress, news: AccountNews) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.account_news;
    let piece = match news {
        AccountNews::ApiTokenMade => &texts.api_token_made,
        AccountNews::SecondFactorOn => &texts.second_factor_on,
        AccountNews::SecondFactorOff => &texts.second_factor_off,
        AccountNews::PasskeyAdded => &texts.passkey_added,
        AccountNews::PasskeyRemoved => &texts.passkey_removed,
        AccountNews::AuthenticatorAppRemoved => &texts.authenticator_app_removed,
        AccountNews::WrongCodes => &texts.wrong_codes,
        AccountNews::SingleSignOnLinked => &texts.single_sign_on_linked,
        AccountNews::SingleSignOnUnlinked => &texts.single_sign_on_unlinked,
        AccountNews::FtpLoginMade => &texts.ftp_login_made,
        AccountNews::WebhookAdded => &texts.webhook_added,
        AccountNews::WebhookAddressChanged => &texts.webhook_address_changed,
        AccountNews::WebhooksSwitchedOff => &texts.webhooks_switched_off,
    };
    ActionMail {
        writer: &writer,
        subject: &piece.subject,
        name: &user.name,
        intro: writer.fill(&piece.intro, &[]),
        action: &texts.action,
        url: format!("{}/forgot-password", settings.public_url),
        other: None,
        outro: &texts.outro,
    }
    .to(to)
}
