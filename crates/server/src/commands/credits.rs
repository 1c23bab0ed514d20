//! `afterglow credits`.

use app::operations::operators;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with credits.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Add credits to an account, or take them from it.
    Grant {
        /// Address of the account.
        email: String,
        /// How many rupees, with at most two decimals; a negative number takes them.
        #[arg(allow_negative_numbers = true)]
        rupees: f64,
        /// Why, as the photographer reads it in the account's history; required to take credits.
        #[arg(long)]
        reason: Option<String>,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let Command::Grant { email, rupees, reason } = command;
    let balance = operators::grant(&context, &email, rupees, reason.as_deref()).await?;
    print(&format!("{email} has {balance} credits now.\n"))
}
