//! Running work outside the caller's task: on a thread that may block, or in a task whose panic is contained.

use tokio::task::{JoinError, JoinSet};
use tracing::Instrument as _;

use crate::{Failure, Result};

/// Runs a blocking function on the pool of threads that may block, and waits for it.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let span = tracing::Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work)).await.map_err(|error| unfinished(&error))
}

/// Runs a blocking function as [`blocking`] does, and holds `permits` until it has ended. A thread cannot be cancelled: the
/// function goes on when the caller is dropped, and permits that the caller held would then admit more work than they bound.
pub(crate) async fn blocking_with<P: Send + 'static, T: Send + 'static>(
    permits: P,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<(T, P)> {
    blocking(move || (work(), permits)).await
}

/// Runs a future in a task of its own and waits for it, so that its panic is an error for the caller and no more.
/// The task is aborted when the caller is dropped.
pub(crate) async fn isolated<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let mut task = spawn(work);
    join(&mut task).await
}

/// Runs a future in a task of its own and waits for it. The task goes on when the caller is dropped.
pub(crate) async fn detached<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T> {
    tokio::spawn(work.in_current_span()).await.map_err(|error| unfinished(&error))
}

/// The one task of a set, which aborts it when dropped.
pub(crate) fn spawn<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> JoinSet<Result<T>> {
    let mut task = JoinSet::new();
    task.spawn(work.in_current_span());
    task
}

/// Waits for the task of [`spawn`]. Dropping this leaves the task running.
pub(crate) async fn join<T: Send + 'static>(task: &mut JoinSet<Result<T>>) -> Result<T> {
    match task.join_next().await {
        Some(Ok(outcome)) => outcome,
        Some(Err(error)) => Err(unfinished(&error)),
        None => Err(Failure::Internal(String::from("a task was joined twice"))),
    }
}

/// The message of a panic is part of the error's text.
fn unfinished(error: &JoinError) -> Failure {
    Failure::Internal(format!("a task did not finish: {error}"))
}
