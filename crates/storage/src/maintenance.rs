//! The tasks of maintenance: when each runs next, and which process is at it.

use domain::Timestamp;

use crate::db::each;
use crate::row::row;
use crate::{Db, Result, decode};

/// A task as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    /// Its name.
    pub task: String,
    /// When it runs next, at the earliest.
    pub run_at: Timestamp,
    /// Until when a process holds it.
    pub leased_until: Option<Timestamp>,
    /// Runs that failed since the last one that did not.
    pub failures: i64,
    /// Why the last run failed.
    pub last_error: Option<String>,
    /// When the last run ended.
    pub finished_at: Option<Timestamp>,
}

row! {
    struct StoredRow {
        task: String,
        run_at: i64,
        leased_until: Option<i64>,
        failures: i64,
        last_error: Option<String>,
        finished_at: Option<i64>,
    }
}

/// Every task that was ever begun, by name.
pub async fn all(db: &Db) -> Result<Vec<TaskRow>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, StoredRow>(
            "SELECT task, run_at, leased_until, failures, last_error, finished_at FROM maintenance ORDER BY task",
        )
        .fetch_all(conn)
        .await)?;
    Ok(rows
        .into_iter()
        .map(|row| TaskRow {
            task: row.task,
            run_at: Timestamp::from_millis(row.run_at),
            leased_until: decode::time(row.leased_until),
            failures: row.failures,
            last_error: row.last_error,
            finished_at: decode::time(row.finished_at),
        })
        .collect())
}

/// Takes a task that is due, or was never begun, for the holder of `lease` until `leased_until`; false when it is not
/// due or another holds it.
pub async fn claim(
    db: &Db,
    task: &str,
    lease: &str,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<bool> {
    each!(db.write(), conn => sqlx::query(
            "INSERT INTO maintenance (task, run_at, lease, leased_until) VALUES ($1, $3, $2, $4)
             ON CONFLICT (task) DO UPDATE SET lease = $2, leased_until = $4
             WHERE maintenance.run_at <= $3
                 AND (maintenance.leased_until IS NULL OR maintenance.leased_until <= $3)",
        )
        .bind(task)
        .bind(lease)
        .bind(now.as_millis())
        .bind(leased_until.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Holds a task for longer; false when the lease was lost.
pub async fn renew(db: &Db, task: &str, lease: &str, leased_until: Timestamp) -> Result<bool> {
    each!(db.write(), conn => sqlx::query(
            "UPDATE maintenance SET leased_until = $3 WHERE task = $1 AND lease = $2",
        )
        .bind(task)
        .bind(lease)
        .bind(leased_until.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Records a run that succeeded; false when the lease was lost.
pub async fn succeed(db: &Db, task: &str, lease: &str, now: Timestamp, run_at: Timestamp) -> Result<bool> {
    each!(db.write(), conn => sqlx::query(
            "UPDATE maintenance SET lease = NULL, leased_until = NULL, failures = 0, last_error = NULL,
                 finished_at = $3, run_at = $4
             WHERE task = $1 AND lease = $2",
        )
        .bind(task)
        .bind(lease)
        .bind(now.as_millis())
        .bind(run_at.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Records a run that failed, and when the task runs again; false when the lease was lost.
pub async fn fail(
    db: &Db,
    task: &str,
    lease: &str,
    error: &str,
    now: Timestamp,
    run_at: Timestamp,
) -> Result<bool> {
    each!(db.write(), conn => sqlx::query(
            "UPDATE maintenance SET lease = NULL, leased_until = NULL, failures = failures + 1, last_error = $3,
                 finished_at = $4, run_at = $5
             WHERE task = $1 AND lease = $2",
        )
        .bind(task)
        .bind(lease)
        .bind(error)
        .bind(now.as_millis())
        .bind(run_at.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}
