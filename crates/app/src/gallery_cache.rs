//! The embeddings of recently searched events, in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{FaceId, PhotoId};
use storage::Db;
use storage::faces::Scope;
use vision::Engine;

use crate::{Result, tasks};

/// All embeddings of an event or a library at one revision.
pub(crate) struct CachedGallery {
    pub(crate) gallery: vision::Gallery,
    /// Whose face each row of the gallery is.
    pub(crate) rows: Vec<(FaceId, PhotoId)>,
    revision: i64,
    bytes: usize,
}

/// An LRU cache bounded by bytes.
///
/// It needs no messages between machines: an entry is valid only while its revision is the scope's in the database.
pub(crate) struct GalleryCache {
    budget: usize,
    entries: Mutex<Vec<Entry>>,
}

struct Entry {
    scope: Scope,
    /// One at a time reads an event from the database; others wait for it instead of reading it too.
    slot: Slot,
    bytes: usize,
}

type Slot = Arc<tokio::sync::Mutex<Option<Arc<CachedGallery>>>>;

impl GalleryCache {
    pub(crate) fn new(budget: usize) -> Self {
        Self { budget, entries: Mutex::new(Vec::new()) }
    }

    /// The embeddings of `scope` as they are now.
    pub(crate) async fn get(&self, db: &Db, engine: &Engine, scope: Scope) -> Result<Arc<CachedGallery>> {
        let slot = self.slot(scope);
        let mut cached = slot.lock().await;
        // The revision is read before the rows: rows that come in between are read again next time.
        let revision = storage::faces::revision(db, scope).await?.unwrap_or(-1);
        if let Some(gallery) = cached.as_ref().filter(|gallery| gallery.revision == revision) {
            return Ok(gallery.clone());
        }
        let faces = storage::faces::embeddings(db, scope, engine.pack_id()).await?;
        let engine = engine.clone();
        let gallery = Arc::new(
            tasks::blocking(move || -> Result<CachedGallery> {
                let gallery = engine.gallery(faces.iter().map(|face| &face.embedding))?;
                let rows: Vec<_> = faces.iter().map(|face| (face.id, face.photo)).collect();
                let bytes = gallery.bytes() + size_of_val(rows.as_slice());
                Ok(CachedGallery { gallery, rows, revision, bytes })
            })
            .await??,
        );
        *cached = Some(gallery.clone());
        drop(cached);
        self.record_size(scope, gallery.bytes);
        Ok(gallery)
    }

    /// Drops the embeddings of `scope`.
    pub(crate) fn forget(&self, scope: Scope) {
        self.lock().retain(|entry| entry.scope != scope);
    }

    /// Drops the embeddings that are not those of their scope any more.
    pub(crate) async fn drop_stale(&self, db: &Db) -> Result<()> {
        let slots: Vec<(Scope, Slot)> =
            self.lock().iter().map(|entry| (entry.scope, entry.slot.clone())).collect();
        for (scope, slot) in slots {
            // One that is being read is looked at the next time.
            let cached = match slot.try_lock() {
                Ok(cached) => cached.as_ref().map(|gallery| gallery.revision),
                Err(_) => continue,
            };
            if cached.is_some() && cached != storage::faces::revision(db, scope).await? {
                self.lock().retain(|entry| !Arc::ptr_eq(&entry.slot, &slot));
            }
        }
        Ok(())
    }

    /// How many events' and libraries' embeddings are in memory.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot of `scope`, made the most recently used one.
    fn slot(&self, scope: Scope) -> Slot {
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
    fn record_size(&self, scope: Scope, bytes: usize) {
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
        let cache = GalleryCache::new(100);
        for n in 0..3 {
            cache.slot(scope(n));
            cache.record_size(scope(n), 40);
        }
        let cached = |cache: &GalleryCache| cache.lock().iter().map(|entry| entry.scope).collect::<Vec<_>>();
        assert_eq!(cached(&cache), [scope(1), scope(2)]);
        cache.slot(scope(1));
        cache.slot(scope(3));
        cache.record_size(scope(3), 40);
        assert_eq!(cached(&cache), [scope(1), scope(3)]);
        cache.record_size(scope(3), 1_000);
        assert_eq!(cached(&cache), [scope(3)], "one that is too large alone is still kept while it is used");
    }
}
