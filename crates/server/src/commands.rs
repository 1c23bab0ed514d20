//! The subcommands and their dispatch.

mod check;
mod config;
mod coupons;
mod credits;
mod faces;
mod payments;
mod users;

use std::process::ExitCode;

use crate::cli::{CliError, print};
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

/// Runs a subcommand.
pub(crate) fn run(command: Command, flags: &Flags) -> Result<ExitCode, CliError> {
    match command {
        Command::Openapi => print(&api::openapi())?,
        Command::Config => config::run(&Settings::read(flags)?)?,
        Command::Serve { no_worker } => {
            let settings = init(flags)?;
            block_on(serving::serve(&settings, !no_worker))?;
        }
        Command::Worker => {
            let settings = init(flags)?;
            block_on(serving::worker(&settings))?;
        }
        Command::Migrate => {
            let settings = init(flags)?;
            block_on(wiring::database(&settings))?;
            print("The database has the current schema.\n")?;
        }
        Command::Check { repair } => return block_on(check::run(&init(flags)?, repair)),
        Command::Coupon(command) => block_on(coupons::run(command, &init(flags)?))?,
        Command::Credits(command) => block_on(credits::run(command, &init(flags)?))?,
        Command::Payment(command) => block_on(payments::run(command, &init(flags)?))?,
        Command::User(command) => block_on(users::run(command, &init(flags)?))?,
        Command::Faces(command) => {
            let settings = init(flags)?;
            faces::run(command, &settings)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn init(flags: &Flags) -> Result<Settings, CliError> {
    let settings = Settings::read(flags)?;
    logging::init(&settings)?;
    Ok(settings)
}

fn block_on<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| CliError::context("The program cannot start its threads", &error))?;
    let outcome = runtime.block_on(work);
    // A blocking task that outlives the grace period must not keep the process.
    runtime.shutdown_background();
    outcome
}
