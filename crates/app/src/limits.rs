//! Rate limits of what an address, an account or the recipient of mails may do or cause.

use std::time::Duration;

use domain::{Refusal, UserId};
use storage::Engine;

use crate::rate_limiter::Key;
use crate::{App, Result};

pub use crate::rate_limiter::{Limit, LimitSettings, Subject, block_of};

/// Counts a request against a limit, as often for each of its subjects as it says.
///
/// # Errors
/// [`Refusal::TooMany`], with the time to wait; nothing is counted then.
pub async fn check(app: &App, limit: Limit, subjects: &[(Subject<'_>, u32)]) -> Result<()> {
    let keys: Vec<_> = subjects
        .iter()
        .flat_map(|(subject, times)| Key::of(*subject).into_iter().map(|key| (key, *times)))
        .collect();
    let wait = match app.db.engine() {
        // Any number of processes may use it.
        Engine::Postgres if limit.is_shared() => app.shared_limits.admit(limit, &keys).await?,
        Engine::Sqlite | Engine::Postgres => app.rate_limiter.admit(limit, &keys, app.now()).err(),
    };
    let Some(wait) = wait else { return Ok(()) };
    app.metrics.record_rate_limited(limit);
    Err(refusal(wait).into())
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
