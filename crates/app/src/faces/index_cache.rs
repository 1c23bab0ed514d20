//! The embeddings of recently searched events, in memory.

mod cached_index;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use moka::notification::RemovalCause;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use storage::Db;
use storage::faces::index::{Scope, Version};
use tokio::sync::{Semaphore, SemaphorePermit};
use vision::{Engine, Generation};

pub(crate) use cached_index::CachedIndex;

use crate::operations::metrics::{IndexLookup, Metrics};
use crate::operations::runtime::tasks;
use crate::{Failure, Result};

/// Faces that are read at once. They take three times the memory of those in an index.
const PAGE: u16 = 2_048;

/// Indexes by scope and recogniser, bounded by what they take in memory together; the least recently used go first.
///
/// It needs no messages between machines: a search asks the database for the version of its scope. What was added since is
/// appended, and an index from which something was removed is dropped and read again. Of the searches that find one
/// behind, one reads, and the others wait for it.
pub(crate) struct IndexCache {
    /// What all may take, in KiB, and so what one counts for at most: one that is too large alone is kept while it is used.
    capacity: u32,
    slots: Cache<Place, Arc<Slot>>,
    /// The capacity again, for indexes that are being read: they do not take it several times over.
    reading: Semaphore,
    metrics: Arc<Metrics>,
}

/// What an index has: the faces of a scope that a recogniser has described.
type Place = (Scope, Generation);

/// Where an index is.
#[derive(Default)]
struct Slot {
    content: Mutex<Content>,
    /// In KiB. While it is read, what it is going to take: room is made before.
    weight: AtomicU32,
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Content {
    face_index: Option<Arc<CachedIndex>>,
    /// It was evicted, and takes no index any more, so that none outlives its place.
    is_discarded: bool,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn face_index(&self) -> Option<Arc<CachedIndex>> {
        self.lock().face_index.clone()
    }

    fn face_index_at(&self, wanted: Version) -> Option<Arc<CachedIndex>> {
        self.face_index().filter(|face_index| face_index.is_at(wanted))
    }

    /// The index that can grow to `wanted`; another is dropped.
    fn face_index_to_extend(&self, wanted: Version) -> Option<Arc<CachedIndex>> {
        let mut content = self.lock();
        content.face_index = content.face_index.take().filter(|face_index| face_index.can_grow_to(wanted));
        content.face_index.clone()
    }

    fn put(&self, face_index: &Arc<CachedIndex>) {
        let mut content = self.lock();
        if !content.is_discarded {
            content.face_index = Some(face_index.clone());
        }
    }

    fn discard(&self) {
        let mut content = self.lock();
        content.is_discarded = true;
        content.face_index = None;
    }

    fn is_discarded(&self) -> bool {
        self.lock().is_discarded
    }
}

impl IndexCache {
    pub(crate) fn new(bytes: usize, metrics: Arc<Metrics>) -> Self {
        let capacity = u32::try_from(bytes >> 10).unwrap_or(u32::MAX).max(1);
        let slots = Cache::builder()
            .max_capacity(u64::from(capacity))
            // moka's other policy refuses a place to what is used less often, and a large event would be read for each search.
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|_, slot: &Arc<Slot>| slot.weight.load(Ordering::Relaxed))
            // moka frees what it evicts later; embeddings go at once.
            .eviction_listener(|_, slot, cause| {
                if cause != RemovalCause::Replaced {
                    slot.discard();
                }
            })
            .build();
        Self { capacity, slots, reading: Semaphore::new(capacity as usize), metrics }
    }

    /// The embeddings of `scope` as they are now, by the recogniser of a generation that the engine has.
    pub(crate) async fn get(
        &self,
        db: &Db,
        engine: &Engine,
        scope: Scope,
        generation: Generation,
    ) -> Result<Arc<CachedIndex>> {
        // It is asked for before the index is looked at, which may be newer then, and never older.
        let Some(wanted) = storage::faces::index::version(db, scope).await? else {
            self.forget(scope);
            return Ok(Arc::new(CachedIndex::empty(engine, generation)?));
        };
        let place = (scope, generation);
        let slot =
            self.slots.entry(place).or_insert_with_if(Arc::default, |slot| slot.is_discarded()).into_value();
        if let Some(face_index) = slot.face_index_at(wanted) {
            self.metrics.record_face_index_lookup(IndexLookup::Current);
            return Ok(face_index);
        }
        let _turn = slot.turn.lock().await;
        if let Some(face_index) = slot.face_index_at(wanted) {
            self.metrics.record_face_index_lookup(IndexLookup::Shared);
            return Ok(face_index);
        }
        self.read(db, engine, place, &slot).await
    }

