//! The job runner: claims jobs by lease, does them outside any transaction, settles them.

use std::time::Duration;

use domain::jobs::backoff;
use domain::{Job, JobId, Timestamp};
use storage::Tx;
use storage::jobs::ClaimedJob;
use tokio_util::sync::CancellationToken;

use crate::{
    App, Failure, Result, accounts, chores, deletions, indexing, messages, passwords, profiles, retention,
};

/// How long an idle worker waits at most before it looks again for jobs that other machines have added.
const IDLE: Duration = Duration::from_secs(1);
/// The kinds that need much computing; the others must not wait behind them.
const HEAVY: &[&str] = &["index_photo"];
const LIGHT: &[&str] =
    &["send_verification", "notice_email_change", "send_password_reset", "send_message", "warn_of_removal"];
/// The kinds that take long and mostly wait for the media store.
const LONG: &[&str] = &["delete_event", "clear_account"];

/// Adds a job to the caller's transaction; its id is its handle.
pub(crate) async fn push(app: &App, tx: &mut Tx, job: &Job) -> Result<JobId> {
    let (id, now) = (app.id::<JobId>(), app.now());
    storage::jobs::push(tx, id, job, now, now).await?;
    Ok(id)
}

/// Does jobs until `stop` is cancelled: as many heavy ones at a time as the settings say, one light one and one long
/// one; and the chores between.
///
/// On the way out each worker finishes the job it has in hand.
pub async fn run(app: &App, stop: CancellationToken) {
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..app.settings.index_workers.max(1) {
        workers.spawn(work(app.clone(), HEAVY, stop.clone()));
    }
    workers.spawn(work(app.clone(), LIGHT, stop.clone()));
    workers.spawn(work(app.clone(), LONG, stop.clone()));
    let app = app.clone();
    workers.spawn(async move { chores::run(&app, stop).await });
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a worker ended early");
        }
    }
}

async fn work(app: App, kinds: &'static [&'static str], stop: CancellationToken) {
    while !stop.is_cancelled() {
        let added = app.inner.job_added.notified();
        match step(&app, kinds).await {
            Ok(true) => {}
            Ok(false) => {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = added => {}
                    () = tokio::time::sleep(IDLE) => {}
                }
            }
            Err(failure) => {
                tracing::error!(error = failure.chain(), "the job queue cannot be worked on");
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = tokio::time::sleep(IDLE * 5) => {}
                }
            }
        }
    }
}

/// Does every job that is due, one after the other, and says how many that were; for tests.
///
/// # Errors
/// When the queue itself cannot be read or written; a job that fails is settled, not an error.
pub async fn drain(app: &App) -> Result<usize> {
    let mut done = 0;
    while step(app, HEAVY).await? || step(app, LIGHT).await? || step(app, LONG).await? {
        done += 1;
    }
    Ok(done)
}

/// Claims one job that is due, does it and settles it; false when none is due.
async fn step(app: &App, kinds: &[&str]) -> Result<bool> {
    let lease = app.randomness.word(20);
    let now = app.now();
    let Some(claimed) = storage::jobs::claim(&app.db, kinds, &lease, now, now.plus(LEASE)).await? else {
        return Ok(false);
    };
    let started = std::time::Instant::now();
    let outcome = {
        let renewing = renew(app, claimed.id, &lease);
        let performing = perform(app, &claimed);
        tokio::pin!(renewing, performing);
        tokio::select! {
            outcome = &mut performing => outcome,
            () = &mut renewing => {
                // Another worker has it now and will do it again; jobs are idempotent.
                app.metrics.attempted(claimed.job.kind(), "lost");
                tracing::warn!(job = %claimed.id, "the lease was lost");
                return Ok(true);
            }
        }
    };
    settle(app, &claimed, &lease, outcome).await?;
    tracing::debug!(job = %claimed.id, kind = claimed.job.kind(), ms = started.elapsed().as_millis(), "did a job");
    Ok(true)
}

/// How long a worker holds a job without renewing its lease.
const LEASE: Duration = Duration::from_secs(60);

