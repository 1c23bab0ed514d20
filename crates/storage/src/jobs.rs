//! Background work: queued, leased, settled.

use domain::{Job, JobId, Timestamp};
use sqlx::{FromRow, QueryBuilder};

use crate::db::each;
use crate::dialect::skipping_held_rows;
use crate::{Db, Error, Result, Tx, decode};

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It is to be done, or is being done.
    Queued,
    /// It is done.
    Done,
    /// It was given up.
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

/// A job that one worker holds.
#[derive(Clone, Debug)]
pub struct ClaimedJob {
    /// Its id.
    pub id: JobId,
    /// What is to be done.
    pub job: Job,
    /// How often it was tried, with this time.
    pub attempts: i64,
}

/// A job as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// Its id.
    pub id: JobId,
    /// What is to be done.
    pub job: Job,
    /// Where it is.
    pub state: JobState,
    /// When it may be done, at the earliest.
    pub run_at: Timestamp,
    /// Until when a worker holds it.
    pub leased_until: Option<Timestamp>,
    /// How often it was tried.
    pub attempts: i64,
    /// Why it failed the last time.
    pub last_error: Option<String>,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was done or given up.
    pub finished_at: Option<Timestamp>,
}

/// How much of one kind there is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The kind, as `domain::Job::kind` names it.
    pub kind: String,
    /// Those that no worker holds.
    pub queued: i64,
    /// Those that a worker holds.
    pub running: i64,
    /// Those that were given up.
    pub failed: i64,
    /// Since when the oldest of those that no worker holds could be done.
    pub oldest_run_at: Option<Timestamp>,
}

#[derive(FromRow)]
struct BacklogRow {
    kind: String,
    queued: i64,
    running: i64,
    failed: i64,
    oldest_run_at: Option<i64>,
}

#[derive(FromRow)]
struct StoredRow {
    id: String,
    payload: String,
    state: String,
    run_at: i64,
    leased_until: Option<i64>,
    attempts: i64,
    last_error: Option<String>,
    created_at: i64,
    finished_at: Option<i64>,
}

impl TryFrom<StoredRow> for JobRow {
    type Error = Error;

    fn try_from(row: StoredRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "jobs.id")?,
            job: read(&row.payload)?,
            state: decode::known(JobState::from_stored(&row.state), "jobs.state")?,
            run_at: Timestamp::from_millis(row.run_at),
            leased_until: decode::time(row.leased_until),
            attempts: row.attempts,
            last_error: row.last_error,
            created_at: Timestamp::from_millis(row.created_at),
            finished_at: decode::time(row.finished_at),
        })
    }
}

fn read(payload: &str) -> Result<Job> {
    decode::known(serde_json::from_str(payload).ok(), "jobs.payload")
}

