//! `afterglow mail`.

use app::operations::mail_tests;
use domain::accounts::EmailAddress;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with mails.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Send a test mail, and say what the mail server answered; ends with 1 when it was not sent.
    Test {
        /// The recipient.
        address: String,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let Command::Test { address } = command;
    let (to, mailer) = (EmailAddress::parse(&address)?, wiring::mailer(settings)?);
    let public_url = settings.public_url(settings.listen.port());
    match mail_tests::send(&mailer, &settings.site_name, &public_url, to.clone()).await? {
        Ok(answer) if mailer.reaches_people() => {
            print(&format!("{} took the mail to {to}: {answer}\n", mailer.place()))
        }
        Ok(file) => Err(CliError::new(format!(
            "The mail was written to {file} and not sent: the setting `mail_url` names no mail server."
        ))),
        Err(undelivered) => Err(CliError::new(format!(
            "{} did not take the mail: {}\n{}",
            mailer.place(),
            undelivered.error.reason(),
            mail_tests::cure(undelivered.obstacle)
        ))),
    }
}
