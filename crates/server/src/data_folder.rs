//! The data folder, and what says that it was used: a folder whose disk is not mounted looks like a new one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::settings::{Settings, Switch};

/// The file that says so.
const MARKER: &str = "afterglow-data.txt";
const TEXT: &str =
    "Afterglow keeps its data in this folder. This file says that it was used: leave it here.\n";
/// What versions without the marker leave there.
const DATABASE: &str = "afterglow.db";

/// Refuses to begin with an empty folder where the settings say that there is data.
///
/// # Errors
/// One sentence with the cure.
pub(crate) fn check(settings: &Settings) -> Result<(), CliError> {
    let folder = &settings.data_dir;
    if settings.begin_empty == Switch::On || was_used(folder) {
        return Ok(());
    }
    Err(CliError::new(format!(
        "The data folder {} was never used, and `begin_empty` is off: mount its disk, or correct `data_dir`; to begin a new \
         installation there, set `begin_empty` to on until it has started.",
        folder.display()
    )))
}

/// Refuses to begin an installation by a command that works on one: where its disk is not mounted, it would work on an empty one.
///
/// # Errors
/// One sentence with the cure.
pub(crate) fn check_database(settings: &Settings) -> Result<(), CliError> {
    let Some(file) = missing_database(settings) else { return Ok(()) };
    let setting = if settings.database_url.is_some() { "database_url" } else { "data_dir" };
    Err(CliError::new(format!(
        "There is no database {}: mount its disk, or correct `{setting}`. `afterglow serve` begins a new installation there.",
        file.display()
    )))
}

/// Refuses to begin an installation as a start does, by a command that may come before the first one.
///
/// # Errors
/// One sentence with the cure.
pub(crate) fn check_beginning(settings: &Settings) -> Result<(), CliError> {
    if missing_database(settings).is_some() { check(settings) } else { Ok(()) }
}

/// The database's file, where it is not there. A server's databases are made by whoever runs it, and one that cannot be looked
/// at is refused when it is opened.
fn missing_database(settings: &Settings) -> Option<PathBuf> {
    let url = settings.database_url();
    let file = Path::new(url.strip_prefix("sqlite://")?);
    matches!(file.try_exists(), Ok(false)).then(|| file.to_owned())
}

/// Says that the folder was used.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn mark(settings: &Settings) -> Result<(), CliError> {
    let marker = settings.data_dir.join(MARKER);
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&marker);
    let written = match made {
        Ok(mut file) => std::io::Write::write_all(&mut file, TEXT.as_bytes()).and_then(|()| file.sync_all()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    };
    written.map_err(|error| CliError::context(&format!("{} cannot be written", marker.display()), &error))
}

fn was_used(folder: &Path) -> bool {
    [MARKER, DATABASE].iter().any(|name| folder.join(name).exists())
}
