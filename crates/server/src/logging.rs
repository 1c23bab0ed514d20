//! The log goes to standard error, so that standard output has the output of commands alone.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::cli::CliError;
use crate::settings::{LogFormat, Settings};

/// Installs the subscriber that writes to standard error.
pub(crate) fn init(settings: &Settings) -> Result<(), CliError> {
    let filter = EnvFilter::try_new(&settings.log)
        .map_err(|error| CliError::new(format!("The setting `log` cannot be read: {error}.")))?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    let started = match settings.log_format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| CliError::new(format!("The log cannot be started: {error}.")))
}
