//! Looking at the clock, and what follows from its jumps.

use std::time::Duration;

use domain::operations::clock_watch::ClockWatch;
use domain::operations::runtime::jobs::LONGEST_WAIT;
use tokio_util::sync::CancellationToken;

use crate::operations::operators::OperatorContext;
use crate::{App, Result};

/// How often each process looks at the clock.
const INTERVAL: Duration = Duration::from_secs(60);

/// Looks at the clock until `stop` is cancelled.
pub(crate) async fn run(app: &App, stop: CancellationToken) {
    let mut is_first = true;
    while !stop.is_cancelled() {
        match observe(app, is_first).await {
            Ok(_) => is_first = false,
            Err(failure) => {
                tracing::error!(error = failure.chain(), "the clock cannot be compared with the last look")
            }
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Whether something may be removed because its time has come. Looks at the clock first: a jump may be younger than the last
/// look.
pub(crate) async fn allows_removals(app: &App) -> Result<bool> {
    Ok(observe(app, false).await?.held_until.is_none())
}

/// Looks at the clock. After a jump back, and where `bounds_jobs`, jobs that a clock which was ahead has put off are due; what else
/// it has dated is set back once nobody doubts that it was.
pub(crate) async fn observe(app: &App, bounds_jobs: bool) -> Result<ClockWatch> {
    let now = app.now();
    let mut tx = app.begin().await?;
    let before = storage::operations::clock_watch::lock(&mut tx, now).await?;
    let watch = before.clone().observed(now);
    storage::operations::clock_watch::save(&mut tx, &watch).await?;
    let jumped = watch.jump != before.jump;
    if bounds_jobs || jumped {
        let by_queue = app.queue.now().await?;
        let hastened =
            storage::operations::runtime::jobs::bound_waits(&mut tx, by_queue, LONGEST_WAIT).await?;
        if hastened > 0 {
            tracing::warn!(jobs = hastened, "jobs were put off by a clock that was ahead; they are due now");
        }
    }
    if watch.was_ahead(now) {
        let rows = storage::operations::clock_watch::set_back(&mut tx, now).await?;
        if rows > 0 {
            tracing::warn!(rows, "what a clock that was ahead has dated is set back");
        }
    }
    tx.commit().await?;
    if jumped && let Some(jump) = watch.jump {
        let (from, to) = (jump.from.to_rfc3339(), jump.to.to_rfc3339());
        let held_until = watch.held_until.map(domain::Timestamp::to_rfc3339);
        tracing::error!(from, to, held_until, "the clock has jumped");
    }
    Ok(watch)
}

/// What an operator should know about the clock.
pub(crate) async fn warning(app: &App) -> Result<Option<String>> {
    let watch = storage::operations::clock_watch::get(&app.db).await?;
    Ok(watch.and_then(|watch| watch.warning(app.now())))
}

/// `afterglow clock`: what is remembered of the clock; none before the first look.
///
/// # Errors
/// When the database fails.
pub async fn show(context: &OperatorContext) -> Result<Option<ClockWatch>> {
    Ok(storage::operations::clock_watch::get(&context.db).await?)
}

/// `afterglow clock confirm`: the clock is right, and what is due is removed.
///
/// # Errors
/// When the database fails.
pub async fn confirm(context: &OperatorContext) -> Result<()> {
    let mut tx = context.db.begin().await?;
    let watch = storage::operations::clock_watch::lock(&mut tx, context.clock.now()).await?;
    storage::operations::clock_watch::save(&mut tx, &watch.confirmed()).await?;
    Ok(tx.commit().await?)
}