    /// Reads what is missing of an index; the caller has the slot's turn.
    async fn read(
        &self,
        db: &Db,
        engine: &Engine,
        (scope, generation): Place,
        slot: &Arc<Slot>,
    ) -> Result<Arc<CachedIndex>> {
        // Before the faces: those that come in between are read now or the next time, and what goes is noticed then.
        let version = storage::faces::index::version(db, scope).await?;
        let version = version.ok_or_else(|| Failure::Internal(format!("{scope:?} has gone")))?;
        let (mut face_index, lookup) = match slot.face_index_to_extend(version) {
            Some(known) => (CachedIndex::clone(&known), IndexLookup::Extended),
            None => (CachedIndex::empty(engine, generation)?, IndexLookup::Read),
        };
        // Of a recogniser that the engine does not have there are no faces.
        let pack = engine.id_of(generation).unwrap_or_default();
        let mut after = face_index.end();
        let mut last_change = None;
        let mut room = None;
        loop {
            let page = storage::faces::index::page(db, scope, pack, after, PAGE.into()).await?;
            let is_last = page.len() < usize::from(PAGE);
            if let Some(last) = page.last() {
                (after, last_change) = (last.position(), Some(last.change));
                face_index = tasks::blocking(move || face_index.extend(&page).map(|()| face_index)).await??;
            }
            if is_last {
                break;
            }
            if room.is_none() {
                room = Some(self.make_room(db, pack, (scope, generation), slot, &face_index).await?);
            }
        }
        face_index.complete(version, last_change);
        let face_index = Arc::new(face_index);
        slot.put(&face_index);
        self.weigh((scope, generation), slot, face_index.bytes());
        self.metrics.record_face_index_lookup(lookup);
        Ok(face_index)
    }

    /// Evicts others until an index fits of which a part is read, and waits for those that are being read.
    async fn make_room(
        &self,
        db: &Db,
        pack: &str,
        place: Place,
        slot: &Arc<Slot>,
        part: &CachedIndex,
    ) -> Result<SemaphorePermit<'_>> {
        let faces = storage::faces::index::count(db, place.0, pack).await?;
        let faces = usize::try_from(faces).unwrap_or_default().max(part.face_index.len());
        let bytes = (part.bytes() / part.face_index.len().max(1)).saturating_mul(faces);
        let permit = self.reading.acquire_many(self.weight(bytes)).await;
        let permit = permit.map_err(|_| Failure::Internal(String::from("indexes are not read any more")))?;
        self.weigh(place, slot, bytes);
        Ok(permit)
    }

    /// Whether so many faces of a library are kept in memory: at most an eighth of it, since guests search events.
    pub(crate) fn has_room_for_library(&self, faces: i64, dimension: usize) -> bool {
        let each = vision::FaceIndex::bytes_of_face(dimension) + CachedIndex::BYTES_OF_FACE;
        let bytes = usize::try_from(faces).unwrap_or_default().saturating_mul(each);
        self.weight(bytes.saturating_mul(8)) < self.capacity
    }

    fn weight(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX).min(self.capacity)
    }

    fn weigh(&self, place: Place, slot: &Arc<Slot>, bytes: usize) {
        slot.weight.store(self.weight(bytes), Ordering::Relaxed);
        if !slot.is_discarded() {
            self.slots.insert(place, slot.clone());
        }
        self.tidy();
    }

    /// Has moka evict now what does not fit.
    fn tidy(&self) {
        self.slots.run_pending_tasks();
        self.metrics.set_face_index_memory(self.slots.weighted_size() << 10);
    }

    /// Drops the embeddings of `scope`.
    pub(crate) fn forget(&self, scope: Scope) {
        for generation in [Generation::Current, Generation::Previous] {
            if let Some(slot) = self.slots.remove(&(scope, generation)) {
                slot.discard();
                self.tidy();
            }
        }
    }

    /// Drops the embeddings from which some were removed since they were read.
    pub(crate) async fn drop_stale(&self, db: &Db) -> Result<()> {
        let slots: Vec<(Arc<Place>, Arc<Slot>)> = self.slots.iter().collect();
        for (place, slot) in slots {
            let (scope, _) = *place;
            let Some(face_index) = slot.face_index() else {
                continue;
            };
            let version = storage::faces::index::version(db, scope).await?;
            if !version.is_some_and(|version| face_index.can_grow_to(version)) {
                self.forget(scope);
            }
        }
        Ok(())
    }

    /// What all of them take in memory, in KiB.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> u64 {
        self.slots.run_pending_tasks();
        self.slots.weighted_size()
    }

    /// How many events' and libraries' embeddings are in memory.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn count(&self) -> usize {
        self.slots.iter().filter(|(_, slot)| slot.face_index().is_some()).count()
    }
}

#[cfg(test)]
mod tests;
