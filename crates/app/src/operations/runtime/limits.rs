//! Rate limits of what an address, an account or the recipient of mails may do or cause.

use std::time::Duration;

use domain::{Refusal, UserId};
use storage::Engine;

use crate::operations::runtime::rate_limiter::Key;
use crate::{App, Result};

pub use crate::operations::runtime::rate_limiter::{Limit, LimitSettings, Subject, block_of};

/// Counts a request against a limit, as often for each of its subjects as it says.
///
/// # Errors
/// [`Refusal::TooMany`], with the time to wait; nothing is counted then.
pub async fn check(app: &App, limit: Limit, subjects: &[(Subject<'_>, u32)]) -> Result<()> {
    let keys = keys_of(subjects);
    let wait = match is_shared(app, limit) {
        true => app.shared_limits.admit(limit, &keys).await?,
        false => app.rate_limiter.admit(limit, &keys, app.now()).err(),
    };
    let Some(wait) = wait else { return Ok(()) };
    app.metrics.record_rate_limited(limit);
    Err(refusal(wait).into())
}

/// Counts a request like [`check`]; false, and nothing is counted, where that is beyond the limit.
pub(crate) async fn admits(app: &App, limit: Limit, subjects: &[(Subject<'_>, u32)]) -> Result<bool> {
    let keys = keys_of(subjects);
    Ok(match is_shared(app, limit) {
        true => app.shared_limits.admit(limit, &keys).await?.is_none(),
        false => app.rate_limiter.admit(limit, &keys, app.now()).is_ok(),
    })
}

/// Takes back what [`check`] has counted a moment ago, for what is counted before it is known whether it is to count: attempts
/// that are made at the same time count all the same until then.
pub(crate) async fn take_back(app: &App, limit: Limit, subjects: &[(Subject<'_>, u32)]) -> Result<()> {
    let keys = keys_of(subjects);
    match is_shared(app, limit) {
        true => app.shared_limits.take_back(limit, &keys).await?,
        false => app.rate_limiter.take_back(limit, &keys),
    }
    Ok(())
}

fn keys_of(subjects: &[(Subject<'_>, u32)]) -> Vec<(Key, u32)> {
    let keys = |(subject, times): &(Subject<'_>, u32)| {
        let times = *times;
        Key::of(*subject).into_iter().map(move |key| (key, times))
    };
    subjects.iter().flat_map(keys).collect()
}

/// Whether a limit is counted in the database: any number of processes may use PostgreSQL.
fn is_shared(app: &App, limit: Limit) -> bool {
    app.db.engine() == Engine::Postgres && limit.is_shared()
}

/// Counts one request of an account against a limit.
///
/// # Errors
/// [`Refusal::TooMany`], with the time to wait; nothing is counted then.
pub async fn check_account(app: &App, limit: Limit, account: UserId) -> Result<()> {
    check(app, limit, &[(Subject::Account(account), 1)]).await
}

/// The refusal of an attempt at a password that has to wait.
pub(crate) fn refuse_password(app: &App, wait: Duration) -> Refusal {
    app.metrics.record_rate_limited(Limit::Passwords);
    refusal(wait)
}

fn refusal(wait: Duration) -> Refusal {
    let seconds = wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX);
    Refusal::TooMany { retry_after: Duration::from_secs(seconds).max(Duration::from_secs(1)) }
}
