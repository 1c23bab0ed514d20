//! Background work: queued, leased, settled.

mod adding;
mod by_photo;
mod queries;
mod turns;

use std::time::Duration;

use domain::operations::runtime::jobs::{CRASHED_EXCLUSIVE, CRASHES_BEFORE_EXCLUSIVE, JobKind};
use domain::{Job, JobId, Timestamp};

use crate::operations::runtime::decode;
use crate::operations::runtime::dialect::skip_locked;
use crate::operations::runtime::encode::{ToColumn, Value};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, execute};
use crate::{Db, Executor, Result, Tx};

pub use adding::{enqueue, enqueue_in_background, enqueue_leased};
pub use by_photo::{forget_failed, hasten, hasten_all};
pub use queries::{Backlog, JobRow, backlog, by_id, count_done, failed_of_kind, in_state, next_run_at};
pub use turns::count_in_background;

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It is due or running.
    Queued,
    /// It is done.
    Done,
    /// It failed, and is not tried again.
    Failed,
}

impl JobState {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    fn from_stored(text: &str) -> Option<Self> {
        [Self::Queued, Self::Done, Self::Failed].into_iter().find(|state| state.as_str() == text)
    }
}

impl ToColumn for JobState {
    const NULL: Value = Value::Text(None);

    fn to_column(&self) -> Value {
        Value::Text(Some(self.as_str().to_owned()))
    }
}

/// A job that one worker has leased.
#[derive(Clone, Debug)]
pub struct ClaimedJob {
    /// Its id.
    pub id: JobId,
    /// What is to be done.
    pub job: Job,
    /// How often it was tried, with this time.
    pub attempts: i64,
    /// How many claims in a row before this one ended with a crash of the worker.
    pub crashes: i64,
}

row! {
    struct ClaimedRow {
        id: String,
        payload: String,
        attempts: i64,
        crashes: i64,
    }
}

/// How long the holder of a lease that a clock ahead of time has made has to renew it.
const LEASE_GRACE: Duration = Duration::from_secs(60);

/// The stored reason of a job that failed since its payload cannot be read.
const UNREADABLE: &str = "this version of the program cannot read the job's payload";

fn read(payload: &str) -> Option<Job> {
    serde_json::from_str(payload).ok()
}

/// Leases the job of these kinds whose turn it is to the holder of `lease` until `leased_until`. One whose lease has expired
/// can be claimed again, and the claim before is counted as a crash. Concurrent callers get different jobs. A job whose
/// payload cannot be read fails, and the next one is claimed.
pub async fn claim(
    db: &Db,
    kinds: &[JobKind],
    lease: &str,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<Option<ClaimedJob>> {
    if kinds.is_empty() {
        return Ok(None);
    }
    loop {
        let Some(row) = claim_next(db, kinds, lease, now, leased_until).await? else {
            return Ok(None);
        };
        let ClaimedRow { attempts, crashes, .. } = row;
        let id = decode::id(&row.id, "jobs.id")?;
        if let Some(job) = read(&row.payload) {
            return Ok(Some(ClaimedJob { id, job, attempts, crashes }));
        }
        let mut tx = db.begin().await?;
        fail(&mut tx, id, lease, UNREADABLE, now).await?;
        tx.commit().await?;
    }
}

async fn claim_next(
    db: &Db,
    kinds: &[JobKind],
    lease: &str,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<Option<ClaimedRow>> {
    // A lease that a power cut takes back is given again: the job is still queued.
    let writer = db.unsynced_writer().await?;
    // A lease that is still there was not released. The count goes beyond CRASHES_BEFORE_EXCLUSIVE by `begin_exclusive` only.
    let mut statement = Statement::built(
        "UPDATE jobs SET attempts = attempts + 1, crashes = CASE WHEN lease IS NOT NULL AND crashes < ",
    );
    statement.push_bind(CRASHES_BEFORE_EXCLUSIVE).push(" THEN crashes + 1 ELSE crashes END, lease = ");
    statement.push_bind(lease).push(", leased_until = ").push_bind(leased_until);
    statement.push(" WHERE id = (SELECT id FROM (");
    // The first of each kind, from the index that has them in this order: of all kinds together every queued job would
    // have to be sorted.
    for (place, kind) in kinds.iter().enumerate() {
        statement.push(if place == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
        statement.push("SELECT id, turn, run_at FROM jobs WHERE state = 'queued' AND kind = ");
        statement.push_bind(kind);
        statement.push(" AND run_at <= ").push_bind(now);
        statement.push(" AND (leased_until IS NULL OR leased_until <= ").push_bind(now);
        statement.push(") ORDER BY turn, run_at, id LIMIT 1").push(skip_locked(db.engine()));
        statement.push(format_args!(") AS of_kind_{place}"));
    }
    statement
        .push(") AS candidates ORDER BY turn, run_at, id LIMIT 1) RETURNING id, payload, attempts, crashes");
    statement.persistent().fetch_row(writer.source).await
}

/// Records that an exclusive attempt at a job begins; false when the lease was lost.
pub async fn begin_exclusive(db: &dyn Executor, id: JobId, lease: &str) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE jobs SET crashes = $3 WHERE id = $1 AND lease = $2 AND state = 'queued'",
        id,
        lease,
        CRASHED_EXCLUSIVE,
    )?;
    Ok(updated == 1)
}

/// Renews the lease of a job; false when it was lost.
pub async fn renew(db: &dyn Executor, id: JobId, lease: &str, leased_until: Timestamp) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE jobs SET leased_until = $3 WHERE id = $1 AND lease = $2 AND state = 'queued'",
        id,
        lease,
        leased_until,
    )?;
    Ok(updated == 1)
}

