//! Running work outside the caller's task.

use crate::{Failure, Result};

/// Runs a blocking function on the pool of threads that may block, and waits for it.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let span = tracing::Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work))
        .await
        .map_err(|error| Failure::Internal(format!("a blocking task did not finish: {error}")))
}
