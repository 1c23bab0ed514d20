//! Operations on the local disk that the standard library lacks.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::time::UNIX_EPOCH;

use domain::Timestamp;
use tokio::task::spawn_blocking;

/// Runs `work` on a thread for blocking work and to its end, even when nobody awaits it any more.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

/// Turns "not found" into none.
pub(crate) fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// When a file was last modified.
pub(crate) fn modified(metadata: &Metadata) -> io::Result<Timestamp> {
    let millis = match metadata.modified()?.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
    };
    Ok(Timestamp::from_millis(millis))
}
