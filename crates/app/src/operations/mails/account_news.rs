//! The mail that tells what was done with an account.

use domain::accounts::{AccountNews, EmailAddress};
use domain::operations::mails::Mail;

use super::ActionMail;
use crate::{Result, Settings};

/// The mail that tells what was done with an account, and with its password.
pub(crate) fn mail(settings: &Settings, name: &str, to: EmailAddress, news: AccountNews) -> Result<Mail> {
    let (subject, intro) = match news {
        AccountNews::ApiTokenMade => (
            "A new API token for your Afterglow account",
            "Somebody who knows your password made an API token, with which a program acts for you. If it was not you, \
             set a new password now, which ends the token:",
        ),
        AccountNews::SecondFactorOn => (
            "Two-step login is on for your Afterglow account",
            "From now on a login asks for a second step beside your password. Keep the recovery codes where you find them without \
             your phone. If it was not you, set a new password now, and ask the operator of this service to remove the \
             second step:",
        ),
        AccountNews::SecondFactorOff => (
            "Two-step login is off for your Afterglow account",
            "From now on your password alone is enough to log in. If it was not you, set a new password now, and turn \
             two-step login on again:",
        ),
        AccountNews::PasskeyAdded => (
            "A new passkey for your Afterglow account",
            "A passkey was added to your account, with which whoever knows your password can log in. From now on a login asks \
             for a second step. If it was not you, set a new password now, and ask the operator of this service to remove \
             the second step:",
        ),
        AccountNews::PasskeyRemoved => (
            "A passkey was removed from your Afterglow account",
            "A passkey of your account is good no more. A login goes on asking for a second step, with what is left. If it \
             was not you, set a new password now:",
        ),
        AccountNews::AuthenticatorAppRemoved => (
            "The authenticator app was removed from your Afterglow account",
            "The codes of the app are good no more. A login goes on asking for a second step, which is a passkey now. If it \
             was not you, set a new password now:",
        ),
        AccountNews::WrongCodes => (
            "Somebody knows the password of your Afterglow account",
            "10 wrong codes or passkeys in a row were tried for your Afterglow account, with your right password. Nobody got in, and \
             every further attempt has to wait. If it was not you, set a new password now:",
        ),
        AccountNews::SingleSignOnLinked => (
            "Single sign-on opens your Afterglow account",
            "From now on you can log in to your account with the single sign-on of this service. If it was not you, set a new \
             password now, and unlink it in your account:",
        ),
        AccountNews::SingleSignOnUnlinked => (
            "Single sign-on opens your Afterglow account no more",
            "From now on you log in with your email and password. If it was not you, set a new password now, and link it again \
             in your account:",
        ),
        AccountNews::FtpLoginMade => (
            "A new login for cameras in your Afterglow account",
            "Somebody who knows the password of an account that manages your event made a login, with which a camera \
             sends photos to it. If it was none of you, set a new password now, which ends the login:",
        ),
    };
    ActionMail {
        site: &settings.site_name,
        subject,
        name,
        intro: settings.named(intro),
        action: "Set a new password",
        url: format!("{}/forgot-password", settings.public_url),
        other: None,
        outro: "If it was you, there is nothing to do here.",
    }
    .to(to)
}
