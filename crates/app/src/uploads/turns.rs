//! Who has an upload that comes in pieces: one request at a time, and the latest one interrupts those before.
//!
//! A client whose line was cut comes back before this side has noticed the cut. Its new request does not wait until the
//! one before has timed out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::UploadId;
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

/// The uploads that requests have or wait for.
#[derive(Default)]
pub(crate) struct UploadTurns(Arc<Uploads>);

#[derive(Default)]
struct Uploads(Mutex<HashMap<UploadId, Entry>>);

struct Entry {
    requests: usize,
    /// Tells the latest request that another has come.
    interrupt: CancellationToken,
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// A request's turn with an upload, until it is dropped.
pub(crate) struct UploadTurn {
    interrupt: CancellationToken,
    // The fields are dropped in this order: the upload is forgotten when nobody has it.
    _turn: OwnedMutexGuard<()>,
    _place: Place,
}

struct Place {
    uploads: Arc<Uploads>,
    id: UploadId,
}

impl UploadTurns {
    /// Interrupts the request that has the upload, and waits until it has ended.
    pub(crate) async fn take(&self, id: UploadId) -> UploadTurn {
        let (place, turn, interrupt) = self.enter(id);
        UploadTurn { interrupt, _turn: turn.lock_owned().await, _place: place }
    }

    fn enter(&self, id: UploadId) -> (Place, Arc<tokio::sync::Mutex<()>>, CancellationToken) {
        let interrupt = CancellationToken::new();
        let mut uploads = self.0.lock();
        let entry = uploads.entry(id).or_insert_with(|| Entry {
            requests: 0,
            interrupt: interrupt.clone(),
            turn: Arc::default(),
        });
        entry.requests += 1;
        if entry.requests > 1 {
            std::mem::replace(&mut entry.interrupt, interrupt.clone()).cancel();
        }
        let turn = entry.turn.clone();
        drop(uploads);
        (Place { uploads: self.0.clone(), id }, turn, interrupt)
    }

    /// Whether a request has the upload.
    pub(crate) fn is_taken(&self, id: UploadId) -> bool {
        self.0.lock().contains_key(&id)
    }
}

impl UploadTurn {
    /// Resolves when another request wants the upload.
    pub(crate) async fn interrupted(&self) {
        self.interrupt.cancelled().await;
    }
}

impl Uploads {
    fn lock(&self) -> MutexGuard<'_, HashMap<UploadId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut uploads = self.uploads.lock();
        if let Some(entry) = uploads.get_mut(&self.id) {
            entry.requests -= 1;
            if entry.requests == 0 {
                uploads.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::Timestamp;
    use domain::ids::Id as _;

    use super::*;

    #[tokio::test]
    async fn the_latest_request_interrupts_and_waits_and_a_free_upload_is_forgotten() {
        // [UPL159]
        let turns = Arc::new(UploadTurns::default());
        let id = UploadId::from_parts(Timestamp::from_millis(1), [0; 10]);
        let first = turns.take(id).await;
        let waits = |turns: Arc<UploadTurns>| tokio::spawn(async move { turns.take(id).await });
        let second = waits(turns.clone());
        tokio::time::timeout(Duration::from_secs(5), first.interrupted()).await.unwrap();
        assert!(!second.is_finished() && turns.is_taken(id));
        drop(first);
        let second = second.await.unwrap();
        assert!(tokio::time::timeout(Duration::from_millis(5), second.interrupted()).await.is_err());
        let third = waits(turns.clone());
        tokio::time::timeout(Duration::from_secs(5), second.interrupted()).await.unwrap();
        third.abort();
        assert!(third.await.is_err());
        drop(second);
        assert!(!turns.is_taken(id));
    }
}
