//! `afterglow migrate-to`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use app::operations::moving::{self, Options, Step, Summary, Target};
use storage::operations::processes;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

use super::backups::in_use;

/// How often it is said how many files are copied.
const REPORT: Duration = Duration::from_secs(2);
/// How long a server takes at most to notice that our own connections are closed.
const CLOSING: Duration = Duration::from_secs(5);

/// Where an installation moves to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// postgres://USER@HOST/NAME, empty or filled by this command before. Leave the password to PGPASSWORD or ~/.pgpass:
    /// others can read the command line.
    #[arg(long, value_name = "URL")]
    database: String,
    /// s3://BUCKET/PREFIX (with the usual AWS_* variables) or file://FOLDER, empty or filled by this command before.
    #[arg(long, value_name = "URL")]
    media: String,
    /// Read the files again that are there already, and replace those that are not the same.
    #[arg(long)]
    verify: bool,
    /// The last run, after which the service starts on the target: ends with 1 when the service still runs here, or anything
    /// has changed here meanwhile.
    #[arg(long)]
    last: bool,
}

/// Moves the installation; exits with 1 when a file is not as the database says, or the target is not the same afterwards.
pub(crate) async fn run(settings: &Settings, arguments: Arguments) -> Result<ExitCode, CliError> {
    if !arguments.database.starts_with("postgres") {
        return Err(CliError::new(
            "An installation moves to PostgreSQL: --database is postgres://USER@HOST/NAME. \
             `afterglow backup` and `afterglow restore` move it to SQLite.",
        ));
    }
    if arguments.last && is_in_use(settings).await? {
        return Err(in_use());
    }
    let there = Settings {
        database_url: Some(arguments.database.into()),
        media_url: Some(arguments.media.into()),
        ..settings.clone()
    };
    let (context, store) = (wiring::operator_context(settings).await?, wiring::store(settings)?);
    let of_target = |error: CliError| CliError::new(format!("The target: {error}"));
    let db = wiring::connect(&there, there.database_connections).await.map_err(of_target)?;
    let target = Target::prepare(db, wiring::store(&there).map_err(of_target)?).await?;
    let mut reported: Option<Instant> = None;
    let progress = |step: Step<'_>| {
        let is_last = matches!(step, Step::Files { photos, of, .. } if photos >= of);
        let is_files = matches!(step, Step::Files { .. });
        if is_files && !is_last && reported.is_some_and(|at| at.elapsed() < REPORT) {
            return;
        }
        reported = is_files.then(Instant::now);
        // Whoever closes the output does not want to end the move.
        let _ = print(&line(step));
    };
    let scratch = settings.data_dir.join("moving");
    let Arguments { verify, last, .. } = arguments;
    let options = Options { verify, last };
    let summary = moving::migrate(&context, &store, &target, &scratch, options, progress).await?;
    let told = report(&summary, last)?;
    if last {
        context.db.close().await;
        let closed = Instant::now();
        while is_in_use(settings).await? {
            if closed.elapsed() > CLOSING {
                return Err(CliError::new(
                    "Another process has opened the database meanwhile: what it takes is not in the target. Stop it, and run \
                     this again.",
                ));
            }
            tokio::time::sleep(CLOSING / 50).await;
        }
        if summary.is_complete() {
            print(
                "Every row and every file is the same, and nothing has happened here since. Start the service on the target, and \
                 here no more.\n",
            )?;
        }
    }
    Ok(told)
}

async fn is_in_use(settings: &Settings) -> Result<bool, CliError> {
    let in_use = processes::is_in_use(&settings.database_url()).await;
    in_use.map_err(|error| CliError::context("The database cannot be opened", &error))
}

fn line(step: Step<'_>) -> String {
    match step {
        Step::Snapshot => String::from("Writing a snapshot of the database.\n"),
        Step::Files { photos, of, bytes } => {
            format!("Files of {photos} of {of} photos, {:.1} MB copied.\n", megabytes(bytes))
        }
        Step::Rows { table, rows } => format!("Table {table}: {rows} rows.\n"),
        Step::Comparing => String::from("Comparing.\n"),
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn report(summary: &Summary, last: bool) -> Result<ExitCode, CliError> {
    for problem in &summary.problems {
        print(&format!("{problem}\n"))?;
    }
    for difference in &summary.differences {
        print(&format!("{difference}\n"))?;
    }
    let rows: u64 = summary.tables.iter().map(|table| table.rows).sum();
    print(&format!(
        "The target has {rows} rows in {} tables and {} files: {} files were copied ({:.1} MB), {} removed.\n",
        summary.tables.len(),
        summary.found,
        summary.copied,
        megabytes(summary.bytes),
        summary.removed,
    ))?;
    if let Some(sums) = summary.sums {
        print(&format!(
            "Balances are {} credits, and the ledger's sum is {}.\n",
            sums.balances, sums.ledger,
        ))?;
    }
    if summary.deleted_meanwhile > 0 {
        print(&format!(
            "{} photos were deleted meanwhile: the next run takes their rows away.\n",
            summary.deleted_meanwhile
        ))?;
    }
    if !summary.changed_since.is_empty() {
        print(&format!(
            "This was not the last run: somebody still serves this installation, and has changed {} since. Stop the service, and \
             run this again.\n",
            summary.changed_since.join(", ")
        ))?;
    }
    if !summary.is_complete() {
        return Ok(ExitCode::FAILURE);
    }
    if !last {
        print(
            "Every row and every file that was copied is the same. What happens here from now on is for another run: stop \
             the service, run this again with --last, and start it on the target.\n",
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
