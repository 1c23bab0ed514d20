//! The subcommands and their dispatch.

mod backups;
mod check;
mod clock;
pub(crate) mod config;
mod consents;
mod coupons;
mod credits;
mod demo;
mod doctor;
mod events;
mod faces;
mod healthcheck;
mod jobs;
mod mail;
mod manuals;
mod migrate_to;
mod passwords;
mod payments;
mod photos;
mod status;
mod store;
mod upload;
mod users;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::{CliError, print};
use crate::settings::{Flags, Settings};
use crate::{logging, owner, serving, wiring};

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
    /// Serve events that are filled from a folder of pictures, in an installation that is removed at the end.
    ///
    /// For one event the folder has photos/, selfies/PERSON.jpg and event.json: {"date": "2026-11-21", "people": [PERSON]};
    /// in it may be "name", "description", "albums": [{"name": NAME, "photos": [FILE]}], "cover": FILE, "question": a guest's
    /// about a photo, and "wants_to_be_removed": PERSON. For several, event.json is {"events": [SUBFOLDER]}, each subfolder
    /// has its own photos/ and event.json, and selfies/ is for all. In the sources of Afterglow `make demo-pictures` makes one.
    Demo(demo::Arguments),
    /// Bring the database to the current schema.
    Migrate,
    /// Print every setting with its default and what it does.
    Config {
        /// As the tables of docs/configuration.md, without what is in force.
        #[arg(long)]
        markdown: bool,
        /// Print them as JSON, with the values in force.
        #[arg(long, conflicts_with = "markdown")]
        json: bool,
    },
    /// Print how the installation stands: versions, accounts, events, photos, storage, and the sums of the ledger.
    Status {
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Ask the server that listens on the configured address whether it is ready; ends with 1 when it is not.
    Healthcheck {
        /// Seconds after which the answer is given up.
        #[arg(long, default_value_t = 10, value_name = "SECONDS")]
        timeout: u64,
    },
    /// Examine the installation: settings, folders, database, models, mail server, bucket, clocks, and the way to it through
    /// the public URL. Ends with 1 if anything does not work; each finding names its cure.
    Doctor(doctor::Arguments),
    /// Look at every account, photo, file and job, and print what is not as it must be; ends with 1 if anything is.
    Check {
        /// Repair what can be repaired: queue jobs again, recount, remove files that belong to no photo.
        #[arg(long)]
        repair: bool,
        /// Look at this receipt of a deletion instead: whether this installation has signed it, and whether anything of what it
        /// names is here again.
        #[arg(long, value_name = "FILE", conflicts_with = "repair")]
        receipt: Option<PathBuf>,
    },
    /// Back up the database and all photos to a folder; the service may run meanwhile. Ends with 1 if a file is not as
    /// the database says.
    ///
    /// The first backup copies everything, later ones what is new. The folder holds personal data and secrets: guard it
    /// as you guard the database.
    Backup {
        /// The folder, which is made when it is missing.
        folder: PathBuf,
        /// How many snapshots are retained. What was deleted from the service stays in those that are older.
        #[arg(long, default_value_t = 7, value_name = "SNAPSHOTS")]
        keep: usize,
        /// Read copies of earlier backups again, and replace those that are damaged.
        #[arg(long)]
        verify: bool,
    },
    /// Restore a backup into a database without accounts, of either engine, and its media store, and check both.
    ///
    /// Stop the service before: a database that is in use is refused. Interrupted, it is run again.
    Restore {
        /// The folder of the backup.
        folder: PathBuf,
        /// The name of a snapshot under `snapshots`; the newest one without it.
        #[arg(long, value_name = "NAME")]
        snapshot: Option<String>,
        /// Move the data that is there aside first: the SQLite database with its log, and the media folder.
        #[arg(long)]
        replace: bool,
    },
    /// Copy the installation to PostgreSQL and another media store, and compare both sides; the service may run meanwhile.
    /// Ends with 1 if anything differs.
    ///
    /// Interrupted, it is run again. A later run brings what came since, and takes along what was deleted: run it while the
    /// service runs, then stop the service, run it once more with --last, and start the service on the target.
    MigrateTo(migrate_to::Arguments),
    /// Print the contract of the API as OpenAPI 3.1.
    Openapi,
    /// Print the script that lets a shell complete commands and options.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: manuals::Shell,
    },
    /// Write the pages of the manual to a folder, one for each command.
    Manual {
        /// The folder, which is made when it is missing.
        folder: PathBuf,
    },
    /// Make and list coupons.
    #[command(subcommand)]
    Coupon(coupons::Command),
    /// Give credits to an account, or take them.
    #[command(subcommand)]
    Credits(credits::Command),
    /// List payments and orders that need an operator, and return money.
    #[command(subcommand)]
    Payment(payments::Command),
    /// Say whether the media store belongs to the database, make it so, and sweep it.
    #[command(subcommand)]
    Store(store::Command),
    /// Say what was last seen of the clock, and whether a jump holds back what is due to be removed.
    #[command(subcommand)]
    Clock(clock::Command),
    /// Send a test mail.
    #[command(subcommand)]
    Mail(mail::Command),
    /// Make and list accounts, set their passwords, verify their addresses, lock them, and end their sessions.
    #[command(subcommand)]
    User(users::Command),
    /// List events by their size.
    #[command(subcommand)]
    Event(events::Command),
    /// List background jobs, and try failed ones again.
    #[command(subcommand)]
    Job(jobs::Command),
    /// List how many searches were answered on each day under which version of the notice about selfies.
    Consents,
    /// Upload a folder to a service over HTTP, with an API token; run again, it goes on where it stopped.
    ///
    /// Ends with 1 when a photo failed, with 3 when the token is refused, with 4 when credits are missing, with 5 when there
    /// is no such event, and with 130 when it was interrupted.
    Upload(upload::Arguments),
    /// Try photos again that could not be indexed.
    #[command(subcommand)]
    Photos(photos::Command),
    /// Find faces in a folder of photos, without server or database.
    #[command(subcommand)]
    Faces(faces::Command),
}

