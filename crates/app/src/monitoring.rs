//! What an operator's monitoring asks: whether the service is ready, and its metrics.

use std::time::Duration;

use crate::{App, Result, failure, tasks};

pub use crate::metrics::MEDIA_TYPE;

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
