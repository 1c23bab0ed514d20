//! `afterglow backup` and `afterglow restore`.

use std::path::Path;
use std::process::ExitCode;

use app::operations::backups::{self, Options, Summary};
use app::operations::checks;
use domain::Clock;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::{replaced, wiring};

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

/// Restores a backup, with `replace` in the place of data that is moved aside, and checks what was restored; exits with 1
/// when a file or a row is not as it must be.
pub(crate) async fn restore(
    settings: &Settings,
    folder: &Path,
    snapshot: Option<&str>,
    replace: bool,
) -> Result<ExitCode, CliError> {
    let in_use = storage::operations::processes::is_in_use(&settings.database_url()).await;
    if in_use.map_err(|error| CliError::context("The database cannot be opened", &error))? {
        return Err(CliError::new(
            "Another process has the database open. Stop `afterglow serve` and every `afterglow worker`, and run this again.",
        ));
    }
    if replace {
        // What is there is moved only for a backup that is whole.
        backups::find(folder, snapshot)?;
        for moved in replaced::move_aside(settings, Clock::System.now())? {
            print(&format!("{moved}\n"))?;
        }
    }
    let (context, store) = (wiring::operator_context(settings).await?, wiring::store(settings)?);
    let scratch = settings.data_dir.join("incoming");
    let summary = backups::restore(&context, &store, folder, snapshot, &scratch).await?;
    let restored = report(&format!("Restored {}", summary.snapshot), &summary)?;
    let issues = checks::inspect(&context, &store).await?;
    let mut is_sound = true;
    for issue in &issues {
        is_sound &= issue.is_notice();
        print(&format!("{issue}\n"))?;
    }
    Ok(if is_sound { restored } else { ExitCode::FAILURE })
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
