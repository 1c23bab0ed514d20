//! A mail that shows whether mails go out, for whoever sets the service up.

use domain::accounts::languages::AccountLanguage;
use domain::accounts::{EmailAddress, User};
use domain::operations::mails::Mail;
use domain::{Clock, Randomness};
use gateway::Mailer;
use gateway::mails::{Obstacle, Undelivered};

use crate::operations::mails;
use crate::{App, Result};

/// What became of a test: what the mail server said, or the file; or why not.
pub type Outcome = std::result::Result<String, Undelivered>;

/// Whether mails go to people, and where they go: host and port of the mail server, or a folder of this machine.
pub fn transport(app: &App) -> (bool, String) {
    (app.mailer.reaches_people(), app.mailer.place())
}

/// Sends a test to the address of an account.
///
/// # Errors
/// When the mail cannot be written; that it cannot be sent is an [`Outcome`].
pub async fn send_to(app: &App, user: &User) -> Result<Outcome> {
    let (site_name, public_url) = (&app.settings.site_name, &app.settings.public_url);
    let mail = mails::test(site_name, public_url, user.language, &user.name, user.email.clone())?;
    let outcome = deliver(&app.mailer, &mail, &app.clock, &app.randomness).await;
    app.metrics.record_mail(&outcome.clone().map(|_| ()).map_err(|undelivered| undelivered.error));
    Ok(outcome)
}

/// Sends a test in English to any address, as the operator's command does.
///
/// # Errors
/// As [`send_to`].
pub async fn send(mailer: &Mailer, site_name: &str, public_url: &str, to: EmailAddress) -> Result<Outcome> {
    let mail = mails::test(site_name, public_url, AccountLanguage::English, "there", to)?;
    Ok(deliver(mailer, &mail, &Clock::System, &Randomness::System).await)
}

async fn deliver(mailer: &Mailer, mail: &Mail, clock: &Clock, randomness: &Randomness) -> Outcome {
    mailer.deliver(mail, clock.now(), randomness.bytes()).await
}

/// What to do about an obstacle.
pub const fn cure(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Unreachable => {
            "Check host and port in the setting `mail_url`, and that a firewall lets this machine through."
        }
        Obstacle::Encryption => {
            "Check that the mail server has a trusted certificate for this host. One of your own goes with `?ca=FILE` at the \
             end of `mail_url`."
        }
        Obstacle::Login => {
            "Check user and password in the setting `mail_url`. Characters such as @, : and / are percent-encoded there."
        }
        Obstacle::Refused => {
            "The mail server has said why. Check the setting `mail_from`, which has to be an address that it sends for, and the \
             recipient."
        }
        Obstacle::Later => "The mail server wants it later. Try again in some minutes.",
        Obstacle::Folder => "Check that the folder is there, and that the service may write to it.",
        Obstacle::Address => "Mails cannot be sent to this address. Try another one.",
    }
}
