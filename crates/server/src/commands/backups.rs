//! `afterglow backup` and `afterglow restore`.

use std::path::Path;
use std::process::ExitCode;

use app::backups::{self, Options, Summary};

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// Backs up everything to a folder; exits with 1 when a file is not as the database says.
pub(crate) async fn backup(
    settings: &Settings,
    folder: &Path,
    options: Options,
) -> Result<ExitCode, CliError> {
    let (context, store) = (wiring::operator_context(settings).await?, wiring::store(settings)?);
    let summary = backups::create(&context, &store, folder, options).await?;
    report(&format!("Backed up as {}", summary.snapshot), &summary)
}

/// Restores a backup; exits with 1 when a file of it is missing or damaged.
pub(crate) async fn restore(
    settings: &Settings,
    folder: &Path,
    snapshot: Option<&str>,
) -> Result<ExitCode, CliError> {
    let (context, store) = (wiring::operator_context(settings).await?, wiring::store(settings)?);
    let scratch = settings.data_dir.join("incoming");
    let summary = backups::restore(&context, &store, folder, snapshot, &scratch).await?;
    report(&format!("Restored {}", summary.snapshot), &summary)
}

fn report(what: &str, summary: &Summary) -> Result<ExitCode, CliError> {
    for problem in &summary.problems {
        print(&format!("{problem}\n"))?;
    }
    let megabytes = summary.bytes as f64 / 1e6;
    print(&format!(
        "{what}: {} files, {} of them copied ({megabytes:.1} MB).\n",
        summary.files, summary.copied
    ))?;
    Ok(if summary.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
