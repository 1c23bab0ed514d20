//! The job queue: transactions that enqueue jobs, leases, and how attempts are settled.
//!
//! Nothing here knows what a job does; `worker.rs` does.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::ids::Id;
use domain::operations::runtime::jobs::{Isolation, JobKind, Queue, backoff};
use domain::photos::failures::FailureCause;
use domain::{Clock, Job, JobId, PhotoId, Randomness, Timestamp};
use storage::operations::runtime::jobs::{ClaimedJob, JobState};
use storage::{Db, Engine};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

use crate::{Failure, Result};

/// How long a lease lasts that is not renewed.
const LEASE: Duration = Duration::from_secs(60);

/// What says when a job or a task of maintenance is due, and when a lease expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeSource {
    /// The injected clock: nobody else's counts.
    Clock,
    /// PostgreSQL's clock: processes on several machines must agree.
    Database,
}

/// Where jobs are enqueued and leased; cheap to clone.
#[derive(Clone)]
pub(crate) struct JobQueue {
    db: Db,
    clock: Clock,
    pub(crate) time: TimeSource,
    randomness: Randomness,
    /// How long a lease lasts.
    pub(crate) lease_duration: Duration,
    /// Wakes the idle workers of this process, those of each queue by its place in [`Queue::ALL`].
    committed: Arc<[Notify; Queue::ALL.len()]>,
}

impl JobQueue {
    pub(crate) fn new(db: Db, clock: Clock, randomness: Randomness) -> Self {
        let time = match (&clock, db.engine()) {
            (Clock::System, Engine::Postgres) => TimeSource::Database,
            (Clock::System | Clock::Fixed(_), _) => TimeSource::Clock,
        };
        Self { db, clock, time, randomness, lease_duration: LEASE, committed: Arc::default() }
    }

    /// The same queue, which wakes the same workers, on other connections.
    pub(crate) fn with_connections(&self, db: Db) -> Self {
        Self { db, ..self.clone() }
    }

    /// Begins a transaction that may enqueue jobs.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        Ok(Tx { tx: self.db.begin().await?, queue: self.clone(), wakes: Vec::new(), completes: None })
    }

    /// The time by which jobs and tasks are due, and leases expire.
    pub(crate) async fn now(&self) -> Result<Timestamp> {
        match self.time {
            TimeSource::Clock => Ok(self.clock.now()),
            TimeSource::Database => Ok(storage::operations::runtime::clock::of_postgres(&self.db).await?),
        }
    }

    /// Completes when this process commits a job of a queue after this call.
    pub(crate) fn committed(&self, queue: Queue) -> Notified<'_> {
        self.committed[queue as usize].notified()
    }

    /// Wakes the idle workers of a queue.
    pub(crate) fn wake(&self, queue: Queue) {
        self.committed[queue as usize].notify_waiters();
    }

    /// The state of a job; none when it is deleted.
    pub(crate) async fn state(&self, id: JobId) -> Result<Option<JobState>> {
        Ok(storage::operations::runtime::jobs::by_id(&self.db, id).await?.map(|job| job.state))
    }

    /// Leases the job of this queue that has been due longest.
    pub(crate) async fn lease(&self, queue: Queue) -> Result<Option<LeasedJob>> {
        let (token, now) = (self.randomness.alphanumeric(20), self.now().await?);
        let claimed = storage::operations::runtime::jobs::claim(
            &self.db,
            &queue.kinds(),
            &token,
            now,
            now.plus(self.lease_duration),
        )
        .await?;
        Ok(claimed.map(|claimed| LeasedJob::new(claimed, token)))
    }

    /// How often a lease is renewed: the database may fail to answer twice before the lease expires.
    pub(crate) fn renewal_interval(&self) -> Duration {
        self.lease_duration / 3
    }

    /// Extends the lease; false when it was lost.
    pub(crate) async fn renew(&self, leased: &LeasedJob) -> Result<bool> {
        let until = self.now().await?.plus(self.lease_duration);
        Ok(storage::operations::runtime::jobs::renew(&self.db, leased.id(), &leased.lease.token, until)
            .await?)
    }

    /// Records that an attempt begins for which nothing else runs; fails when the lease was lost.
    pub(crate) async fn begin_exclusive(&self, lease: &Lease) -> Result<()> {
        if storage::operations::runtime::jobs::begin_exclusive(&self.db, lease.job, &lease.token).await? {
            Ok(())
        } else {
            Err(Failure::Internal(String::from("the lease was lost before the attempt began")))
        }
    }

    /// Records how an attempt ended, unless the lease was lost by then.
    pub(crate) async fn settle(&self, leased: &LeasedJob, ended: &Ended) -> Result<Outcome> {
        if matches!(ended, Ended::Completed) && leased.lease.is_completed.load(Ordering::Acquire) {
            return Ok(Outcome::Completed);
        }
        let (ClaimedJob { id, attempts, .. }, now) = (&leased.claimed, self.now().await?);
        let token = &leased.lease.token;
        let mut tx = self.db.begin().await?;
        let (is_lease_valid, outcome) = match ended {
            Ended::Completed => (
                storage::operations::runtime::jobs::complete(&mut tx, *id, token, now).await?,
                Outcome::Completed,
            ),
            Ended::Failed { reason, last: true, .. } => (
                storage::operations::runtime::jobs::fail(&mut tx, *id, token, reason, now).await?,
                Outcome::Failed,
            ),
            Ended::Failed { reason, last: false, .. } => {
                let due = now.plus(backoff(*attempts));
                (
                    storage::operations::runtime::jobs::retry(&mut tx, *id, token, reason, due).await?,
                    Outcome::Retrying,
                )
            }
            Ended::LeaseLost => return Ok(Outcome::LeaseLost),
        };
        tx.commit().await?;
        Ok(if is_lease_valid { outcome } else { Outcome::LeaseLost })
    }
}

