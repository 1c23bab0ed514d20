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
    let is_open = storage::operations::processes::is_in_use(&settings.database_url()).await;
    if is_open.map_err(|error| CliError::context("The database cannot be opened", &error))? {
        return Err(in_use());
    }
    if replace {
        // What is there is moved only for a backup that is whole.
        backups::find(folder, snapshot)?;
        make_room(settings).await?;
    } else {
        replaced::check(settings)?;
    }
    let (context, store) = (wiring::restoring_context(settings).await?, wiring::store(settings)?);
    let scratch = settings.data_dir.join("incoming");
    let summary = backups::restore(&context, &store, folder, snapshot, &scratch).await?;
    if replace {
        replaced::end(settings)?;
    }
    let restored = report(&format!("Restored {}", summary.snapshot), &summary)?;
    let issues = checks::inspect(&context, &store).await?;
    let mut is_sound = true;
    for issue in &issues {
        is_sound &= issue.is_notice();
        print(&format!("{issue}\n"))?;
    }
    Ok(if is_sound { restored } else { ExitCode::FAILURE })
}

/// Moves what is there aside. Where a restoration was interrupted, it is what that one was to move, and what it has put is gone
/// on with, unless all rows are there.
async fn make_room(settings: &Settings) -> Result<(), CliError> {
    if let Some(unfinished) = replaced::unfinished(settings)? {
        tell(&unfinished.go_on()?)?;
        let context = wiring::restoring_context(settings).await?;
        let is_vacant = storage::operations::snapshots::is_vacant(&context.db).await;
        context.db.close().await;
        if is_vacant.map_err(|error| CliError::context("The database cannot be read", &error))? {
            return Ok(());
        }
    }
    if let Some(path) = settings.database_url().strip_prefix("sqlite://") {
        let folded = storage::operations::processes::fold_log(Path::new(path)).await;
        if !folded.map_err(|error| CliError::context("The database's log cannot be read", &error))? {
            return Err(in_use());
        }
    }
    tell(&replaced::move_aside(settings, Clock::System.now())?)
}

fn tell(lines: &[String]) -> Result<(), CliError> {
    lines.iter().try_for_each(|line| print(&format!("{line}\n")))
}

/// The refusal of a database that somebody has open.
pub(super) fn in_use() -> CliError {
    CliError::new(
        "Another process has the database open. Stop `afterglow serve` and every `afterglow worker`, and run this again.",
    )
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
