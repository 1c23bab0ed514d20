//! Rate limits of what one address may do.

use std::net::IpAddr;
use std::time::Duration;

use domain::Refusal;

use crate::App;

pub use crate::rate_limiter::{Limit, LimitSettings};

/// Counts `times` requests of this address against a limit.
///
/// # Errors
/// [`Refusal::TooMany`], with the time to wait; nothing is counted then.
pub fn check(app: &App, limit: Limit, address: IpAddr, times: u32) -> Result<(), Refusal> {
    app.rate_limiter.admit(limit, address, times, app.now()).map_err(|wait| {
        app.metrics.record_rate_limited(limit);
        let second = Duration::from_secs(1);
        let retry_after =
            Duration::from_secs(wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX));
        Refusal::TooMany { retry_after: retry_after.max(second) }
    })
}
