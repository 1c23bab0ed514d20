//! `afterglow clock`.

use app::operations::clock_watch;
use domain::Clock;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done about a clock that has jumped.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Say what was last seen of the clock, and its last jump.
    Show,
    /// Say that the clock is right: what is due is removed without waiting for a day.
    Confirm,
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    match command {
        Command::Show => {
            let Some(watch) = clock_watch::show(&context).await? else {
                return print(
                    "Nobody has looked at the clock yet: the service has not run with this version.\n",
                );
            };
            let seen_at = watch.seen_at.to_rfc3339();
            let now = Clock::System.now();
            let warning = watch.warning(now).unwrap_or_else(|| String::from("It has not jumped lately."));
            print(&format!("The service last looked at the clock at {seen_at}.\n{warning}\n"))
        }
        Command::Confirm => {
            clock_watch::confirm(&context).await?;
            print("The clock is right. What is due is removed within a minute.\n")
        }
    }
}
