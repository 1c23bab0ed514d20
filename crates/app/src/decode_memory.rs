//! The memory that decoding pictures may take in this process, shared by indexing, uploads and selfies.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Failure, Result};

/// What one permit stands for.
const UNIT: u64 = 1 << 20;

/// A budget of memory. Whoever waits for a part of it is served in the order of asking, so that many small pictures do not
/// hold up a large one for ever.
pub(crate) struct DecodeMemory {
    permits: Arc<Semaphore>,
    units: u32,
}

/// A part of the budget, given back when dropped. It goes into the thread that decodes: that cannot be cancelled.
pub(crate) struct Share(#[allow(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

impl DecodeMemory {
    /// A budget of so many bytes; at least a megabyte.
    pub(crate) fn new(bytes: u64) -> Self {
        let most = u64::try_from(Semaphore::MAX_PERMITS).unwrap_or(u64::MAX).min(u64::from(u32::MAX));
        let units = u32::try_from((bytes / UNIT).clamp(1, most)).unwrap_or(u32::MAX);
        Self { permits: Arc::new(Semaphore::new(units as usize)), units }
    }

    /// Waits until so many bytes are free. A picture that needs more than the whole budget has it to itself.
    pub(crate) async fn share(&self, bytes: u64) -> Result<Share> {
        self.acquire(u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).clamp(1, self.units)).await
    }

    /// Waits until nothing else is decoded in this process; nothing else will be until this is given back.
    pub(crate) async fn whole(&self) -> Result<Share> {
        self.acquire(self.units).await
    }

    async fn acquire(&self, units: u32) -> Result<Share> {
        let permit = self.permits.clone().acquire_many_owned(units).await;
        permit.map(Share).map_err(|closed| Failure::Internal(closed.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn is_free(memory: &DecodeMemory, bytes: u64) -> bool {
        tokio::time::timeout(Duration::from_millis(5), memory.share(bytes)).await.is_ok()
    }

    #[tokio::test]
    async fn two_large_pictures_wait_for_each_other_and_small_ones_do_not() {
        // [SAFE061]
        let memory = DecodeMemory::new(100 * UNIT);
        let large = memory.share(70 * UNIT).await.unwrap();
        assert!(!is_free(&memory, 70 * UNIT).await);
        assert!(is_free(&memory, 30 * UNIT).await);
        drop(large);
        assert!(is_free(&memory, 70 * UNIT).await);
    }

    #[tokio::test]
    async fn what_needs_more_than_there_is_has_everything_to_itself() {
        // [SAFE061]
        let memory = DecodeMemory::new(10 * UNIT);
        let larger = memory.share(1_000 * UNIT).await.unwrap();
        assert!(!is_free(&memory, 1).await);
        drop(larger);
        let whole = memory.whole().await.unwrap();
        assert!(!is_free(&memory, 0).await);
        drop(whole);
        assert!(is_free(&memory, 0).await);
    }
}
