//! `afterglow consents`.

use app::operations::operators;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// Prints one line a day and version.
pub(crate) async fn run(settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let days = operators::consents(&context).await?;
    let lines = days
        .iter()
        .map(|agreed| format!("{}  notice {}  {} searches\n", agreed.day, agreed.version, agreed.searches));
    print(&lines.collect::<String>())
}
