//! What an operator's monitoring asks: whether the service is ready, and its metrics.

use std::time::Duration;

use crate::{App, Result, failure, tasks};

pub use crate::metrics::MEDIA_TYPE;

/// By how much the clocks of this machine and of the database may differ.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(30);

/// A dependency that cannot be used.
pub struct Unavailable {
    /// `database`, `media` or `models`.
    pub name: &'static str,
    /// The same as a sentence.
    pub message: &'static str,
}

/// The dependencies that cannot be used now; none when the service is ready.
pub async fn unavailable(app: &App) -> Vec<Unavailable> {
    let mut unavailable = Vec::new();
    if let Err(error) = app.db.ping().await {
        tracing::error!(error = failure::chain(&error), "the database cannot be used");
        unavailable.push(Unavailable { name: "database", message: "The database cannot be used." });
    }
    if let Err(error) = app.store.ping().await {
        tracing::error!(error = failure::chain(&error), "the media store cannot be used");
        unavailable.push(Unavailable { name: "media", message: "The media store cannot be used." });
    }
    let engine = app.engine.clone();
    if let Err(failure) = tasks::blocking(move || engine.ping()).await.and_then(|pong| Ok(pong?)) {
        tracing::error!(error = failure.chain(), "the face models cannot be used");
        unavailable.push(Unavailable { name: "models", message: "The face models cannot be used." });
    }
    unavailable
}

/// What an operator is to know although the service can be used: sentences.
///
/// # Errors
/// When the database cannot be read.
pub async fn notices(app: &App) -> Result<Vec<String>> {
    let mut notices = Vec::new();
    if let Some(offset) = clock_offset(app).await? {
        notices.push(format!(
            "The clocks of this machine and of the database differ by {} seconds.",
            offset.as_secs()
        ));
    }
    match storage::photos::count_outdated(&app.db).await? {
        0 => {}
        1 => notices.push(String::from("1 photo waits to be indexed again with the model pack in use.")),
        waiting => {
            notices.push(format!("{waiting} photos wait to be indexed again with the model pack in use."));
        }
    }
    Ok(notices)
}

/// By how much the clocks of this machine and of the database differ, when that is more than is tolerated.
async fn clock_offset(app: &App) -> Result<Option<Duration>> {
    if app.db.engine() == storage::Engine::Sqlite {
        // It has no clock but this machine's.
        return Ok(None);
    }
    let before = app.now();
    let database = storage::clock::of_postgres(&app.db).await?;
    let after = app.now();
    // The database's reading was taken in between.
    let offset = before.since(database).max(database.since(after));
    Ok(Some(offset).filter(|offset| *offset > CLOCK_TOLERANCE))
}

/// Logs what an operator is to know at a start.
pub async fn log_notices(app: &App) -> Result<()> {
    for notice in notices(app).await? {
        tracing::warn!("{notice}");
    }
    Ok(())
}

/// Everything that is counted, and how the queue stands now, in the format that [`MEDIA_TYPE`] names.
pub async fn metrics(app: &App) -> Result<String> {
    let now = app.now();
    let backlog = storage::jobs::backlog(&app.db, now).await?;
    app.metrics.encode(&backlog, now)
}

/// Counts an answered request. `route` is a template, never a path.
pub fn record_request(app: &App, route: &str, method: &'static str, status: u16, took: Duration) {
    app.metrics.record_request(route, method, status, took);
}