/// Adds a job; it is done once the transaction is, at `run_at` or later.
///
/// # Errors
/// When the database fails.
pub async fn push(tx: &mut Tx, id: JobId, job: &Job, now: Timestamp, run_at: Timestamp) -> Result<()> {
    let payload = decode::known(serde_json::to_string(job).ok(), "jobs.payload")?;
    each!(tx.at(), at => sqlx::query(
            "INSERT INTO jobs (id, kind, payload, state, run_at, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(id.to_string())
        .bind(job.kind())
        .bind(&payload)
        .bind(JobState::Queued.as_str())
        .bind(run_at.as_millis())
        .bind(now.as_millis())
        .execute(at)
        .await
        .map(|_| ()))
}

/// Takes the job of these kinds that has been due longest, for the holder of `lease` until `leased_until`. One whose
/// lease has run out is free again. However many ask at once, each gets another.
///
/// # Errors
/// When the database fails, or the job is one that this program does not know: it is tried again after its lease.
pub async fn claim(
    db: &Db,
    kinds: &[&str],
    lease: &str,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<Option<ClaimedJob>> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let row: Option<(String, String, i64)> = each!(db.write(), at => {
        let mut statement = QueryBuilder::new("UPDATE jobs SET attempts = attempts + 1, lease = ");
        statement.push_bind(lease).push(", leased_until = ").push_bind(leased_until.as_millis());
        statement.push(" WHERE id = (SELECT id FROM jobs WHERE state = 'queued' AND run_at <= ");
        statement.push_bind(now.as_millis());
        statement.push(" AND (leased_until IS NULL OR leased_until <= ").push_bind(now.as_millis());
        statement.push(") AND kind IN (");
        let mut list = statement.separated(", ");
        for kind in kinds {
            list.push_bind(*kind);
        }
        statement.push(") ORDER BY run_at, id LIMIT 1").push(skipping_held_rows(db.engine()));
        statement.push(") RETURNING id, payload, attempts");
        statement.build_query_as().fetch_optional(at).await
    })?;
    row.map(|(id, payload, attempts)| {
        Ok(ClaimedJob { id: decode::id(&id, "jobs.id")?, job: read(&payload)?, attempts })
    })
    .transpose()
}

/// Holds a job for longer; false when the lease was lost.
///
/// # Errors
/// When the database fails.
pub async fn renew(db: &Db, id: JobId, lease: &str, leased_until: Timestamp) -> Result<bool> {
    each!(db.write(), at => sqlx::query(
            "UPDATE jobs SET leased_until = $3 WHERE id = $1 AND lease = $2 AND state = 'queued'",
        )
        .bind(id.to_string())
        .bind(lease)
        .bind(leased_until.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Marks a job as done; false when the lease was lost.
///
/// # Errors
/// When the database fails.
pub async fn complete(tx: &mut Tx, id: JobId, lease: &str, now: Timestamp) -> Result<bool> {
    each!(tx.at(), at => sqlx::query(
            "UPDATE jobs SET state = 'done', lease = NULL, leased_until = NULL, last_error = NULL, finished_at = $3
             WHERE id = $1 AND lease = $2 AND state = 'queued'",
        )
        .bind(id.to_string())
        .bind(lease)
        .bind(now.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Puts a job back, to be tried again at `run_at`; false when the lease was lost.
///
/// # Errors
/// When the database fails.
pub async fn retry(tx: &mut Tx, id: JobId, lease: &str, error: &str, run_at: Timestamp) -> Result<bool> {
    each!(tx.at(), at => sqlx::query(
            "UPDATE jobs SET lease = NULL, leased_until = NULL, last_error = $3, run_at = $4
             WHERE id = $1 AND lease = $2 AND state = 'queued'",
        )
        .bind(id.to_string())
        .bind(lease)
        .bind(error)
        .bind(run_at.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Marks a job as given up; false when the lease was lost.
///
/// # Errors
/// When the database fails.
pub async fn give_up(tx: &mut Tx, id: JobId, lease: &str, error: &str, now: Timestamp) -> Result<bool> {
    each!(tx.at(), at => sqlx::query(
            "UPDATE jobs SET state = 'failed', lease = NULL, leased_until = NULL, last_error = $3, finished_at = $4
             WHERE id = $1 AND lease = $2 AND state = 'queued'",
        )
        .bind(id.to_string())
        .bind(lease)
        .bind(error)
        .bind(now.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Queues a job again that was given up or done, as if it were new; false when it waits already, or is forgotten.
///
/// # Errors
/// When the database fails.
pub async fn revive(tx: &mut Tx, id: JobId, run_at: Timestamp) -> Result<bool> {
    each!(tx.at(), at => sqlx::query(
            "UPDATE jobs SET state = 'queued', attempts = 0, run_at = $2, finished_at = NULL
             WHERE id = $1 AND state <> 'queued'",
        )
        .bind(id.to_string())
        .bind(run_at.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Frees a job whose lease ran out before `before`, so that it stands as one that no worker holds; false when it is
/// held, settled or forgotten. Workers take such a job over without this.
///
/// # Errors
/// When the database fails.
pub async fn release(tx: &mut Tx, id: JobId, before: Timestamp) -> Result<bool> {
    each!(tx.at(), at => sqlx::query(
            "UPDATE jobs SET lease = NULL, leased_until = NULL
             WHERE id = $1 AND state = 'queued' AND leased_until <= $2",
        )
        .bind(id.to_string())
        .bind(before.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// A job.
///
/// # Errors
/// When the database fails.
pub async fn by_id(db: &Db, id: JobId) -> Result<Option<JobRow>> {
    let row = each!(db.read(), at => sqlx::query_as::<_, StoredRow>(
            "SELECT id, payload, state, run_at, leased_until, attempts, last_error, created_at, finished_at
             FROM jobs WHERE id = $1",
        )
        .bind(id.to_string())
        .fetch_optional(at)
        .await)?;
    row.map(JobRow::try_from).transpose()
}

/// The jobs in a state, oldest first, from the one after `after`.
///
/// # Errors
/// When the database fails.
pub async fn in_state(db: &Db, state: JobState, after: Option<JobId>, limit: i64) -> Result<Vec<JobRow>> {
    let rows = each!(db.read(), at => sqlx::query_as::<_, StoredRow>(
            "SELECT id, payload, state, run_at, leased_until, attempts, last_error, created_at, finished_at
             FROM jobs WHERE state = $1 AND id > $2 ORDER BY id LIMIT $3",
        )
        .bind(state.as_str())
        .bind(after.map_or_else(String::new, |after| after.to_string()))
        .bind(limit)
        .fetch_all(at)
        .await)?;
    rows.into_iter().map(JobRow::try_from).collect()
}

/// How much there is to do, by kind; kinds without any are left out.
///
/// # Errors
/// When the database fails.
pub async fn backlog(db: &Db, now: Timestamp) -> Result<Vec<Backlog>> {
    let rows = each!(db.read(), at => sqlx::query_as::<_, BacklogRow>(
            "SELECT kind,
                 COUNT(CASE WHEN state = 'queued' AND NOT held THEN 1 END) AS queued,
                 COUNT(CASE WHEN state = 'queued' AND held THEN 1 END) AS running,
                 COUNT(CASE WHEN state = 'failed' THEN 1 END) AS failed,
                 MIN(CASE WHEN state = 'queued' AND NOT held THEN run_at END) AS oldest_run_at
             FROM (SELECT kind, state, run_at, COALESCE(leased_until, 0) > $1 AS held
                   FROM jobs WHERE state IN ('queued', 'failed')) AS waiting
             GROUP BY kind ORDER BY kind",
        )
        .bind(now.as_millis())
        .fetch_all(at)
        .await)?;
    let backlog = rows.into_iter().map(|row| Backlog {
        kind: row.kind,
        queued: row.queued,
        running: row.running,
        failed: row.failed,
        oldest_run_at: decode::time(row.oldest_run_at),
    });
    Ok(backlog.collect())
}

/// When the next job of these kinds can be claimed, as far as is known now; none when there is none.
///
/// # Errors
/// When the database fails.
pub async fn next_run_at(db: &Db, kinds: &[&str]) -> Result<Option<Timestamp>> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let next: Option<i64> = each!(db.read(), at => {
        let mut statement = QueryBuilder::new(
            "SELECT MIN(CASE WHEN leased_until > run_at THEN leased_until ELSE run_at END)
             FROM jobs WHERE state = 'queued' AND kind IN (",
        );
        let mut list = statement.separated(", ");
        for kind in kinds {
            list.push_bind(*kind);
        }
        statement.push(")");
        statement.build_query_scalar().fetch_one(at).await
    })?;
    Ok(decode::time(next))
}

/// Forgets the jobs that were done before `before`, and says how many they were; those given up are kept.
///
/// # Errors
/// When the database fails.
pub async fn delete_done(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    each!(tx.at(), at => sqlx::query(
            "DELETE FROM jobs WHERE state = 'done' AND finished_at IS NOT NULL AND finished_at < $1",
        )
        .bind(before.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected()))
}
