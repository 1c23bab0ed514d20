//! Running work outside the caller's task: on a thread that may block, or in a task whose panic is contained.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use media::decoders::NICENESS;
use tokio::sync::oneshot;
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

/// Runs a blocking function as [`blocking`] does, for work that nobody waits for: on a thread of its own, to which the kernel
/// prefers every other thread of the process. A thread of the pool would not do: who has lowered its priority may not raise
/// it again. Each call starts a thread, so that it is for work that takes longer than that.
pub(crate) async fn background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let span = tracing::Span::current();
    let (sender, outcome) = oneshot::channel();
    let run = move || {
        lower_priority();
        // The caller may be gone.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| span.in_scope(work))));
    };
    let thread = std::thread::Builder::new().name(String::from("background")).spawn(run);
    thread.map_err(|error| Failure::Internal(format!("a thread cannot be started: {error}")))?;
    match outcome.await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(panic)) => Err(Failure::Internal(format!("a thread panicked: {}", message(&*panic)))),
        Err(_) => Err(Failure::Internal(String::from("a thread ended without an outcome"))),
    }
}

/// Where the kernel knows no priorities of threads, this one is as good as others.
fn lower_priority() {
    // Of the calling thread alone: Linux takes 0 for it, and 19 for what is more.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::getpriority_process(None)
        .and_then(|niceness| rustix::process::setpriority_process(None, niceness + NICENESS))
    {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "without a message",
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn work_in_the_background_has_a_lower_priority_and_leaves_that_of_others() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        assert_eq!(background(niceness).await.unwrap(), (before + NICENESS).min(19));
        assert_eq!(niceness(), before);
        assert_eq!(blocking(niceness).await.unwrap(), before);
    }

    #[tokio::test]
    async fn a_panic_in_the_background_is_an_error_with_its_message() {
        let outcome: Result<()> = background(|| panic!("out of {}", "paper")).await;
        let failure = outcome.unwrap_err();
        assert!(failure.chain().to_string().contains("out of paper"), "{failure:?}");
    }
}
