//! Runs a task under its lease.

use std::time::Duration;

use storage::operations::maintenance::TaskRow;
use tracing::Instrument as _;

use super::schedule::Task;
use crate::operations::runtime::tasks;
use crate::{App, Result};

/// How a run ended.
enum Ended {
    Completed(Result<()>),
    /// Another process has the task.
    LeaseLost,
}

/// How long until the task is to be checked again: until it is due, or its holder's lease ends.
pub(super) async fn due_in(app: &App, task: Task) -> Result<Duration> {
    let (row, now) = (row(app, task).await?, app.queue.now().await?);
    Ok(row.map_or(Duration::ZERO, |row| row.due_in(task.interval(), app.queue.lease_duration, now)))
}

async fn row(app: &App, task: Task) -> Result<Option<TaskRow>> {
    Ok(storage::operations::maintenance::all(&app.db)
        .await?
        .into_iter()
        .find(|row| row.task == task.as_str()))
}

/// Performs a task if it is due and no other process has leased it; false otherwise. The lease is renewed meanwhile. A
/// failure, and a panic, is recorded with the task, which then runs again sooner.
pub(super) async fn run_if_due(
    app: &App,
    task: Task,
    work: impl Future<Output = Result<()>> + Send + 'static,
) -> Result<bool> {
    let (name, lease, now) = (task.as_str(), app.randomness.alphanumeric(20), app.queue.now().await?);
    let until = now.plus(app.queue.lease_duration);
    if !storage::operations::maintenance::claim(&app.db, name, &lease, task.interval(), now, until).await? {
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
    let (name, now) = (task.as_str(), app.queue.now().await?);
    match ended {
        Ended::Completed(Ok(())) => {
            let next = now.plus(task.interval());
            storage::operations::maintenance::succeed(&app.db, name, lease, now, next).await?;
        }
        Ended::Completed(Err(failure)) => {
            let failures = row(app, task).await?.map_or(0, |row| row.failures) + 1;
            let reason = failure.chain();
            tracing::error!(error = reason, failures, "a maintenance task failed");
            let next = now.plus(task.retry_after(failures));
            storage::operations::maintenance::fail(&app.db, name, lease, &reason, now, next).await?;
        }
        Ended::LeaseLost => tracing::warn!("the lease of a maintenance task was lost"),
    }
    Ok(())
}

async fn renew_until_lost(app: &App, task: Task, lease: &str) {
    loop {
        tokio::time::sleep(app.queue.renewal_interval()).await;
        match renew(app, task, lease).await {
            Ok(true) => {}
            Ok(false) => return,
            // The database may come back before the lease expires.
            Err(failure) => tracing::warn!(error = failure.chain(), "a lease could not be renewed"),
        }
    }
}

async fn renew(app: &App, task: Task, lease: &str) -> Result<bool> {
    let until = app.queue.now().await?.plus(app.queue.lease_duration);
    Ok(storage::operations::maintenance::renew(&app.db, task.as_str(), lease, until).await?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::{Clock, DAY, Timestamp};

    use super::super::schedule::Task;
    use crate::operations::runtime::queue::TimeSource;
    use crate::{App, Parts};

    async fn app(db: &storage::Db, clock: Timestamp, incoming: &std::path::Path) -> App {
        let parts = Parts { clock: Clock::fixed(clock), ..crate::testing::parts(db.clone(), incoming) };
        let mut app = App::new(parts).await.unwrap();
        app.state_mut().queue.time = TimeSource::Database;
        app
    }

    async fn ran(app: &App) -> bool {
        super::run_if_due(app, Task::ResumeDeletions, std::future::ready(Ok(()))).await.unwrap()
    }

    #[tokio::test]
    async fn a_machine_whose_clock_is_off_takes_no_lease_that_is_held_and_runs_nothing_early_or_late() {
        let (database, incoming) = (storage::testing::postgres().await, tempfile::tempdir().unwrap());
        let db = &database.db;
        let actual = storage::operations::runtime::clock::of_postgres(db).await.unwrap();
        let ahead = app(db, actual.plus(DAY), incoming.path()).await;
        let behind = app(db, actual.minus(DAY), incoming.path()).await;
        let (task, interval) = (Task::ResumeDeletions.as_str(), Task::ResumeDeletions.interval());
        let until = actual.plus(Duration::from_secs(60));
        assert!(
            storage::operations::maintenance::claim(db, task, "another's", interval, actual, until)
                .await
                .unwrap()
        );
        assert!(!ran(&ahead).await, "another holds the lease");
        assert!(
            storage::operations::maintenance::succeed(db, task, "another's", actual, actual).await.unwrap()
        );
        assert!(ran(&behind).await, "it is due");
        assert!(!ran(&ahead).await, "it has just run");
        let stored = storage::operations::maintenance::all(db).await.unwrap();
        let expected = actual.plus(Task::ResumeDeletions.interval());
        assert!(stored[0].run_at.since(expected) < Duration::from_secs(60));
        assert!(stored[0].run_at >= expected);
    }
}
