//! What the commands share: their error, and how they print.

use std::error::Error;
use std::io::Write as _;

use domain::Refusal;
use serde::Serialize;

/// Why a command failed, as a text for the person who ran it.
#[derive(Debug)]
pub(crate) struct CliError(String);

impl CliError {
    /// An error whose text is complete.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What could not be done, with the error and its causes.
    pub(crate) fn context(what: &str, error: &dyn Error) -> Self {
        let mut text = format!("{what}: {error}");
        let mut cause = error.source();
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        Self(text)
    }
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.to_string())
    }
}

impl From<app::Failure> for CliError {
    fn from(failure: app::Failure) -> Self {
        Self(failure.chain())
    }
}

impl std::fmt::Display for CliError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Prints the output of a command.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        // The reader closed the pipe, as `head` does.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CliError::context("The output cannot be written", &error)),
    }
}

/// Prints a value as JSON for programs, as the API answers it.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(|error| CliError::context("The output cannot be written", &error))?;
    print(&format!("{text}\n"))
}

/// Prints why a command failed.
pub(crate) fn report(error: &CliError) {
    // There is nowhere left to report that standard error is closed.
    let _ = writeln!(std::io::stderr(), "afterglow: {error}");
}
