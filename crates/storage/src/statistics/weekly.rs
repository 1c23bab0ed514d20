//! Which accounts want the weekly mail, and when the next one is due.

use domain::{Timestamp, UserId};

use crate::operations::runtime::decode;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

/// When the next summary of an account is due; none where none is wanted.
pub async fn due_at(db: &dyn Executor, user: UserId) -> Result<Option<Timestamp>> {
    let due = fetch_optional!(
        db,
        i64,
        "SELECT weekly_summary_at FROM users WHERE id = $1 AND weekly_summary_at IS NOT NULL",
        user,
    )?;
    Ok(decode::time(due))
}

/// Mails an account its summaries from `first` on, or none. One who gets them already keeps the date.
pub async fn set(db: &dyn Executor, user: UserId, first: Option<Timestamp>) -> Result<()> {
    execute!(
        db,
        "UPDATE users SET weekly_summary_at = CASE WHEN $2 THEN COALESCE(weekly_summary_at, $3) END
         WHERE id = $1 AND closed_at IS NULL",
        user,
        first.is_some(),
        first.map(Timestamp::as_millis).unwrap_or_default(),
    )?;
    Ok(())
}

/// Accounts whose summary is due by `now`, those that wait longest first.
pub async fn due(db: &dyn Executor, now: Timestamp, limit: i64) -> Result<Vec<UserId>> {
    fetch_all!(
        db,
        UserId,
        "SELECT id FROM users WHERE weekly_summary_at <= $1 ORDER BY weekly_summary_at, id LIMIT $2",
        now,
        limit,
    )
}

/// Sets the date of the summary after the one that is due by `now`; false when another process has done so, or none is
/// wanted any more.
pub async fn advance(tx: &mut Tx, user: UserId, now: Timestamp, next: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET weekly_summary_at = $3 WHERE id = $1 AND weekly_summary_at <= $2",
        user,
        now,
        next,
    )?;
    Ok(updated == 1)
}
