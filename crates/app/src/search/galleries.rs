//! The embeddings of recently searched events, in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{FaceId, PhotoId};
use storage::faces::Scope;

use crate::{App, Result, blocking};

/// All embeddings of an event or a library at one revision.
pub(crate) struct CachedGallery {
    pub(crate) gallery: vision::Gallery,
    /// Whose face each row of the gallery is.
    pub(crate) rows: Vec<(FaceId, PhotoId)>,
    revision: i64,
    bytes: usize,
}

/// A cache bounded by bytes that drops what was not asked for longest.
///
/// It needs no messages between machines: an entry counts only while the scope's revision in the database is its own.
pub(crate) struct Galleries {
    budget: usize,
    entries: Mutex<Vec<Entry>>,
}

struct Entry {
    scope: Scope,
    /// One at a time reads an event from the database; others wait for it instead of reading it too.
    slot: Arc<tokio::sync::Mutex<Option<Arc<CachedGallery>>>>,
    bytes: usize,
}

impl Galleries {
    pub(crate) fn new(budget: usize) -> Self {
        Self { budget, entries: Mutex::new(Vec::new()) }
    }

    /// The embeddings of `scope` as they are now.
    pub(crate) async fn get(&self, app: &App, scope: Scope) -> Result<Arc<CachedGallery>> {
        let slot = self.slot(scope);
        let mut kept = slot.lock().await;
        // The revision is read before the rows: rows that come in between are read again next time.
        let revision = storage::faces::revision(&app.db, scope).await?.unwrap_or(-1);
        if let Some(gallery) = kept.as_ref().filter(|gallery| gallery.revision == revision) {
            return Ok(gallery.clone());
        }
        let faces = storage::faces::embeddings(&app.db, scope, app.engine.pack_id()).await?;
        let engine = app.engine.clone();
        let gallery = Arc::new(
            blocking(move || -> Result<CachedGallery> {
                let gallery = engine.gallery(faces.iter().map(|face| &face.embedding))?;
                let rows: Vec<_> = faces.iter().map(|face| (face.id, face.photo)).collect();
                let bytes = gallery.bytes() + size_of_val(rows.as_slice());
                Ok(CachedGallery { gallery, rows, revision, bytes })
            })
            .await??,
        );
        *kept = Some(gallery.clone());
        drop(kept);
        self.account(scope, gallery.bytes);
        Ok(gallery)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot of `scope`, made the most recently used one.
    fn slot(&self, scope: Scope) -> Arc<tokio::sync::Mutex<Option<Arc<CachedGallery>>>> {
        let mut entries = self.lock();
        let entry = match entries.iter().position(|entry| entry.scope == scope) {
            Some(place) => entries.remove(place),
            None => Entry { scope, slot: Arc::default(), bytes: 0 },
        };
        let slot = entry.slot.clone();
        entries.push(entry);
        slot
    }

    /// Notes the size of `scope` and drops the least recently used others until all fit.
    fn account(&self, scope: Scope, bytes: usize) {
        let mut entries = self.lock();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.scope == scope) {
            entry.bytes = bytes;
        }
        let mut total: usize = entries.iter().map(|entry| entry.bytes).sum();
        while total > self.budget && entries.len() > 1 {
            total -= entries.remove(0).bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ids::Id;
    use domain::{EventId, Timestamp};

    #[test]
    fn the_least_recently_used_goes_first() {
        let scope = |n: u8| Scope::Event(EventId::from_parts(Timestamp::from_millis(0), [n; 10]));
        let galleries = Galleries::new(100);
        for n in 0..3 {
            galleries.slot(scope(n));
            galleries.account(scope(n), 40);
        }
        let kept =
            |galleries: &Galleries| galleries.lock().iter().map(|entry| entry.scope).collect::<Vec<_>>();
        assert_eq!(kept(&galleries), [scope(1), scope(2)]);
        galleries.slot(scope(1));
        galleries.slot(scope(3));
        galleries.account(scope(3), 40);
        assert_eq!(kept(&galleries), [scope(1), scope(3)]);
        galleries.account(scope(3), 1_000);
        assert_eq!(
            kept(&galleries),
            [scope(3)],
            "one that is too large alone is still kept while it is used"
        );
    }
}
