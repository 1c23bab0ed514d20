//! Numbers of what guests did that are in memory and not written yet.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::PhotoId;
use domain::statistics::Counts;
use storage::statistics::activity::Place;

/// What was counted and is not written yet.
#[derive(Default)]
pub(crate) struct Tallies(Mutex<Pending>);

/// Numbers that are to be written.
#[derive(Default)]
pub(crate) struct Pending {
    /// In the order in which they are written, so that two processes never wait for each other.
    pub(crate) places: BTreeMap<Place, Counts>,
    /// How often each photo was saved whose event is not known yet; its event has not counted it either.
    pub(crate) saved: HashMap<PhotoId, i64>,
    /// How often each photo was saved, beside what its event has counted.
    pub(crate) photos: BTreeMap<PhotoId, i64>,
}

impl Tallies {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, place: Place, counts: Counts) {
        self.lock().places.entry(place).or_default().add(counts);
    }

    /// Adds photos that were saved, each once.
    pub(crate) fn add_photos(&self, photos: &[PhotoId]) {
        let mut pending = self.lock();
        for photo in photos {
            *pending.photos.entry(*photo).or_default() += 1;
        }
    }

    /// Adds a photo that was saved, whose event is to be looked up.
    pub(crate) fn add_saved(&self, photo: PhotoId) {
        *self.lock().saved.entry(photo).or_default() += 1;
    }

    pub(crate) fn take(&self) -> Pending {
        std::mem::take(&mut *self.lock())
    }

    pub(crate) fn put_back(&self, pending: Pending) {
        let mut kept = self.lock();
        for (place, counts) in pending.places {
            kept.places.entry(place).or_default().add(counts);
        }
        for (photo, times) in pending.saved {
            *kept.saved.entry(photo).or_default() += times;
        }
        for (photo, times) in pending.photos {
            *kept.photos.entry(photo).or_default() += times;
        }
    }
}
