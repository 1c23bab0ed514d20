//! The log goes to standard error, so that standard output has the output of commands alone. Spans go to a collector too, where one
//! is named.

use std::io::IsTerminal as _;

use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::cli::CliError;
use crate::settings::{LogFormat, Settings};
use crate::traces;

/// Installs the subscriber that writes to standard error.
pub(crate) fn init(settings: &Settings) -> Result<(), CliError> {
    let filter = EnvFilter::try_new(&settings.log)
        .map_err(|error| CliError::new(format!("The setting `log` cannot be read: {error}.")))?;
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    let lines = match settings.log_format {
        LogFormat::Text => lines.with_filter(filter).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_filter(filter).boxed(),
    };
    let started = tracing_subscriber::registry().with(lines).with(traces::layer()?).try_init();
    started.map_err(|error| CliError::new(format!("The log cannot be started: {error}.")))
}