/// Marks a job as done; false when the lease was lost.
pub async fn complete(tx: &mut Tx, id: JobId, lease: &str, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE jobs SET state = 'done', lease = NULL, leased_until = NULL, last_error = NULL, finished_at = $3
         WHERE id = $1 AND lease = $2 AND state = 'queued'",
        id,
        lease,
        now,
    )?;
    Ok(updated == 1)
}

/// Schedules another attempt of a job at `run_at` and forgets its crashes; false when the lease was lost.
pub async fn retry(tx: &mut Tx, id: JobId, lease: &str, error: &str, run_at: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE jobs SET lease = NULL, leased_until = NULL, crashes = 0, last_error = $3, run_at = $4
         WHERE id = $1 AND lease = $2 AND state = 'queued'",
        id,
        lease,
        error,
        run_at,
    )?;
    Ok(updated == 1)
}

/// Marks a job as failed; false when the lease was lost.
pub async fn fail(tx: &mut Tx, id: JobId, lease: &str, error: &str, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE jobs SET state = 'failed', lease = NULL, leased_until = NULL, last_error = $3, finished_at = $4
         WHERE id = $1 AND lease = $2 AND state = 'queued'",
        id,
        lease,
        error,
        now,
    )?;
    Ok(updated == 1)
}

/// Queues a job again that failed or is done, as if it were new: its payload is written anew too, since the stored one
/// may be of a form that this version cannot read. False when it is queued already, or deleted.
pub async fn requeue(tx: &mut Tx, id: JobId, job: &Job, run_at: Timestamp) -> Result<bool> {
    let payload = decode::known(serde_json::to_string(job).ok(), "jobs.payload")?;
    let updated = execute!(
        tx,
        "UPDATE jobs SET state = 'queued', payload = $2, attempts = 0, crashes = 0, run_at = $3,
             finished_at = NULL
         WHERE id = $1 AND state <> 'queued'",
        id,
        payload,
        run_at,
    )?;
    Ok(updated == 1)
}

/// Clears the lease of a job when it expired before `before`; false when it did not, or the job is settled or deleted.
/// Workers claim such a job without this.
pub async fn release(tx: &mut Tx, id: JobId, before: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE jobs SET lease = NULL, leased_until = NULL
         WHERE id = $1 AND state = 'queued' AND leased_until <= $2",
        id,
        before,
    )?;
    Ok(updated == 1)
}

/// Makes those jobs due that wait for longer than `longest`, and answers their number: their time was set by a clock that was
/// ahead. Leases that last longer end with the same wait, so that whoever still works under one can renew it.
pub async fn bound_waits(tx: &mut Tx, now: Timestamp, longest: Duration) -> Result<u64> {
    let latest = now.plus(longest);
    execute!(
        &mut *tx,
        "UPDATE jobs SET leased_until = $1 WHERE state = 'queued' AND leased_until > $2",
        now.plus(LEASE_GRACE),
        latest,
    )?;
    execute!(tx, "UPDATE jobs SET run_at = $1 WHERE state = 'queued' AND run_at > $2", now, latest)
}

/// Deletes the jobs that were done before `before`, and answers their number; failed ones are retained.
pub async fn delete_done(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(
        tx,
        "DELETE FROM jobs WHERE state = 'done' AND finished_at IS NOT NULL AND finished_at < $1",
        before,
    )
}
