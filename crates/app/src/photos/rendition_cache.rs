//! Renditions that were sent last, in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use domain::photos::{MediaKey, Size};
use domain::{PhotoId, Timestamp};
use moka::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// For how long a photo that was seen in the database counts as there: as long as other processes keep what was deleted
/// (`stale_embeddings.rs`).
const SEEN_HOLDS: Duration = Duration::from_secs(10);
/// What an entry takes beside its bytes, about.
const ENTRY_BYTES: usize = 512;

/// Renditions by photo and size, bounded by their bytes, and a bound of the same size for those that are being sent.
///
/// A photo that this process deletes is gone at once. What another process deletes is noticed when the database is asked
/// again, after [`SEEN_HOLDS`] at the latest.
pub(crate) struct RenditionCache {
    renditions: Cache<(PhotoId, Look), Arc<Rendition>>,
    /// How often photos were deleted in this process.
    removals: AtomicU64,
    /// In KiB: what is in memory for clients that take it slowly.
    sending: Arc<Semaphore>,
}

/// How a rendition looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Look {
    /// As it is stored.
    Plain(Size),
    /// With its photographer's watermark, for guests.
    Marked(Size),
    /// Of a photo that is not indexed yet: none is stored.
    Early,
}

/// A rendition in memory.
pub(crate) struct Rendition {
    pub(crate) key: MediaKey,
    pub(crate) bytes: Bytes,
    /// The name of the watermark on it.
    pub(crate) mark: Option<String>,
    /// When its photo was last known to be there.
    seen_at: AtomicI64,
}

/// A question to the database whether a photo is there. What was read before photos were deleted is not kept.
#[derive(Clone, Copy)]
pub(crate) struct Sighting {
    at: Timestamp,
    removals: u64,
}

impl Rendition {
    pub(crate) fn new(key: MediaKey, bytes: Bytes, sighting: Sighting) -> Self {
        Self { key, bytes, mark: None, seen_at: AtomicI64::new(sighting.at.as_millis()) }
    }

    /// One with the watermark of this name.
    pub(crate) fn marked(self, name: String) -> Self {
        Self { mark: Some(name), ..self }
    }

    /// Whether the database need not be asked for its photo.
    pub(crate) fn was_seen(&self, now: Timestamp) -> bool {
        let seen_at = Timestamp::from_millis(self.seen_at.load(Ordering::Relaxed));
        // One from the future was written before the clock was set back.
        seen_at <= now && now.since(seen_at) < SEEN_HOLDS
    }

    pub(crate) fn see(&self, sighting: Sighting) {
        self.seen_at.store(sighting.at.as_millis(), Ordering::Relaxed);
    }
}

impl RenditionCache {
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            renditions: Cache::builder()
                .max_capacity(bytes as u64)
                .weigher(|_, rendition: &Arc<Rendition>| {
                    u32::try_from(rendition.bytes.len() + ENTRY_BYTES).unwrap_or(u32::MAX)
                })
                .build(),
            removals: AtomicU64::default(),
            sending: Arc::new(Semaphore::new((bytes >> 10).min(Semaphore::MAX_PERMITS))),
        }
    }

    pub(crate) fn get(&self, photo: PhotoId, look: Look) -> Option<Arc<Rendition>> {
        self.renditions.get(&(photo, look))
    }

    /// To be made before the database is asked.
    pub(crate) fn sighting(&self, now: Timestamp) -> Sighting {
        Sighting { at: now, removals: self.removals.load(Ordering::SeqCst) }
    }

    pub(crate) fn keep(&self, photo: PhotoId, look: Look, rendition: Arc<Rendition>, sighting: Sighting) {
        self.renditions.insert((photo, look), rendition);
        // A deletion counts before it forgets: either this sees it, or it finds what was inserted.
        if self.removals.load(Ordering::SeqCst) != sighting.removals {
            self.renditions.invalidate(&(photo, look));
        }
    }

    /// Drops the renditions of deleted photos.
    pub(crate) fn forget(&self, photos: impl IntoIterator<Item = PhotoId>) {
        self.removals.fetch_add(1, Ordering::SeqCst);
        for photo in photos {
            let stored =
                Size::RENDITIONS.into_iter().flat_map(|size| [Look::Plain(size), Look::Marked(size)]);
            for look in stored.chain([Look::Early]) {
                self.renditions.invalidate(&(photo, look));
            }
        }
    }

    /// Room for so many bytes that are being sent; none while others take it.
    pub(crate) fn room(&self, bytes: u64) -> Option<Room> {
        let permits = u32::try_from(bytes.div_ceil(1 << 10)).ok()?;
        self.sending.clone().try_acquire_many_owned(permits).ok().map(Room)
    }
}

/// Room for bytes that are being sent, until they are.
pub(crate) struct Room(OwnedSemaphorePermit);

impl Room {
    /// The bytes, which take this room until the last of their clones is dropped, and no more of it than they need.
    pub(crate) fn hold(mut self, bytes: Bytes) -> Bytes {
        let needed = bytes.len().div_ceil(1 << 10);
        drop(self.0.split(self.0.num_permits().saturating_sub(needed)));
        Bytes::from_owner(Sent { bytes, _room: self })
    }
}

struct Sent {
    bytes: Bytes,
    _room: Room,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::Id as _;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn photo() -> PhotoId {
        PhotoId::from_parts(NOW, [7; 10])
    }

    fn rendition(sighting: Sighting) -> Arc<Rendition> {
        let key = MediaKey::from_trusted(String::from("thumbnails/a.jpg"));
        Arc::new(Rendition::new(key, Bytes::from_static(b"jpeg"), sighting))
    }

    #[test]
    fn what_is_deleted_while_it_is_read_is_not_kept() {
        // [RUN282]
        for look in [Look::Plain(Size::Thumbnail), Look::Marked(Size::Medium), Look::Early] {
            let cache = RenditionCache::new(1 << 20);
            let before = cache.sighting(NOW);
            cache.keep(photo(), look, rendition(before), before);
            assert!(cache.get(photo(), look).is_some());
            cache.forget([photo()]);
            assert!(cache.get(photo(), look).is_none());
            cache.keep(photo(), look, rendition(before), before);
            assert!(cache.get(photo(), look).is_none(), "it was read before the deletion");
        }
    }

    #[test]
    fn a_photo_counts_as_there_for_ten_seconds_of_a_clock_that_goes_forward() {
        // [RUN319]
        let cache = RenditionCache::new(1 << 20);
        let kept = rendition(cache.sighting(NOW));
        let later = |millis: u64| NOW.plus(Duration::from_millis(millis));
        assert!(kept.was_seen(NOW) && kept.was_seen(later(9_999)));
        assert!(!kept.was_seen(later(10_000)));
        assert!(!kept.was_seen(NOW.minus(Duration::from_millis(1))));
        kept.see(cache.sighting(later(10_000)));
        assert!(kept.was_seen(later(19_999)) && !kept.was_seen(later(20_000)));
    }

    #[test]
    fn what_is_being_sent_takes_room_until_it_is() {
        let cache = RenditionCache::new(64 << 10);
        let sent = cache.room(64 << 10).unwrap().hold(Bytes::from(vec![0; 16 << 10]));
        let part = sent.slice(..10);
        drop(sent);
        assert!(cache.room((48 << 10) + 1).is_none());
        assert!(cache.room(48 << 10).is_some());
        drop(part);
        assert!(cache.room(64 << 10).is_some());
        assert!(RenditionCache::new(0).room(1).is_none());
    }
}
