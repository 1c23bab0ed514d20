//! Jobs that wait, run, and have failed, which can be tried again.

use std::time::Duration;

use domain::operations::runtime::jobs::JobKind;
use domain::operations::runtime::pages::PageSize;
use domain::{Job, JobId, PhotoId, Refusal};
use storage::operations::runtime::jobs::{JobRow, JobState};

use super::context::Administration;
use crate::Result;
use crate::accounts::security_log::SecurityEvent;

/// Failed jobs on a page when the request says nothing, and at most.
const PAGE: PageSize = PageSize { default: 50, most: 100 };
/// How many failed jobs one call tries again.
const TRIED_AT_ONCE: usize = 2_000;
/// How many are read at once.
const BATCH: i64 = 200;

/// How many jobs of a kind there are.
pub struct Backlog {
    /// The kind, as it is stored.
    pub kind: String,
    /// Those that wait.
    pub waiting: i64,
    /// Those that run.
    pub running: i64,
    /// Those that failed.
    pub failed: i64,
    /// For how long the oldest that waits has been due; none when none waits.
    pub oldest: Option<Duration>,
}

/// The jobs by kind; kinds without jobs are left out.
pub async fn backlog(administration: &Administration) -> Result<Vec<Backlog>> {
    let now = administration.queue.now().await?;
    let kinds = storage::operations::runtime::jobs::backlog(&administration.db, now).await?;
    let shown = kinds.into_iter().map(|backlog| Backlog {
        kind: backlog.kind,
        waiting: backlog.queued,
        running: backlog.running,
        failed: backlog.failed,
        oldest: backlog.oldest_run_at.map(|due| now.since(due)),
    });
    Ok(shown.collect())
}

/// A job that has failed.
pub struct FailedJob {
    /// The job.
    pub row: JobRow,
    /// The photo that it is about.
    pub photo: Option<PhotoId>,
}

/// A page of failed jobs, oldest first.
pub struct Page {
    /// The jobs.
    pub jobs: Vec<FailedJob>,
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A page of the failed jobs, of one kind or of all.
///
/// # Errors
/// [`Refusal::JobKindUnknown`], or [`Refusal::CursorInvalid`] for a mark that was not given out.
pub async fn failed(
    administration: &Administration,
    kind: Option<&str>,
    limit: Option<u32>,
    cursor: Option<&str>,
) -> Result<Page> {
    let kind = kind.map(parse_kind).transpose()?;
    let after: Option<JobId> = cursor.map(str::parse).transpose().map_err(|_| Refusal::CursorInvalid)?;
    let limit = PAGE.of(limit)?;
    let (db, rows) = (&administration.db, i64::from(limit) + 1);
    let mut jobs = match kind {
        Some(kind) => storage::operations::runtime::jobs::failed_of_kind(db, kind, after, rows).await?,
        None => storage::operations::runtime::jobs::in_state(db, JobState::Failed, after, rows).await?,
    };
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let is_more = jobs.len() > wanted;
    jobs.truncate(wanted);
    let next_cursor = jobs.last().filter(|_| is_more).map(|last| last.id.to_string());
    let jobs = jobs.into_iter().map(|row| FailedJob { photo: row.job.as_ref().and_then(Job::photo), row });
    Ok(Page { jobs: jobs.collect(), next_cursor })
}

fn parse_kind(text: &str) -> Result<JobKind> {
    let known = JobKind::ALL.iter().copied().find(|kind| kind.as_str() == text);
    Ok(known.ok_or(Refusal::JobKindUnknown)?)
}

/// Queues a failed job again, as if it were new.
///
/// # Errors
/// [`Refusal::FailedJobNotFound`]
pub async fn retry(administration: &Administration, id: JobId) -> Result<()> {
    let found = storage::operations::runtime::jobs::by_id(&administration.db, id).await?;
    let failed = found.filter(|row| row.state == JobState::Failed).ok_or(Refusal::FailedJobNotFound)?;
    if !queue_again(administration, &failed).await? {
        return Err(Refusal::FailedJobNotFound.into());
    }
    administration.record(SecurityEvent::JobsTriedAgain, None);
    Ok(())
}

/// What became of the failed jobs of a kind.
pub struct Retried {
    /// How many are queued again.
    pub jobs: usize,
    /// Whether there may be more, for another call.
    pub is_more: bool,
}

/// Queues the failed jobs of a kind again, 2,000 at most.
///
/// # Errors
/// [`Refusal::JobKindUnknown`]; when the database fails, what was queued by then stays so.
pub async fn retry_kind(administration: &Administration, kind: &str) -> Result<Retried> {
    let kind = parse_kind(kind)?;
    let (mut jobs, mut after) = (0, None);
    let is_more = loop {
        if jobs >= TRIED_AT_ONCE {
            break true;
        }
        let failed =
            storage::operations::runtime::jobs::failed_of_kind(&administration.db, kind, after, BATCH)
                .await?;
        let Some(last) = failed.last() else { break false };
        after = Some(last.id);
        for row in &failed {
            jobs += usize::from(queue_again(administration, row).await?);
        }
    };
    if jobs > 0 {
        administration.record(SecurityEvent::JobsTriedAgain, None);
    }
    Ok(Retried { jobs, is_more })
}

/// False for a job that this version cannot read, or that somebody has queued meanwhile.
async fn queue_again(administration: &Administration, row: &JobRow) -> Result<bool> {
    let Some(job) = &row.job else { return Ok(false) };
    let mut tx = administration.queue.begin().await?;
    let is_queued = match job {
        // The photo waits again too.
        Job::IndexPhoto { photo } => tx.index_again(*photo).await.map(|()| true)?,
        other => tx.requeue(row.id, other).await?,
    };
    tx.commit().await?;
    Ok(is_queued)
}
