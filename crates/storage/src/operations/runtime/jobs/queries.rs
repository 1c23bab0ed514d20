//! Reading jobs, and the backlog of the queue.

use domain::operations::runtime::jobs::JobKind;
use domain::{Job, JobId, Timestamp};

use super::{JobState, read};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, payload, state, run_at, leased_until, attempts, crashes, last_error, created_at, finished_at FROM jobs ",
            $rest
        )
    };
}

/// A stored job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// Its id.
    pub id: JobId,
    /// Its kind, as it is stored.
    pub kind: String,
    /// Its payload; none when this version of the program cannot read it.
    pub job: Option<Job>,
    /// Its state.
    pub state: JobState,
    /// When it runs, at the earliest.
    pub run_at: Timestamp,
    /// Until when a worker has leased it.
    pub leased_until: Option<Timestamp>,
    /// How often it was tried.
    pub attempts: i64,
    /// How many claims in a row ended with a crash of the worker.
    pub crashes: i64,
    /// Why it failed the last time.
    pub last_error: Option<String>,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was done or failed.
    pub finished_at: Option<Timestamp>,
}

/// How many jobs of a kind were done since a moment.
pub async fn count_done(db: &dyn Executor, kind: JobKind, since: Timestamp) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM jobs WHERE finished_at > $1 AND kind = $2 AND state = 'done'",
        since,
        kind,
    )
}

/// The backlog of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The kind, as `domain::operations::runtime::jobs::JobKind` spells it.
    pub kind: String,
    /// Those without a lease.
    pub queued: i64,
    /// Those with a lease.
    pub running: i64,
    /// Those that failed.
    pub failed: i64,
    /// Since when the oldest of those without a lease is due.
    pub oldest_run_at: Option<Timestamp>,
}

row! {
    pub(crate) struct BacklogRow {
        kind: String,
        queued: i64,
        running: i64,
        failed: i64,
        oldest_run_at: Option<i64>,
    }
}

impl FromColumns for Backlog {
    type Columns = BacklogRow;

    fn from_columns(row: BacklogRow) -> Result<Self> {
        Ok(Self {
            kind: row.kind,
            queued: row.queued,
            running: row.running,
            failed: row.failed,
            oldest_run_at: decode::time(row.oldest_run_at),
        })
    }
}

row! {
    pub(crate) struct StoredRow {
        id: String,
        kind: String,
        payload: String,
        state: String,
        run_at: i64,
        leased_until: Option<i64>,
        attempts: i64,
        crashes: i64,
        last_error: Option<String>,
        created_at: i64,
        finished_at: Option<i64>,
    }
}

impl FromColumns for JobRow {
    type Columns = StoredRow;

    fn from_columns(row: StoredRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "jobs.id")?,
            kind: row.kind,
            job: read(&row.payload),
            state: decode::known(JobState::from_stored(&row.state), "jobs.state")?,
            run_at: Timestamp::from_millis(row.run_at),
            leased_until: decode::time(row.leased_until),
            attempts: row.attempts,
            crashes: row.crashes,
            last_error: row.last_error,
            created_at: Timestamp::from_millis(row.created_at),
            finished_at: decode::time(row.finished_at),
        })
    }
}

/// A job.
pub async fn by_id(db: &dyn Executor, id: JobId) -> Result<Option<JobRow>> {
    fetch_optional!(db, JobRow, select!("WHERE id = $1"), id)
}

/// The jobs in a state, oldest first, from the one after `after`.
pub async fn in_state(
    db: &dyn Executor,
    state: JobState,
    after: Option<JobId>,
    limit: i64,
) -> Result<Vec<JobRow>> {
    fetch_all!(
        db,
        JobRow,
        select!("WHERE state = $1 AND id > $2 ORDER BY id LIMIT $3"),
        state,
        cursor(after),
        limit,
    )
}

/// The failed jobs of a kind, oldest first, from the one after `after`.
pub async fn failed_of_kind(
    db: &dyn Executor,
    kind: JobKind,
    after: Option<JobId>,
    limit: i64,
) -> Result<Vec<JobRow>> {
    fetch_all!(
        db,
        JobRow,
        select!("WHERE state = 'failed' AND kind = $1 AND id > $2 ORDER BY id LIMIT $3"),
        kind,
        cursor(after),
        limit,
    )
}

/// The backlog by kind; kinds without jobs are left out.
pub async fn backlog(db: &dyn Executor, now: Timestamp) -> Result<Vec<Backlog>> {
    fetch_all!(
        db,
        Backlog,
        "SELECT kind,
             COUNT(CASE WHEN state = 'queued' AND NOT leased THEN 1 END) AS queued,
             COUNT(CASE WHEN state = 'queued' AND leased THEN 1 END) AS running,
             COUNT(CASE WHEN state = 'failed' THEN 1 END) AS failed,
             MIN(CASE WHEN state = 'queued' AND NOT leased THEN run_at END) AS oldest_run_at
         FROM (SELECT kind, state, run_at, COALESCE(leased_until, 0) > $1 AS leased
               FROM jobs WHERE state IN ('queued', 'failed')) AS waiting
         GROUP BY kind ORDER BY kind",
        now,
    )
}

/// When the next job of these kinds can be claimed, as far as is known now; none when there is none.
pub async fn next_run_at(db: &dyn Executor, kinds: &[JobKind]) -> Result<Option<Timestamp>> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let mut statement = Statement::built(
        "SELECT MIN(CASE WHEN leased_until > run_at THEN leased_until ELSE run_at END)
         FROM jobs WHERE state = 'queued' AND kind IN ",
    );
    statement.push_list(kinds);
    let next: Option<(Option<i64>,)> = statement.persistent().fetch_row(db.reader()).await?;
    Ok(decode::time(next.and_then(|(next,)| next)))
}