/// A transaction that wakes the workers of this process once the jobs it enqueued are committed.
pub(crate) struct Tx {
    tx: storage::Tx,
    queue: JobQueue,
    /// The queues of the jobs that it enqueued.
    wakes: Vec<Queue>,
    /// Tells the lease of the job that it completes.
    completes: Option<Arc<AtomicBool>>,
}

impl Deref for Tx {
    type Target = storage::Tx;

    fn deref(&self) -> &storage::Tx {
        &self.tx
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut storage::Tx {
        &mut self.tx
    }
}

impl Tx {
    async fn now(&mut self) -> Result<Timestamp> {
        match self.queue.time {
            TimeSource::Clock => Ok(self.queue.clock.now()),
            TimeSource::Database => Ok(storage::operations::runtime::clock::of_postgres(&mut self.tx).await?),
        }
    }

    /// The current time.
    pub(crate) fn clock(&self) -> Timestamp {
        self.queue.clock.now()
    }

    /// A new identifier.
    pub(crate) fn id<I: Id>(&self) -> I {
        self.queue.randomness.id(&self.queue.clock)
    }

    /// Enqueues a job that is due at once.
    pub(crate) async fn enqueue(&mut self, job: &Job) -> Result<JobId> {
        let id = self.queue.randomness.id(&self.queue.clock);
        self.enqueue_as(id, job).await?;
        Ok(id)
    }

    /// Enqueues a job under an id that was made before.
    pub(crate) async fn enqueue_as(&mut self, id: JobId, job: &Job) -> Result<()> {
        let now = self.now().await?;
        storage::operations::runtime::jobs::enqueue(&mut self.tx, id, job, now, now).await?;
        self.wakes.push(job.kind().queue());
        Ok(())
    }

    /// Enqueues a job that is due at `due`.
    pub(crate) async fn enqueue_at(&mut self, job: &Job, due: Timestamp) -> Result<()> {
        let (id, now) = (self.queue.randomness.id(&self.queue.clock), self.now().await?);
        storage::operations::runtime::jobs::enqueue(&mut self.tx, id, job, now, due.max(now)).await?;
        self.wakes.push(job.kind().queue());
        Ok(())
    }

    /// Enqueues a job which the caller attempts itself, once this transaction is committed. No worker is woken for it.
    pub(crate) async fn enqueue_leased(&mut self, job: &Job) -> Result<LeasedJob> {
        let now = self.now().await?;
        let JobQueue { clock, randomness, lease_duration, .. } = &self.queue;
        let (id, token) = (randomness.id::<JobId>(clock), randomness.alphanumeric(20));
        let until = now.plus(*lease_duration);
        let claimed =
            storage::operations::runtime::jobs::enqueue_leased(&mut self.tx, id, job, &token, now, until)
                .await?;
        Ok(LeasedJob::new(claimed, token))
    }

