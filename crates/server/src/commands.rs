//! The commands.

mod check;
mod config;
mod coupons;
mod credits;
mod faces;
mod payments;
mod users;

use std::error::Error;
use std::future::Future;
use std::io::Write as _;
use std::process::ExitCode;

use crate::settings::{Flags, Settings};
use crate::{logging, serving, wiring};

/// The subcommands.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Serve the web app and the API, and work on jobs.
    Serve {
        /// Leave the jobs to `afterglow worker`.
        #[arg(long)]
        no_worker: bool,
    },
    /// Work on jobs alone; any number of workers may share a database.
    Worker,
    /// Bring the database to the current schema.
    Migrate,
    /// Print every setting with its default and what it does.
    Config,
    /// Look at every account, photo, file and job, and print what is not as it must be; ends with 1 if anything is.
    Check {
        /// Repair what can be repaired: queue jobs again, recount, remove files that belong to no photo.
        #[arg(long)]
        repair: bool,
    },
    /// Print the contract of the API as OpenAPI 3.1.
    Openapi,
    /// Make and list coupons.
    #[command(subcommand)]
    Coupon(coupons::Command),
    /// Give credits to an account.
    #[command(subcommand)]
    Credits(credits::Command),
    /// List payments that are to be given back.
    #[command(subcommand)]
    Payment(payments::Command),
    /// List accounts and verify their addresses.
    #[command(subcommand)]
    User(users::Command),
    /// Find faces in a folder of photos, without server or database.
    #[command(subcommand)]
    Faces(faces::Command),
}

/// Runs a command.
pub(crate) fn run(command: Command, flags: &Flags) -> Result<ExitCode, CliError> {
    match command {
        Command::Openapi => print(&api::openapi())?,
        Command::Config => config::run(&Settings::read(flags)?)?,
        Command::Serve { no_worker } => {
            let settings = begin(flags)?;
            wait(serving::serve(&settings, !no_worker))?;
        }
        Command::Worker => {
            let settings = begin(flags)?;
            wait(serving::worker(&settings))?;
        }
        Command::Migrate => {
            let settings = begin(flags)?;
            wait(wiring::database(&settings))?;
            print("The database has the current schema.\n")?;
        }
        Command::Check { repair } => return wait(check::run(&begin(flags)?, repair)),
        Command::Coupon(command) => wait(coupons::run(command, &begin(flags)?))?,
        Command::Credits(command) => wait(credits::run(command, &begin(flags)?))?,
        Command::Payment(command) => wait(payments::run(command, &begin(flags)?))?,
        Command::User(command) => wait(users::run(command, &begin(flags)?))?,
        Command::Faces(command) => {
            let settings = begin(flags)?;
            faces::run(command, &settings)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn begin(flags: &Flags) -> Result<Settings, CliError> {
    let settings = Settings::read(flags)?;
    logging::start(&settings)?;
    Ok(settings)
}

fn wait<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| CliError::context("The program cannot start its threads", &error))?;
    let outcome = runtime.block_on(work);
    // What still runs was cut off on purpose.
    runtime.shutdown_background();
    outcome
}

/// Prints what a command answers.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        // The reader had enough, as `head` does.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CliError::context("The output cannot be written", &error)),
    }
}

/// Says why a command stopped.
pub(crate) fn report(error: &CliError) {
    // Nothing is left to be done when standard error is closed.
    let _ = writeln!(std::io::stderr(), "afterglow: {error}");
}

/// Why a command stopped, for the person who ran it.
#[derive(Debug)]
pub(crate) struct CliError(String);

impl CliError {
    /// For a reason that is a sentence already.
    pub(crate) fn new(reason: String) -> Self {
        Self(reason)
    }

    /// For an error, with what could not be done and everything that caused it.
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

impl std::fmt::Display for CliError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
