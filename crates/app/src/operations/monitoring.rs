//! For an operator's monitoring: readiness, warnings and metrics.

use std::sync::Arc;
use std::time::Duration;

use crate::faces::renewal::Renewal;
use crate::operations::readiness::READINESS_HOLDS;
use crate::operations::runtime::{failure, tasks};
use crate::operations::{clock_watch, orphans, stores};
use crate::uploads::admission;
use crate::{App, Failure, Result};

pub use crate::operations::metrics::{Format, TRACES};
pub use crate::operations::readiness::{Readiness, Unavailable};

/// By how much the clocks of this machine and of the database may differ.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(30);
/// Runs that failed in succession, from which on a task of maintenance is reported.
const FAILURES: i64 = 3;

/// Whether the service is ready, as was found out in the last 5 seconds.
pub async fn readiness(app: &App) -> Result<Arc<Readiness>> {
    let mut cached = app.readiness.clone().lock_owned().await;
    // An answer from the future was given before the clock was set back.
    if let Some((at, readiness)) = &*cached
        && *at <= app.now()
        && app.now().since(*at) < READINESS_HOLDS
    {
        return Ok(readiness.clone());
    }
    let app = app.clone();
    // It goes on when the caller is gone, so that callers who hang up do not begin it over and over.
    tasks::detached(async move {
        let readiness = Arc::new(find_out(&app).await);
        *cached = Some((app.now(), readiness.clone()));
        readiness
    })
    .await
}

async fn find_out(app: &App) -> Readiness {
    let mut readiness = Readiness::default();
    match app.db.ping().await {
        Ok(()) => inspect_store(app, &mut readiness).await,
        Err(error) => {
            tracing::error!(error = failure::chain(&error), "the database cannot be used");
            readiness.add_unavailable("database", "The database cannot be used.");
        }
    }
    let engine = app.engine.clone();
    if let Err(failure) = tasks::blocking(move || engine.ping()).await.and_then(|pong| Ok(pong?)) {
        tracing::error!(error = failure.chain(), "the face models cannot be used");
        readiness.add_unavailable("models", "The face models cannot be used.");
    }
    readiness
}

/// A store that is not this database's is not written to, also not to see whether it can be.
async fn inspect_store(app: &App, readiness: &mut Readiness) {
    match stores::bind(app).await {
        Ok(bond) if bond.is_own() => {
            if let Err(error) = app.store.ping().await {
                report_store(readiness, &error.into());
            }
            if !bond.may_be_swept() {
                readiness.warnings.push(bond.to_string());
            }
        }
        Ok(bond) => readiness.add_unavailable("media", bond.to_string()),
        Err(failure) => report_store(readiness, &failure),
    }
    match admission::is_disk_full(app).await {
        Ok(false) => {}
        Ok(true) => readiness.warnings.push(String::from("The disk is almost full: uploads are refused.")),
        Err(failure) => report_store(readiness, &failure),
    }
    match warnings(app).await {
        Ok(warnings) => readiness.warnings.extend(warnings),
        Err(failure) => tracing::error!(error = failure.chain(), "the warnings cannot be determined"),
    }
}

fn report_store(readiness: &mut Readiness, failure: &Failure) {
    tracing::error!(error = failure.chain(), "the media store cannot be used");
    readiness.add_unavailable("media", "The media store cannot be used.");
}

/// What an operator has to decide or look after although the service can be used, in sentences: the clocks and their jumps, photos of another
/// model pack, the last sweep of the media store, and maintenance. They are public, so failures are told without a reason.
pub async fn warnings(app: &App) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    if let Some(offset) = clock_offset(app).await? {
        warnings.push(format!(
            "The clocks of this machine and of the database differ by {} seconds.",
            offset.as_secs()
        ));
    }
    warnings.extend(clock_watch::warning(app).await?);
    match storage::photos::count_outdated(&app.db).await? {
        0 => {}
        1 => warnings.push(String::from("1 photo waits to be indexed again with the model pack in use.")),
        waiting => {
            warnings.push(format!("{waiting} photos wait to be indexed again with the model pack in use."));
        }
    }
    let (pack, previous) = (app.engine.pack_id(), app.engine.previous_id());
    let renewal = Renewal::of(&app.db, pack, previous, app.now()).await?;
    warnings.extend(renewal.map(|renewal| renewal.to_string()));
    let held = storage::operations::stores::get(&app.db).await?.and_then(|row| row.held);
    warnings.extend(held.map(|held| orphans::explain(&held)));
    let tasks = storage::operations::maintenance::all(&app.db).await?;
    warnings.extend(tasks.into_iter().filter(|row| row.failures >= FAILURES).map(|row| {
        let (task, failures) = (row.task, row.failures);
        format!("The maintenance task {task} failed {failures} times in succession; the log says why.")
    }));
    Ok(warnings)
}

/// By how much the clocks of this machine and of the database differ, when that is more than is tolerated.
async fn clock_offset(app: &App) -> Result<Option<Duration>> {
    if app.db.engine() == storage::Engine::Sqlite {
        // It has no clock but this machine's.
        return Ok(None);
    }
    let before = app.now();
    let database = storage::operations::runtime::clock::of_postgres(&app.db).await?;
    let after = app.now();
    // The database's reading was taken in between.
    let offset = before.since(database).max(database.since(after));
    Ok(Some(offset).filter(|offset| *offset > CLOCK_TOLERANCE))
}

/// Logs the warnings, at a start.
pub async fn log_warnings(app: &App) -> Result<()> {
    for warning in warnings(app).await? {
        tracing::warn!("{warning}");
    }
    Ok(())
}

/// Everything that is counted, and how the queue stands now, written so.
pub async fn metrics(app: &App, format: Format) -> Result<String> {
    let now = app.now();
    let backlog = storage::operations::runtime::jobs::backlog(&app.db, now).await?;
    app.metrics.encode(&backlog, now, format)
}

/// Counts an answered request. `route` is a template, never a path.
pub fn record_request(app: &App, route: &str, method: &'static str, status: u16, took: Duration) {
    app.metrics.record_request(route, method, status, took);
}
