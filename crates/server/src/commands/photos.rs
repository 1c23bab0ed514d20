//! `afterglow photos`.

use app::faces::reindexing;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with photos.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Queue photos again that could not be indexed, and have those tried at once that wait for another attempt; a worker
    /// tries them.
    Retry {
        /// Those too whose bytes were refused.
        #[arg(long)]
        all: bool,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let Command::Retry { all } = command;
    let photos = reindexing::retry_failed(&context, all).await?;
    print(&match photos {
        0 => String::from("No photo waits for another attempt.\n"),
        1 => String::from("1 photo is queued again. It needs a worker.\n"),
        _ => format!("{photos} photos are queued again. They need a worker.\n"),
    })
}
