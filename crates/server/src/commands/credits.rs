//! `afterglow credits`.

use app::operators;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with credits.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Add credits to an account.
    Grant {
        /// Address of the account.
        email: String,
        /// How many rupees, with at most two decimals.
        rupees: f64,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let Command::Grant { email, rupees } = command;
    let balance = operators::grant(&context, &email, rupees).await?;
    print(&format!("{email} has {balance} credits now.\n"))
}
