//! Periodic maintenance: cleans up after crashes, removes what has expired, resumes what has failed.
//!
//! Each task runs by itself, at its own interval, in the one process that has the task's lease. A task that fails
//! or panics stops no other. Running one twice changes nothing more.

mod leases;
mod schedule;

use std::collections::HashSet;
use std::time::Duration;

use domain::guests::subscriptions::{CONFIRMATION_LIFETIME, LIFETIME};
use domain::{DAY, EventId, Job};
use storage::operations::runtime::jobs::JobState;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::accounts::{self, password_attempts};
use crate::events::{recently_deleted, retention};
use crate::faces::people;
use crate::guests::{guest_photos, objections, subscriptions};
use crate::operations::runtime::tasks;
use crate::operations::{clock_watch, orphans};
use crate::photos::{appearance, captures, library_retention, redactions, stacks, trash};
use crate::studio::hosts;
use crate::uploads::resumable;
use crate::{App, Result, payments, statistics};
use schedule::Task;

/// How long a process waits at least, and at most, before it checks a task again.
const POLL_INTERVAL: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// How long a process waits between two checks of its own unfinished uploads.
const LOCAL_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Used links stay known for so long after they expire, so that they answer what they did.
const LINK_RETENTION: Duration = DAY.saturating_mul(30);
/// Done jobs, sent messages, handled webhook events and messages to webhooks are retained for so long.
const RECORD_RETENTION: Duration = DAY.saturating_mul(30);
/// Jobs that are read in one query.
const JOBS: i64 = 500;

/// Runs each task whenever it is due until `stop` is cancelled; then those that run are finished.
pub async fn run(app: &App, stop: CancellationToken) {
    let mut loops = JoinSet::new();
    for task in Task::ALL {
        loops.spawn(run_periodically(app.clone(), *task, stop.clone()));
    }
    loops.spawn(remove_stale_uploads_periodically(app.clone(), stop.clone()));
    let app = app.clone();
    loops.spawn(async move { clock_watch::run(&app, stop).await });
    while let Some(ended) = loops.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a loop of maintenance ended early");
        }
    }
}

async fn run_periodically(app: App, task: Task, stop: CancellationToken) {
    let (shortest, longest) = POLL_INTERVAL;
    while !stop.is_cancelled() {
        let wait = match run_if_due(&app, task).await {
            Ok(_) => leases::due_in(&app, task).await.map(|wait| match wait.max(allowed_in(&app, task)) {
                // It is due, and held.
                Duration::ZERO => longest,
                wait => wait,
            }),
            failed => failed.map(|_| longest),
        };
        let wait = wait.unwrap_or_else(|failure| {
            tracing::error!(
                task = task.as_str(),
                error = failure.chain(),
                "a maintenance task cannot be leased"
            );
            longest
        });
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(wait.clamp(shortest, longest)) => {}
        }
    }
}

async fn run_if_due(app: &App, task: Task) -> Result<bool> {
    if !allowed_in(app, task).is_zero() || !leases::due_in(app, task).await?.is_zero() {
        return Ok(false);
    }
    if task.removes() && !clock_watch::allows_removals(app).await? {
        return Ok(false);
    }
    leases::run_if_due(app, task, perform(app.clone(), task)).await
}

/// How long until this process may run a task: what removes files waits.
fn allowed_in(app: &App, task: Task) -> Duration {
    match task {
        Task::SweepStore | Task::EmptyTrash | Task::RemoveUnfinished => orphans::allowed_in(app),
        Task::ResumeDeletions
        | Task::ResumeClearings
        | Task::WarnOfRemovals
        | Task::RemoveExpired
        | Task::DeleteExpiredRows
        | Task::ForgetRequests
        | Task::ReconcilePayments
        | Task::ComparePayments
        | Task::TellGuests
        | Task::SendSummaries
        | Task::RemindOfRequests
        | Task::RemoveGuestPhotos
        | Task::GroupFaces
        | Task::LookForHosts
        | Task::TruncateLog
        | Task::StackPhotos
        | Task::RedactOriginals
        | Task::DescribePhotos
        | Task::EmptyPhotoTrash => Duration::ZERO,
    }
}

/// Runs every task that is due, all at once, and answers how many those were; for tests.
///
/// # Errors
/// When a task cannot be leased; one that fails is recorded, not an error.
pub async fn run_due(app: &App) -> Result<usize> {
    // As the loop beside the tasks does.
    clock_watch::observe(app, false).await?;
    let ran = futures::future::try_join_all(Task::ALL.iter().map(|task| run_if_due(app, *task))).await?;
    Ok(ran.into_iter().filter(|ran| *ran).count())
}

/// Runs every task once, whether it is due or not; for tests.
///
/// # Errors
/// The first failure; the other tasks are run all the same.
pub async fn all(app: &App) -> Result<()> {
    let mut outcome = Ok(());
    for task in Task::ALL {
        outcome = outcome.and(tasks::isolated(perform(app.clone(), *task)).await);
    }
    outcome.and(remove_stale_uploads(app).await.map(|_| ()))
}