/// Keeps the lease alive; ends only when it is lost.
async fn renew(app: &App, id: JobId, lease: &str) {
    loop {
        tokio::time::sleep(LEASE / 3).await;
        match storage::jobs::renew(&app.db, id, lease, app.now().plus(LEASE)).await {
            Ok(true) => {}
            Ok(false) => return,
            // The database may come back before the lease runs out.
            Err(error) => {
                tracing::warn!(job = %id, error = crate::failure::chain(&error), "a lease could not be renewed")
            }
        }
    }
}

/// What each job does: the one place that knows.
async fn perform(app: &App, claimed: &ClaimedJob) -> Result<()> {
    match &claimed.job {
        Job::IndexPhoto { photo } => indexing::index(app, *photo).await,
        Job::SendVerification { user } => accounts::send_verification(app, *user, claimed.id).await,
        Job::NoticeEmailChange { user, email } => {
            profiles::notice_email_change(app, *user, email, claimed.id).await
        }
        Job::SendPasswordReset { user } => passwords::send_reset(app, *user, claimed.id).await,
        Job::SendMessage { message } => messages::forward(app, *message, claimed.id).await,
        Job::WarnOfRemoval { event, at } => retention::warn(app, *event, *at, claimed.id).await,
        Job::DeleteEvent { event } => deletions::finish_event(app, *event).await,
        Job::ClearAccount { user } => deletions::clear_account(app, *user).await,
    }
}

/// What happens to a job that will not be tried again.
async fn abandon(app: &App, job: &Job, reason: &str) -> Result<()> {
    match job {
        Job::IndexPhoto { photo } => indexing::give_up(app, *photo, reason).await,
        // The person asks for another mail.
        Job::SendVerification { .. } | Job::SendPasswordReset { .. } => Ok(()),
        // Nothing else depends on these mails; the message stays in the database, and the log says so.
        Job::NoticeEmailChange { .. } | Job::SendMessage { .. } | Job::WarnOfRemoval { .. } => Ok(()),
        // A task says that it failed, and the chores begin both again.
        Job::DeleteEvent { .. } | Job::ClearAccount { .. } => Ok(()),
    }
}

async fn settle(app: &App, claimed: &ClaimedJob, lease: &str, outcome: Result<()>) -> Result<()> {
    let now = app.now();
    let failure = match outcome {
        Ok(()) => {
            let mut tx = app.db.begin().await?;
            storage::jobs::complete(&mut tx, claimed.id, lease, now).await?;
            tx.commit().await?;
            app.metrics.attempted(claimed.job.kind(), "done");
            return Ok(());
        }
        Err(failure) => failure,
    };
    let reason = failure.chain();
    let last = claimed.attempts >= claimed.job.max_attempts() || is_permanent(&failure);
    tracing::warn!(job = %claimed.id, kind = claimed.job.kind(), attempt = claimed.attempts, last, reason, "a job failed");
    app.metrics.attempted(claimed.job.kind(), if last { "given_up" } else { "put_off" });
    if last {
        abandon(app, &claimed.job, &reason).await?;
    }
    let mut tx = app.db.begin().await?;
    if last {
        storage::jobs::give_up(&mut tx, claimed.id, lease, &reason, now).await?;
    } else {
        storage::jobs::retry(&mut tx, claimed.id, lease, &reason, again_at(now, claimed.attempts)).await?;
    }
    Ok(tx.commit().await?)
}

fn again_at(now: Timestamp, attempts: i64) -> Timestamp {
    now.plus(backoff(attempts))
}

/// Whether trying again cannot help.
fn is_permanent(failure: &Failure) -> bool {
    matches!(failure, Failure::Mail(gateway::MailError::Permanent(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_workers_of_one_sort() {
        let mut worked: Vec<&str> = [HEAVY, LIGHT, LONG].concat();
        worked.sort_unstable();
        let mut kinds = Job::KINDS;
        kinds.sort_unstable();
        assert_eq!(worked, kinds);
    }
}
