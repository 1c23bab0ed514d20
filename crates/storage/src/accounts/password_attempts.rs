//! Wrong passwords in succession.

use domain::Timestamp;
use domain::accounts::tokens::TokenHash;

use crate::operations::runtime::decode::FromColumns;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// The wrong passwords in succession that were tried for one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordFailures {
    /// How many.
    pub failures: i64,
    /// When the last one was tried.
    pub last_at: Timestamp,
    /// Until when no attempt is admitted.
    pub retry_at: Timestamp,
}

row! {
    pub(crate) struct PasswordFailuresRow {
        failures: i64,
        last_at: i64,
        retry_at: i64,
    }
}

impl FromColumns for PasswordFailures {
    type Columns = PasswordFailuresRow;

    fn from_columns(row: PasswordFailuresRow) -> Result<Self> {
        Ok(Self {
            failures: row.failures,
            last_at: Timestamp::from_millis(row.last_at),
            retry_at: Timestamp::from_millis(row.retry_at),
        })
    }
}

/// The failures of a subject; none after a success.
pub async fn find(db: &dyn Executor, key: &TokenHash) -> Result<Option<PasswordFailures>> {
    fetch_optional!(
        db,
        PasswordFailures,
        "SELECT failures, last_at, retry_at FROM password_failures WHERE key = $1",
        key,
    )
}

/// Replaces the failures of a subject; false, and nothing has changed, when they are not `expected` any more.
pub async fn replace(
    tx: &mut Tx,
    key: &TokenHash,
    expected: Option<PasswordFailures>,
    new: PasswordFailures,
) -> Result<bool> {
    let expected = expected.map_or(0, |expected| expected.failures);
    let replaced = execute!(
        tx,
        "INSERT INTO password_failures (key, failures, last_at, retry_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (key) DO UPDATE
         SET failures = excluded.failures, last_at = excluded.last_at, retry_at = excluded.retry_at
         WHERE password_failures.failures = $5",
        key,
        new.failures,
        new.last_at,
        new.retry_at,
        expected,
    )?;
    Ok(replaced == 1)
}

/// Forgets the failures of a subject.
pub async fn clear(tx: &mut Tx, key: &TokenHash) -> Result<()> {
    execute!(tx, "DELETE FROM password_failures WHERE key = $1", key)?;
    Ok(())
}

/// Forgets the failures whose last attempt was before `before`, and answers their number.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM password_failures WHERE last_at < $1", before)
}
