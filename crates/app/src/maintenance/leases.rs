//! Runs a task under its lease.

use std::time::Duration;

use domain::Timestamp;
use storage::maintenance::TaskRow;
use tracing::Instrument as _;

use super::schedule::Task;
use crate::{App, Result, tasks};

/// How a run ended.
enum Ended {
    Completed(Result<()>),
    /// Another process has the task.
    LeaseLost,
}

/// How long until the task is to be checked again: until it is due, or its holder's lease ends.
pub(super) async fn due_in(app: &App, task: Task) -> Result<Duration> {
    let row = row(app, task).await?;
    let free_at = row.map(|row| row.run_at.max(row.leased_until.unwrap_or(row.run_at)));
    Ok(free_at.map_or(Duration::ZERO, |at| at.since(app.now())))
}

async fn row(app: &App, task: Task) -> Result<Option<TaskRow>> {
    Ok(storage::maintenance::all(&app.db).await?.into_iter().find(|row| row.task == task.as_str()))
}

/// Performs a task if it is due and no other process has leased it; false otherwise. The lease is renewed meanwhile. A
/// failure, and a panic, is recorded with the task, which then runs again sooner.
pub(super) async fn run_if_due(
    app: &App,
    task: Task,
    work: impl Future<Output = Result<()>> + Send + 'static,
) -> Result<bool> {
    let (name, lease, now) = (task.as_str(), app.randomness.alphanumeric(20), app.now());
    let until = now.plus(app.queue.lease_duration);
    if !due_in(app, task).await?.is_zero()
        || !storage::maintenance::claim(&app.db, name, &lease, now, until).await?
    {
        return Ok(false);
    }
    let span = tracing::info_span!("maintenance", task = name);
    perform_and_settle(app, task, &lease, work).instrument(span).await?;
    Ok(true)
}

async fn perform_and_settle(
    app: &App,
    task: Task,
    lease: &str,
    work: impl Future<Output = Result<()>> + Send + 'static,
) -> Result<()> {
    let mut running = tasks::spawn(work);
    let ended = tokio::select! {
        performed = tasks::join(&mut running) => Ended::Completed(performed),
        () = renew_until_lost(app, task, lease) => {
            running.shutdown().await;
            Ended::LeaseLost
        }
    };
    let (name, now): (_, Timestamp) = (task.as_str(), app.now());
    match ended {
        Ended::Completed(Ok(())) => {
            let next = now.plus(task.interval());
            storage::maintenance::succeed(&app.db, name, lease, now, next).await?;
        }
        Ended::Completed(Err(failure)) => {
            let failures = row(app, task).await?.map_or(0, |row| row.failures) + 1;
            let reason = failure.chain();
            tracing::error!(error = reason, failures, "a maintenance task failed");
            let next = now.plus(task.retry_after(failures));
            storage::maintenance::fail(&app.db, name, lease, &reason, now, next).await?;
        }
        Ended::LeaseLost => tracing::warn!("the lease of a maintenance task was lost"),
    }
    Ok(())
}

async fn renew_until_lost(app: &App, task: Task, lease: &str) {
    loop {
        tokio::time::sleep(app.queue.renewal_interval()).await;
        let until = app.now().plus(app.queue.lease_duration);
        match storage::maintenance::renew(&app.db, task.as_str(), lease, until).await {
            Ok(true) => {}
            Ok(false) => return,
            // The database may come back before the lease expires.
            Err(error) => {
                tracing::warn!(error = crate::failure::chain(&error), "a lease could not be renewed")
            }
        }
    }
}
