//! `afterglow job`.

use api::operations::administration::{FailedJobBody, JobKindBody};
use app::operations::administration::Administration;
use app::operations::administration::jobs::{self, Backlog, FailedJob, Retried};
use domain::Refusal;

use crate::cli::{CliError, print, print_json};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with jobs.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List how many jobs of each kind wait, run and have failed; or the failed ones, oldest first.
    List {
        /// The failed ones, with the error of each.
        #[arg(long)]
        failed: bool,
        /// Failed ones of this kind alone.
        #[arg(long, requires = "failed")]
        kind: Option<String>,
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Try a failed job again, or all of a kind; a worker does.
    Retry {
        /// The job's id, as `job list --failed` prints it.
        #[arg(required_unless_present = "kind", conflicts_with = "kind")]
        id: Option<String>,
        /// Every failed job of this kind.
        #[arg(long)]
        kind: Option<String>,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let administration = context.administration();
    match command {
        Command::List { failed: true, kind, json } => {
            let failed = all_failed(&administration, kind.as_deref()).await?;
            if json {
                return print_json(&failed.into_iter().map(FailedJobBody::from).collect::<Vec<_>>());
            }
            if failed.is_empty() {
                return print("No job has failed.\n");
            }
            print(&failed.iter().map(failed_line).collect::<String>())
        }
        Command::List { failed: false, kind: _, json } => {
            let kinds = jobs::backlog(&administration).await?;
            if json {
                return print_json(&kinds.into_iter().map(JobKindBody::from).collect::<Vec<_>>());
            }
            if kinds.is_empty() {
                return print("No job waits, runs or has failed.\n");
            }
            print(&kinds.iter().map(kind_line).collect::<String>())
        }
        Command::Retry { id, kind } => {
            let retried = match (id, kind) {
                (_, Some(kind)) => retry_kind(&administration, &kind).await?,
                (id, None) => {
                    let id = id.unwrap_or_default().parse().map_err(|_| Refusal::FailedJobNotFound)?;
                    jobs::retry(&administration, id).await?;
                    1
                }
            };
            print(&match retried {
                0 => String::from("No job of this kind has failed.\n"),
                1 => String::from("1 job is queued again. It needs a worker.\n"),
                _ => format!("{retried} jobs are queued again. They need a worker.\n"),
            })
        }
    }
}

async fn retry_kind(administration: &Administration, kind: &str) -> Result<usize, CliError> {
    let mut all = 0;
    loop {
        let Retried { jobs, is_more } = jobs::retry_kind(administration, kind).await?;
        all += jobs;
        if !is_more {
            return Ok(all);
        }
    }
}

async fn all_failed(administration: &Administration, kind: Option<&str>) -> Result<Vec<FailedJob>, CliError> {
    let (mut all, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = jobs::failed(administration, kind, Some(100), cursor.as_deref()).await?;
        all.extend(page.jobs);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(all);
        }
    }
}

fn kind_line(Backlog { kind, waiting, running, failed, oldest }: &Backlog) -> String {
    let oldest = oldest.map(|age| format!(", the oldest for {} seconds", age.as_secs())).unwrap_or_default();
    format!("{kind}: {waiting} waiting{oldest}, {running} running, {failed} failed\n")
}

fn failed_line(FailedJob { row, photo }: &FailedJob) -> String {
    let failed_at = row.finished_at.unwrap_or(row.created_at).to_rfc3339();
    let photo = photo.map(|photo| format!("  photo {photo}")).unwrap_or_default();
    let error = row.last_error.as_deref().unwrap_or("unknown");
    format!("{failed_at}  {}  {}  {} attempts{photo}: {error}\n", row.id, row.kind, row.attempts)
}