    /// Enqueues a job again that failed or is done; false when it is queued already, or deleted.
    pub(crate) async fn requeue(&mut self, id: JobId, job: &Job) -> Result<bool> {
        let now = self.now().await?;
        let requeued = storage::operations::runtime::jobs::requeue(&mut self.tx, id, job, now).await?;
        self.wakes.extend(requeued.then_some(job.kind().queue()));
        Ok(requeued)
    }

    /// Lets a photo wait for its indexing once more, which is due at once, whatever became of the attempts before.
    pub(crate) async fn index_again(&mut self, photo: PhotoId) -> Result<()> {
        storage::photos::retry_indexing(&mut self.tx, photo).await?;
        storage::operations::runtime::jobs::forget_failed(&mut self.tx, photo).await?;
        let now = self.now().await?;
        if storage::operations::runtime::jobs::hasten(&mut self.tx, photo, now).await? {
            self.wakes.push(JobKind::IndexPhoto.queue());
        } else {
            self.enqueue(&Job::IndexPhoto { photo }).await?;
        }
        Ok(())
    }

    /// Lets the photos that wait for their next attempt be indexed at once; says how many they are.
    pub(crate) async fn hasten_indexing(&mut self) -> Result<u64> {
        let now = self.now().await?;
        let hastened = storage::operations::runtime::jobs::hasten_all(&mut self.tx, now).await?;
        self.wakes.extend((hastened > 0).then_some(Queue::Cpu));
        Ok(hastened)
    }

    /// Enqueues a job about a photo behind everything else; false when one of its kind is queued or has failed.
    pub(crate) async fn enqueue_in_background(&mut self, job: &Job) -> Result<bool> {
        let (id, now) = (self.queue.randomness.id(&self.queue.clock), self.now().await?);
        let added =
            storage::operations::runtime::jobs::enqueue_in_background(&mut self.tx, id, job, now).await?;
        self.wakes.extend(added.then_some(job.kind().queue()));
        Ok(added)
    }

    /// Marks the job as done whose work this transaction ends, so that its end needs no transaction of its own. When the
    /// lease was lost it stays with whoever has it now.
    pub(crate) async fn complete(&mut self, lease: &Lease) -> Result<()> {
        let now = self.now().await?;
        if storage::operations::runtime::jobs::complete(&mut self.tx, lease.job, &lease.token, now).await? {
            self.completes = Some(lease.is_completed.clone());
        }
        Ok(())
    }

    /// Commits, then wakes the idle workers of the queues in which jobs were enqueued.
    pub(crate) async fn commit(self) -> Result<()> {
        let Self { mut tx, queue, mut wakes, completes } = self;
        wakes.sort_unstable();
        wakes.dedup();
        for wake in &wakes {
            storage::operations::runtime::wakeups::announce(&mut tx, wake.as_str()).await?;
        }
        tx.commit().await?;
        if let Some(is_completed) = completes {
            is_completed.store(true, Ordering::Release);
        }
        for wake in wakes {
            queue.wake(wake);
        }
        Ok(())
    }
}

/// What tells a lease from every other.
#[derive(Clone)]
pub(crate) struct Lease {
    job: JobId,
    token: String,
    /// Whether the transaction in which its work ended has marked the job as done.
    is_completed: Arc<AtomicBool>,
}

/// A job that this process has leased.
pub(crate) struct LeasedJob {
    claimed: ClaimedJob,
    lease: Lease,
    since: Instant,
}

impl LeasedJob {
    fn new(claimed: ClaimedJob, token: String) -> Self {
        let lease = Lease { job: claimed.id, token, is_completed: Arc::default() };
        Self { claimed, lease, since: Instant::now() }
    }

    pub(crate) fn id(&self) -> JobId {
        self.claimed.id
    }

    pub(crate) fn job(&self) -> &Job {
        &self.claimed.job
    }

