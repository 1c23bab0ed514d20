//! How the work stands.

use domain::jobs::JobKind;
use domain::{Job, JobId, Timestamp};
use sqlx::QueryBuilder;

use super::{JobState, read};
use crate::db::each;
use crate::row::row;
use crate::{Db, Error, Result, decode};

/// A job as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// Its id.
    pub id: JobId,
    /// Its kind, as it is stored.
    pub kind: String,
    /// What is to be done; none when this version of the program cannot read it.
    pub job: Option<Job>,
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
    /// When it was done or failed.
    pub finished_at: Option<Timestamp>,
}

/// How much of one kind there is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The kind, as `domain::jobs::JobKind` spells it.
    pub kind: String,
    /// Those that no worker holds.
    pub queued: i64,
    /// Those that a worker holds.
    pub running: i64,
    /// Those that failed.
    pub failed: i64,
    /// Since when the oldest of those that no worker holds could be done.
    pub oldest_run_at: Option<Timestamp>,
}

row! {
    struct BacklogRow {
        kind: String,
        queued: i64,
        running: i64,
        failed: i64,
        oldest_run_at: Option<i64>,
    }
}

row! {
    struct StoredRow {
        id: String,
        kind: String,
        payload: String,
        state: String,
        run_at: i64,
        leased_until: Option<i64>,
        attempts: i64,
        last_error: Option<String>,
        created_at: i64,
        finished_at: Option<i64>,
    }
}

impl TryFrom<StoredRow> for JobRow {
    type Error = Error;

    fn try_from(row: StoredRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "jobs.id")?,
            kind: row.kind,
            job: read(&row.payload),
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

/// A job.
pub async fn by_id(db: &Db, id: JobId) -> Result<Option<JobRow>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, StoredRow>(
            "SELECT id, kind, payload, state, run_at, leased_until, attempts, last_error, created_at, finished_at
             FROM jobs WHERE id = $1",
        )
        .bind(id.to_string())
        .fetch_optional(conn)
        .await)?;
    row.map(JobRow::try_from).transpose()
}

/// The jobs in a state, oldest first, from the one after `after`.
pub async fn in_state(db: &Db, state: JobState, after: Option<JobId>, limit: i64) -> Result<Vec<JobRow>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, StoredRow>(
            "SELECT id, kind, payload, state, run_at, leased_until, attempts, last_error, created_at, finished_at
             FROM jobs WHERE state = $1 AND id > $2 ORDER BY id LIMIT $3",
        )
        .bind(state.as_str())
        .bind(after.map_or_else(String::new, |after| after.to_string()))
        .bind(limit)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(JobRow::try_from).collect()
}

/// How much there is to do, by kind; kinds without any are left out.
pub async fn backlog(db: &Db, now: Timestamp) -> Result<Vec<Backlog>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, BacklogRow>(
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
        .fetch_all(conn)
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
pub async fn next_run_at(db: &Db, kinds: &[JobKind]) -> Result<Option<Timestamp>> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let next: Option<i64> = each!(db.read(), conn => {
        let mut statement = QueryBuilder::new(
            "SELECT MIN(CASE WHEN leased_until > run_at THEN leased_until ELSE run_at END)
             FROM jobs WHERE state = 'queued' AND kind IN (",
        );
        let mut list = statement.separated(", ");
        for kind in kinds {
            list.push_bind(kind.as_str());
        }
        statement.push(")");
        statement.build_query_scalar().fetch_one(conn).await
    })?;
    Ok(decode::time(next))
}