/// Runs a subcommand; `line` is the whole command line, as clap knows it.
pub(crate) fn run(
    command: Command,
    flags: &Flags,
    line: fn() -> clap::Command,
) -> Result<ExitCode, CliError> {
    match command {
        Command::Openapi => print(&api::openapi())?,
        Command::Completions { shell } => manuals::completions(shell, line())?,
        Command::Manual { folder } => manuals::manual(&folder, line())?,
        Command::Config { markdown: true, .. } => print(&config::markdown())?,
        Command::Config { markdown: false, json } => config::run(&Settings::read(flags)?, json)?,
        Command::Status { json } => block_on(status::run(&init(flags)?, json))?,
        Command::Serve { no_worker } => {
            let settings = init(flags)?;
            block_on(serving::serve(&settings, !no_worker))?;
        }
        Command::Worker => {
            let settings = init(flags)?;
            block_on(serving::worker(&settings))?;
        }
        Command::Demo(arguments) => block_on(demo::run(flags, &arguments))?,
        Command::Migrate => {
            let settings = init(flags)?;
            block_on(wiring::beginning_database(&settings))?;
            print("The database has the current schema.\n")?;
        }
        Command::Healthcheck { timeout } => {
            return block_on(healthcheck::run(&Settings::read(flags)?, timeout));
        }
        Command::Doctor(arguments) => return block_on(doctor::run(flags, arguments)),
        Command::Check { receipt: Some(file), .. } => return block_on(check::receipt(&init(flags)?, &file)),
        Command::Check { repair, receipt: None } => return block_on(check::run(&init(flags)?, repair)),
        Command::Backup { folder, keep, verify } => {
            let options = app::operations::backups::Options { keep, verify };
            return block_on(backups::backup(&init(flags)?, &folder, options));
        }
        Command::Restore { folder, snapshot, replace } => {
            return block_on(backups::restore(&init(flags)?, &folder, snapshot.as_deref(), replace));
        }
        Command::MigrateTo(arguments) => return block_on(migrate_to::run(&init(flags)?, arguments)),
        Command::Coupon(command) => block_on(coupons::run(command, &init(flags)?))?,
        Command::Credits(command) => block_on(credits::run(command, &init(flags)?))?,
        Command::Payment(command) => return block_on(payments::run(command, &init(flags)?)),
        Command::Store(command) => block_on(store::run(command, &init(flags)?))?,
        Command::Clock(command) => block_on(clock::run(command, &init(flags)?))?,
        Command::Mail(command) => block_on(mail::run(command, &init(flags)?))?,
        Command::User(command) => block_on(users::run(command, &init(flags)?))?,
        Command::Event(command) => block_on(events::run(command, &init(flags)?))?,
        Command::Job(command) => block_on(jobs::run(command, &init(flags)?))?,
        Command::Consents => block_on(consents::run(&init(flags)?))?,
        // It belongs to no installation: no settings, and no log.
        Command::Upload(arguments) => return block_on(upload::run(arguments)),
        Command::Photos(command) => block_on(photos::run(command, &init(flags)?))?,
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
    owner::warn(&settings);
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
