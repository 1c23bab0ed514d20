//! The job runner: claims jobs by lease, does them outside any transaction, settles them.

use std::time::Duration;

use domain::jobs::{Queue, backoff};
use domain::{Job, JobId, Timestamp};
use storage::Tx;
use storage::jobs::ClaimedJob;
use tokio_util::sync::CancellationToken;

use crate::{
    App, Failure, Result, accounts, deletions, indexing, maintenance, messages, passwords, profiles,
    retention,
};

/// How long an idle worker waits at most before it looks again for jobs that other machines have added.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Adds a job to the caller's transaction; its id is its handle.
pub(crate) async fn enqueue(app: &App, tx: &mut Tx, job: &Job) -> Result<JobId> {
    let (id, now) = (app.id::<JobId>(), app.now());
    storage::jobs::enqueue(tx, id, job, now, now).await?;
    Ok(id)
}

/// Performs jobs and runs maintenance until `stop` is cancelled; then each worker finishes the job it has in hand.
pub async fn run(app: &App, stop: CancellationToken) {
    let mut workers = tokio::task::JoinSet::new();
    for queue in Queue::ALL {
        for _ in 0..concurrency(app, queue) {
            workers.spawn(work(app.clone(), queue, stop.clone()));
        }
    }
    let app = app.clone();
    workers.spawn(async move { maintenance::run(&app, stop).await });
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a worker ended early");
        }
    }
}

/// How many jobs of a queue one process performs at once.
fn concurrency(app: &App, queue: Queue) -> usize {
    match queue {
        Queue::Cpu => app.settings.index_workers.max(1),
        Queue::Mail | Queue::Io => 1,
    }
}

async fn work(app: App, queue: Queue, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let added = app.job_added.notified();
        match step(&app, queue).await {
            Ok(true) => {}
            Ok(false) => {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = added => {}
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            }
            Err(failure) => {
                tracing::error!(error = failure.chain(), "the job queue cannot be worked on");
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = tokio::time::sleep(POLL_INTERVAL * 5) => {}
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
    'attempts: loop {
        for queue in Queue::ALL {
            if step(app, queue).await? {
                done += 1;
                continue 'attempts;
            }
        }
        return Ok(done);
    }
}

/// Claims one job that is due, does it and settles it; false when none is due.
async fn step(app: &App, queue: Queue) -> Result<bool> {
    let lease = app.randomness.word(20);
    let now = app.now();
    let Some(claimed) = storage::jobs::claim(&app.db, &queue.kinds(), &lease, now, now.plus(LEASE)).await?
    else {
        return Ok(false);
    };
    finish(app, &LeasedJob { claimed, lease }).await?;
    Ok(true)
}

/// A job that this process does.
pub(crate) struct LeasedJob {
    claimed: ClaimedJob,
    lease: String,
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done.
    Done,
    /// It failed and is tried again.
    Retrying,
    /// It failed and is not tried again.
    Failed,
    /// Another worker has it now and does it again; jobs are idempotent.
    Lost,
}

impl Outcome {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Retrying => "retrying",
            Self::Failed => "failed",
            Self::Lost => "lost",
        }
    }
}

/// Adds a job to the caller's transaction which the caller does itself with [`attempt`], once that is committed.
pub(crate) async fn enqueue_leased(app: &App, tx: &mut Tx, job: &Job) -> Result<LeasedJob> {
    let (id, now, lease) = (app.id::<JobId>(), app.now(), app.randomness.word(20));
    let claimed = storage::jobs::enqueue_leased(tx, id, job, &lease, now, now.plus(LEASE)).await?;
    Ok(LeasedJob { claimed, lease })
}

/// Does a held job and waits for it, but not for ever: nothing when it takes longer than `patience`. It goes on by
/// itself then, and also when whoever waits goes away.
pub(crate) async fn attempt(app: &App, held: LeasedJob, patience: Duration) -> Option<Outcome> {
    let app = app.clone();
    let attempt = tokio::spawn(async move { finish(&app, &held).await });
    match tokio::time::timeout(patience, attempt).await.ok()?.ok()? {
        Ok(outcome) => Some(outcome),
        Err(failure) => {
            // The lease runs out, and a worker does it.
            tracing::error!(error = failure.chain(), "a job could not be settled");
            None
        }
    }
}

/// Does a job and settles it.
async fn finish(app: &App, held: &LeasedJob) -> Result<Outcome> {
    let LeasedJob { claimed, lease } = held;
    let started = std::time::Instant::now();
    let performed = {
        let renewing = renew(app, claimed.id, lease);
        let performing = perform(app, claimed);
        tokio::pin!(renewing, performing);
        tokio::select! {
            performed = &mut performing => Some(performed),
            () = &mut renewing => None,
        }
    };
    let outcome = match performed {
        Some(performed) => settle(app, claimed, lease, performed).await?,
        None => {
            tracing::warn!(job = %claimed.id, "the lease was lost");
            Outcome::Lost
        }
    };
    let kind = claimed.job.kind();
    app.metrics.record_attempt(kind, outcome.as_str());
    tracing::debug!(job = %claimed.id, kind = kind.as_str(), ?outcome, ms = started.elapsed().as_millis(), "did a job");
    Ok(outcome)
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
        // The task's status says that it failed, and maintenance queues both again.
        Job::DeleteEvent { .. } | Job::ClearAccount { .. } => Ok(()),
    }
}

async fn settle(app: &App, claimed: &ClaimedJob, lease: &str, performed: Result<()>) -> Result<Outcome> {
    let now = app.now();
    let failure = match performed {
        Ok(()) => {
            let mut tx = app.db.begin().await?;
            let held = storage::jobs::complete(&mut tx, claimed.id, lease, now).await?;
            tx.commit().await?;
            return Ok(if held { Outcome::Done } else { Outcome::Lost });
        }
        Err(failure) => failure,
    };
    let reason = failure.chain();
    let last = claimed.attempts >= claimed.job.kind().max_attempts() || is_permanent(&failure);
    tracing::warn!(job = %claimed.id, kind = claimed.job.kind().as_str(), attempt = claimed.attempts, last, reason, "a job failed");
    if last {
        abandon(app, &claimed.job, &reason).await?;
    }
    let mut tx = app.db.begin().await?;
    let held = if last {
        storage::jobs::fail(&mut tx, claimed.id, lease, &reason, now).await?
    } else {
        storage::jobs::retry(&mut tx, claimed.id, lease, &reason, again_at(now, claimed.attempts)).await?
    };
    tx.commit().await?;
    Ok(match (held, last) {
        (false, _) => Outcome::Lost,
        (true, true) => Outcome::Failed,
        (true, false) => Outcome::Retrying,
    })
}

fn again_at(now: Timestamp, attempts: i64) -> Timestamp {
    now.plus(backoff(attempts))
}

/// Whether trying again cannot help.
fn is_permanent(failure: &Failure) -> bool {
    matches!(failure, Failure::Mail(gateway::MailError::Permanent(_)))
}
