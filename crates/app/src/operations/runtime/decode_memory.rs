//! The memory that decoding pictures may take in this process, shared by indexing, uploads and selfies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Failure, Result};

/// Bytes of one permit of the semaphore.
const UNIT: u64 = 1 << 20;

/// A budget of memory. Waiting acquisitions are served first come, first served, so that many small pictures do not starve a
/// large one.
pub(crate) struct DecodeMemory {
    permits: Arc<Semaphore>,
    units: u32,
    acquisitions: AtomicU64,
}

/// A part of the budget, released when dropped. It is moved into the thread that decodes, which cannot be cancelled.
pub(crate) struct DecodePermit {
    _permit: OwnedSemaphorePermit,
}

impl DecodeMemory {
    /// A budget of so many bytes; at least a megabyte.
    pub(crate) fn new(bytes: u64) -> Self {
        let most = u64::try_from(Semaphore::MAX_PERMITS).unwrap_or(u64::MAX).min(u64::from(u32::MAX));
        let units = u32::try_from((bytes / UNIT).clamp(1, most)).unwrap_or(u32::MAX);
        Self { permits: Arc::new(Semaphore::new(units as usize)), units, acquisitions: AtomicU64::new(0) }
    }

    /// Waits until so many bytes are free. A picture that needs more than the whole budget acquires all of it.
    pub(crate) async fn acquire(&self, bytes: u64) -> Result<DecodePermit> {
        self.acquire_units(u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).clamp(1, self.units)).await
    }

    /// Waits until nothing else is decoded in this process; nothing else will be until this is released.
    pub(crate) async fn acquire_all(&self) -> Result<DecodePermit> {
        self.acquire_units(self.units).await
    }

    /// How often memory was acquired until now.
    pub(crate) fn acquisitions(&self) -> u64 {
        self.acquisitions.load(Ordering::Relaxed)
    }

    /// Whether nothing is decoded now.
    pub(crate) fn is_unused(&self) -> bool {
        self.permits.available_permits() == self.units as usize
    }

    async fn acquire_units(&self, units: u32) -> Result<DecodePermit> {
        self.acquisitions.fetch_add(1, Ordering::Relaxed);
        let permit = self.permits.clone().acquire_many_owned(units).await;
        permit
            .map(|permit| DecodePermit { _permit: permit })
            .map_err(|closed| Failure::Internal(closed.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn is_free(memory: &DecodeMemory, bytes: u64) -> bool {
        tokio::time::timeout(Duration::from_millis(5), memory.acquire(bytes)).await.is_ok()
    }

    #[tokio::test]
    async fn two_large_pictures_wait_for_each_other_and_small_ones_do_not() {
        // [SAFE061]
        let memory = DecodeMemory::new(100 * UNIT);
        let large = memory.acquire(70 * UNIT).await.unwrap();
        assert!(!is_free(&memory, 70 * UNIT).await);
        assert!(is_free(&memory, 30 * UNIT).await);
        drop(large);
        assert!(is_free(&memory, 70 * UNIT).await);
    }

    #[tokio::test]
    async fn a_picture_beyond_the_budget_acquires_all_of_it() {
        // [SAFE229]
        let memory = DecodeMemory::new(10 * UNIT);
        let larger = memory.acquire(1_000 * UNIT).await.unwrap();
        assert!(!is_free(&memory, 1).await);
        drop(larger);
        let all = memory.acquire_all().await.unwrap();
        assert!(!is_free(&memory, 0).await);
        drop(all);
        assert!(is_free(&memory, 0).await);
    }
}