    pub(crate) fn kind(&self) -> JobKind {
        self.claimed.job.kind()
    }

    /// Whether it may run concurrently with others, by the crashes before.
    pub(crate) fn isolation(&self) -> Isolation {
        self.kind().isolation(self.claimed.crashes)
    }

    /// Its lease.
    pub(crate) fn lease(&self) -> Lease {
        self.lease.clone()
    }

    /// The age of the lease.
    pub(crate) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// The span of this attempt, which all its log lines have.
    pub(crate) fn span(&self) -> tracing::Span {
        let ClaimedJob { id, attempts, .. } = &self.claimed;
        tracing::info_span!("job", %id, kind = self.kind().as_str(), attempt = attempts)
    }

    /// How an attempt with this result ended.
    pub(crate) fn ended(&self, performed: Result<()>) -> Ended {
        let Err(failure) = performed else { return Ended::Completed };
        let last = self.claimed.attempts >= self.kind().max_attempts() || is_permanent(&failure);
        Ended::Failed { reason: failure.chain(), last, cause: FailureCause::Exhausted }
    }

    /// How a job ends that is not attempted any more.
    pub(crate) fn crashed() -> Ended {
        let reason =
            "the process ended three times while it was worked on, the last time with nothing beside it";
        Ended::Failed { reason: String::from(reason), last: true, cause: FailureCause::Crashed }
    }
}

/// Whether another attempt cannot help.
pub(crate) fn is_permanent(failure: &Failure) -> bool {
    matches!(failure, Failure::Mail(gateway::MailError::Permanent(_)))
}

/// How an attempt ended, before that is recorded.
pub(crate) enum Ended {
    /// The work is done.
    Completed,
    /// The work failed.
    Failed {
        /// The whole chain of errors.
        reason: String,
        /// Whether there is no further attempt.
        last: bool,
        /// What that means for a photo.
        cause: FailureCause,
    },
    /// The lease was lost while the work went on.
    LeaseLost,
}

/// What became of a job after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done.
    Completed,
    /// It failed and is tried again.
    Retrying,
    /// It failed and is not tried again.
    Failed,
    /// Another worker has it and does it again; jobs are idempotent.
    LeaseLost,
}

impl Outcome {
    /// Its name in the metrics.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "done",
            Self::Retrying => "retrying",
            Self::Failed => "failed",
            Self::LeaseLost => "lost",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::UserId;

    #[tokio::test]
    async fn leases_and_due_times_are_those_of_the_databases_clock() {
        // This machine's clock is a day behind.
        let database = storage::testing::postgres().await;
        let actual = storage::operations::runtime::clock::of_postgres(&database.db).await.unwrap();
        let clock = Clock::fixed(actual.minus(domain::DAY));
        let mut queue = JobQueue::new(database.db.clone(), clock, Randomness::seeded(1));
        assert_eq!(queue.time, TimeSource::Clock, "a test's clock counts in tests");
        let system = JobQueue::new(database.db.clone(), Clock::System, Randomness::seeded(1));
        assert_eq!(system.time, TimeSource::Database);
        queue.time = TimeSource::Database;
        let near = |at: Timestamp, by: Duration| {
            let expected = actual.plus(by);
            at.since(expected).max(expected.since(at)) < Duration::from_secs(60)
        };

        let user = UserId::from_parts(actual, [0; 10]);
        let mut tx = queue.begin().await.unwrap();
        let id = tx.enqueue(&Job::SendVerification { user }).await.unwrap();
        tx.commit().await.unwrap();
        let stored =
            async || storage::operations::runtime::jobs::by_id(&database.db, id).await.unwrap().unwrap();
        assert!(near(stored().await.run_at, Duration::ZERO));
        let leased = queue.lease(Queue::Mail).await.unwrap().unwrap();
        assert!(near(stored().await.leased_until.unwrap(), LEASE));
        assert!(queue.renew(&leased).await.unwrap());
        assert!(near(stored().await.leased_until.unwrap(), LEASE));
        let failed = leased.ended(Err(Failure::Internal(String::from("no answer"))));
        assert_eq!(queue.settle(&leased, &failed).await.unwrap(), Outcome::Retrying);
        assert!(near(stored().await.run_at, backoff(1)));
    }
}
