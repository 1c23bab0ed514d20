//! The tasks of maintenance: when each runs next, and the lease of the process that runs it.

use std::time::Duration;

use domain::Timestamp;

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Executor, Result};

/// A stored task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    /// Its name.
    pub task: String,
    /// When it runs next, at the earliest.
    pub run_at: Timestamp,
    /// Until when a process has leased it.
    pub leased_until: Option<Timestamp>,
    /// Runs that failed since the last one that did not.
    pub failures: i64,
    /// Why the last run failed.
    pub last_error: Option<String>,
    /// When the last run ended.
    pub finished_at: Option<Timestamp>,
}

impl TaskRow {
    /// How long until it can be claimed, by the rule of [`claim`], if a lease lasts `lease`.
    pub fn due_in(&self, interval: Duration, lease: Duration, now: Timestamp) -> Duration {
        let wait = |at: Timestamp, longest: Duration| Some(at.since(now)).filter(|wait| *wait <= longest);
        let longest_lease = lease.saturating_mul(2);
        let lease = self.leased_until.and_then(|until| wait(until, longest_lease));
        wait(self.run_at, interval.saturating_add(longest_lease)).max(lease).unwrap_or_default()
    }
}

row! {
    pub(crate) struct StoredRow {
        task: String,
        run_at: i64,
        leased_until: Option<i64>,
        failures: i64,
        last_error: Option<String>,
        finished_at: Option<i64>,
    }
}

impl FromColumns for TaskRow {
    type Columns = StoredRow;

    fn from_columns(row: StoredRow) -> Result<Self> {
        Ok(Self {
            task: row.task,
            run_at: Timestamp::from_millis(row.run_at),
            leased_until: decode::time(row.leased_until),
            failures: row.failures,
            last_error: row.last_error,
            finished_at: decode::time(row.finished_at),
        })
    }
}

/// Every task that was ever begun, by name.
pub async fn all(db: &dyn Executor) -> Result<Vec<TaskRow>> {
    fetch_all!(
        db,
        TaskRow,
        "SELECT task, run_at, leased_until, failures, last_error, finished_at FROM maintenance ORDER BY task",
    )
}

/// Leases a task that is due, or was never begun, to the holder of `lease` until `leased_until`; false when it is not due
/// or another has leased it. One that is leased for longer than twice this lease, or due later than that and `interval` from now,
/// was so by a clock that was ahead: it is free, and due. Not one that is a little later: another may have read the time after this
/// caller, and been faster.
pub async fn claim(
    db: &dyn Executor,
    task: &str,
    lease: &str,
    interval: Duration,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<bool> {
    let longest_lease = leased_until.since(now).saturating_mul(2);
    let updated = execute!(
        db,
        "INSERT INTO maintenance (task, run_at, lease, leased_until) VALUES ($1, $3, $2, $4)
         ON CONFLICT (task) DO UPDATE SET lease = $2, leased_until = $4
         WHERE (maintenance.run_at <= $3 OR maintenance.run_at > $5)
             AND (maintenance.leased_until IS NULL OR maintenance.leased_until <= $3 OR maintenance.leased_until > $6)",
        task,
        lease,
        now,
        leased_until,
        now.plus(interval).plus(longest_lease),
        now.plus(longest_lease),
    )?;
    Ok(updated == 1)
}

/// Renews the lease of a task; false when it was lost.
pub async fn renew(db: &dyn Executor, task: &str, lease: &str, leased_until: Timestamp) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE maintenance SET leased_until = $3 WHERE task = $1 AND lease = $2",
        task,
        lease,
        leased_until,
    )?;
    Ok(updated == 1)
}

/// Records a run that succeeded; false when the lease was lost.
pub async fn succeed(
    db: &dyn Executor,
    task: &str,
    lease: &str,
    now: Timestamp,
    run_at: Timestamp,
) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE maintenance SET lease = NULL, leased_until = NULL, failures = 0, last_error = NULL,
             finished_at = $3, run_at = $4
         WHERE task = $1 AND lease = $2",
        task,
        lease,
        now,
        run_at,
    )?;
    Ok(updated == 1)
}

/// Records a run that failed, and when the task runs again; false when the lease was lost.
pub async fn fail(
    db: &dyn Executor,
    task: &str,
    lease: &str,
    error: &str,
    now: Timestamp,
    run_at: Timestamp,
) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE maintenance SET lease = NULL, leased_until = NULL, failures = failures + 1, last_error = $3,
             finished_at = $4, run_at = $5
         WHERE task = $1 AND lease = $2",
        task,
        lease,
        error,
        now,
        run_at,
    )?;
    Ok(updated == 1)
}