/// What each task does: the one place that knows.
async fn perform(app: App, task: Task) -> Result<()> {
    match task {
        Task::ResumeDeletions => {
            resume_deletions(&app).await?;
            recently_deleted::resume(&app).await
        }
        Task::ResumeClearings => resume_clearings(&app).await,
        Task::WarnOfRemovals => {
            retention::enqueue_warnings(&app).await?;
            library_retention::enqueue_warnings(&app).await
        }
        Task::RemoveExpired => {
            retention::remove_due(&app).await?;
            library_retention::remove_due(&app).await
        }
        Task::DeleteExpiredRows => delete_expired_rows(&app).await,
        Task::ForgetRequests => app.shared_limits.delete_expired().await,
        Task::ReconcilePayments => payments::reconcile(&app).await,
        Task::ComparePayments => payments::comparison::compare_lately(&app).await,
        Task::TruncateLog => truncate_log(&app).await,
        Task::TellGuests => subscriptions::telling::enqueue_due(&app).await,
        Task::SendSummaries => statistics::weekly::enqueue_due(&app).await,
        Task::RemindOfRequests => objections::mails::remind(&app).await,
        Task::RemoveGuestPhotos => guest_photos::remove_due(&app).await,
        Task::LookForHosts => hosts::look_again(&app).await,
        Task::GroupFaces => people::grouping::group_due(&app).await,
        Task::StackPhotos => stacks::stack_due(&app).await,
        Task::RedactOriginals => redactions::compute_missing(&app).await,
        Task::EmptyPhotoTrash => {
            recently_deleted::purge_due(&app).await?;
            trash::remove_due(&app).await?;
            retention::forget_guests(&app).await
        }
        Task::DescribePhotos => {
            captures::fold_names(&app).await?;
            captures::focus_faces(&app).await?;
            captures::read_missing(&app).await?;
            appearance::measure_missing(&app).await
        }
        Task::SweepStore => orphans::sweep(&app).await.map(|_| ()),
        Task::EmptyTrash => orphans::empty_trash(&app).await,
        Task::RemoveUnfinished => orphans::remove_unfinished(&app).await,
    }
}

async fn truncate_log(app: &App) -> Result<()> {
    if !app.db.truncate_log().await? {
        tracing::debug!("the log of the database is in use; it is truncated later");
    }
    Ok(())
}

/// The unfinished uploads are on the disk of each machine, so that each process removes its own.
async fn remove_stale_uploads_periodically(app: App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(failure) = remove_stale_uploads(&app).await {
            tracing::error!(error = failure.chain(), "unfinished uploads could not be removed");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(LOCAL_INTERVAL) => {}
        }
    }
}

async fn remove_stale_uploads(app: &App) -> Result<u64> {
    if !clock_watch::allows_removals(app).await? {
        return Ok(0);
    }
    let before = app.now().minus(orphans::ORPHAN_GRACE);
    let removed = media::temp_files::remove_stale(&app.settings.incoming_dir, before).await?;
    Ok(removed + resumable::remove_expired(app).await?)
}

/// Queues deletions again whose job failed or is lost.
async fn resume_deletions(app: &App) -> Result<()> {
    let stalled: HashSet<EventId> =
        storage::operations::integrity::stalled_deletions(&app.db).await?.into_iter().collect();
    if stalled.is_empty() {
        return Ok(());
    }
    for event in storage::events::being_deleted(&app.db).await? {
        if stalled.contains(&event.id) && crate::events::delete::resume(&app.queue, &event).await? {
            tracing::warn!(event = %event.id, "a failed deletion is queued again");
        }
    }
    Ok(())
}

/// Queues failed clearings of closed accounts again: the person has requested the deletion, however long the store was unavailable.
async fn resume_clearings(app: &App) -> Result<()> {
    let mut after = None;
    loop {
        let failed =
            storage::operations::runtime::jobs::in_state(&app.db, JobState::Failed, after, JOBS).await?;
        let Some(last) = failed.last() else { break };
        after = Some(last.id);
        for row in &failed {
            let Some(job @ Job::ClearAccount { .. }) = &row.job else { continue };
            let mut tx = app.begin().await?;
            if tx.requeue(row.id, job).await? {
                tx.commit().await?;
                tracing::warn!(job = %row.id, "a failed clearing of an account is queued again");
            }
        }
    }
    Ok(())
}

/// Deletes rows whose retention period is over.
async fn delete_expired_rows(app: &App) -> Result<()> {
    let now = app.now();
    let mut tx = app.begin().await?;
    storage::accounts::sessions::delete_expired(&mut tx, now).await?;
    storage::accounts::links::delete_expired(&mut tx, now.minus(LINK_RETENTION)).await?;
    storage::accounts::mail_requests::delete_before(&mut tx, now.minus(LINK_RETENTION)).await?;
    storage::accounts::known_networks::delete_before(&mut tx, now.minus(accounts::NETWORK_MEMORY)).await?;
    password_attempts::delete_forgotten(&mut tx, now).await?;
    storage::guests::archives::delete_expired(&mut tx, now).await?;
    storage::accounts::exports::delete_expired(&mut tx, now).await?;
    storage::team::delete_expired(&mut tx, now.minus(LINK_RETENTION)).await?;
    let (unconfirmed, confirmed) = (now.minus(CONFIRMATION_LIFETIME), now.minus(LIFETIME));
    storage::guests::subscriptions::delete_expired(&mut tx, unconfirmed, confirmed).await?;
    storage::guests::subscriptions::delete_expired_links(&mut tx, now.minus(LINK_RETENTION)).await?;
    storage::operations::runtime::jobs::delete_done(&mut tx, now.minus(RECORD_RETENTION)).await?;
    storage::operations::contact::delete_sent(&mut tx, now.minus(RECORD_RETENTION)).await?;
    storage::payments::notifications::delete_before(&mut tx, now.minus(RECORD_RETENTION)).await?;
    storage::payments::early_refunds::delete_before(&mut tx, now.minus(RECORD_RETENTION)).await?;
    storage::webhooks::deliveries::delete_before(&mut tx, now.minus(RECORD_RETENTION)).await?;
    storage::webhooks::counts::delete_before(&mut tx, now.minus(DAY)).await?;
    tx.commit().await
}
