//! Embeddings in this process's memory that were deleted by another one.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{App, Result};

/// How long another process's deletion may leave embeddings in this one's memory.
const INTERVAL: Duration = Duration::from_secs(10);

/// Drops embeddings that were deleted or replaced meanwhile from this process's memory, until `stop` is cancelled. A search
/// never uses them, but nobody may search again.
pub async fn drop_stale_periodically(app: &App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(INTERVAL) => {}
        }
        if let Err(failure) = drop_stale(app).await {
            tracing::error!(error = failure.chain(), "deleted embeddings may be in memory");
        }
    }
}

/// Drops embeddings that were deleted or replaced meanwhile.
///
/// # Errors
/// When the database fails.
pub async fn drop_stale(app: &App) -> Result<()> {
    app.face_indexes.drop_stale(&app.db).await
}
