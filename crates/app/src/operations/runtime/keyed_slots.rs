//! Bounds of what each address or account may do at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::Refusal;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Result;

/// For each key, some things at once and a bounded number of others that wait. A key is forgotten when nothing has it any
/// more, so that memory is bounded by what goes on.
pub struct KeyedSlots<K: Eq + Hash>(Arc<Shared<K>>);

struct Shared<K> {
    at_once: usize,
    waiting: usize,
    keys: Mutex<HashMap<K, Entry>>,
}

struct Entry {
    holders: usize,
    slots: Arc<Semaphore>,
}

/// A place with one key: it waits for its slot, or has it. Left when dropped.
pub struct KeyedSlot<K: Eq + Hash> {
    shared: Arc<Shared<K>>,
    key: K,
    slots: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl<K: Clone + Eq + Hash> KeyedSlots<K> {
    /// `at_once` with each key, 0 meaning any number, while `waiting` others may wait.
    pub fn new(at_once: usize, waiting: usize) -> Self {
        let at_once = if at_once == 0 { Semaphore::MAX_PERMITS } else { at_once };
        Self(Arc::new(Shared { at_once, waiting, keys: Mutex::default() }))
    }

    /// A place, without waiting for its slot; none when as many things as may have or wait for one.
    pub fn enter(&self, key: K) -> Option<KeyedSlot<K>> {
        let shared = &self.0;
        let mut keys = shared.lock();
        let entry = keys
            .entry(key.clone())
            .or_insert_with(|| Entry { holders: 0, slots: Arc::new(Semaphore::new(shared.at_once)) });
        if entry.holders >= shared.at_once.saturating_add(shared.waiting) {
            return None;
        }
        entry.holders += 1;
        let slots = entry.slots.clone();
        drop(keys);
        Some(KeyedSlot { shared: shared.clone(), key, slots, permit: None })
    }
}

impl<K: Eq + Hash> KeyedSlot<K> {
    /// Waits for the slot.
    ///
    /// # Errors
    /// [`Refusal::Busy`] while the service stops.
    pub async fn wait(mut self) -> Result<Self> {
        let permit = self.slots.clone().acquire_owned().await.map_err(|_| Refusal::Busy)?;
        self.permit = Some(permit);
        Ok(self)
    }
}

impl<K> Shared<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Entry>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for KeyedSlot<K> {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut keys = self.shared.lock();
        if let Some(entry) = keys.get_mut(&self.key) {
            entry.holders -= 1;
            if entry.holders == 0 {
                keys.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SOON: Duration = Duration::from_millis(5);

    #[tokio::test]
    async fn each_key_has_its_slots_and_its_waiting_places() {
        let slots = KeyedSlots::new(2, 1);
        let first = slots.enter("a").unwrap().wait().await.unwrap();
        let _second = slots.enter("a").unwrap().wait().await.unwrap();
        let third = slots.enter("a").unwrap();
        assert!(slots.enter("a").is_none(), "one may wait");
        assert!(slots.enter("b").is_some(), "another key is not concerned");
        let third = tokio::spawn(third.wait());
        tokio::time::sleep(SOON).await;
        assert!(!third.is_finished());
        drop(first);
        let third = third.await.unwrap().unwrap();
        let fourth = slots.enter("a").unwrap();
        assert!(tokio::time::timeout(SOON, fourth.wait()).await.is_err());
        drop(third);
        assert!(tokio::time::timeout(SOON, slots.enter("a").unwrap().wait()).await.is_ok());
    }

    #[tokio::test]
    async fn a_key_is_forgotten_with_its_last_place_and_0_is_no_limit() {
        let slots = KeyedSlots::new(0, 0);
        let all: Vec<_> = (0..1_000).map(|_| slots.enter("a").unwrap()).collect();
        assert_eq!(slots.0.lock().len(), 1);
        drop(all);
        assert_eq!(slots.0.lock().len(), 0);
    }
}
