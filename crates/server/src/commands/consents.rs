//! `afterglow consents`.

use app::operations::operators;
use domain::faces::consents::NO_NOTICE;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// Prints one line a day and version.
pub(crate) async fn run(settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let days = operators::consents(&context).await?;
    let lines = days.iter().map(|agreed| {
        let version = match agreed.version.as_str() {
            NO_NOTICE => String::from(NO_NOTICE),
            version => format!("notice {version}"),
        };
        format!("{}  {version}  {} searches\n", agreed.day, agreed.searches)
    });
    print(&lines.collect::<String>())
}
