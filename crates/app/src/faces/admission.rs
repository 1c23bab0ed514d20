//! Which searches are let in, before the first byte of a selfie is read.
//!
//! A search has a place in a bounded queue, waits for the turn of its address, and holds in memory what it reserves of a
//! budget that all searches share. Selfies are never written to a disk, so that memory is all there is.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use domain::Refusal;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::operations::runtime::keyed_slots::{KeyedSlot, KeyedSlots};
use crate::operations::runtime::rate_limiter::block_of;
use crate::{Result, Settings};

/// Bytes of one permit of the budget.
const UNIT: usize = 1 << 10;
/// The part of the queue that may be one address's: a venue has one address, but is not all there is.
const QUEUE_PER_ADDRESS: usize = 4;
/// When an address whose searches fill its part of the queue may try again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The bounds of all searches.
pub(crate) struct SearchAdmission {
    places: Arc<Semaphore>,
    addresses: KeyedSlots<IpAddr>,
    memory: Arc<Semaphore>,
}

/// A search that is let in. It is moved into the work, which goes on when the guest is gone.
pub struct Admission {
    _place: OwnedSemaphorePermit,
    _address: KeyedSlot<IpAddr>,
    budget: Arc<Semaphore>,
    /// What is reserved of the budget.
    memory: Option<OwnedSemaphorePermit>,
    /// What has come in.
    bytes: usize,
}

impl SearchAdmission {
    pub(crate) fn new(settings: &Settings) -> Self {
        let capacity = &settings.search_capacity;
        let units = usize::try_from(capacity.memory_bytes).unwrap_or(usize::MAX) / UNIT;
        Self {
            places: Arc::new(Semaphore::new(settings.searches + capacity.queue)),
            addresses: KeyedSlots::new(capacity.per_address, capacity.queue.div_ceil(QUEUE_PER_ADDRESS)),
            memory: Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))),
        }
    }

    /// Lets a search of this address in, or refuses it at once. It may wait for others of the same address.
    pub(crate) async fn admit(&self, address: IpAddr) -> Result<Admission> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Refusal::Busy)?;
        let address = self.addresses.enter(block_of(address));
        let address = address.ok_or(Refusal::TooMany { retry_after: RETRY_AFTER })?.wait().await?;
        Ok(Admission {
            _place: place,
            _address: address,
            budget: self.memory.clone(),
            memory: None,
            bytes: 0,
        })
    }
}

impl Admission {
    /// Reserves memory for so many bytes that have come in.
    ///
    /// # Errors
    /// [`Refusal::Busy`] when all selfies in memory have reached the budget: who waits for memory while it holds some
    /// waits for others that do the same.
    pub fn reserve(&mut self, bytes: usize) -> Result<()> {
        self.bytes = self.bytes.saturating_add(bytes);
        let reserved = self.memory.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = u32::try_from(self.bytes.div_ceil(UNIT).saturating_sub(reserved)).unwrap_or(u32::MAX);
        let more = self.budget.clone().try_acquire_many_owned(more).map_err(|_| Refusal::Busy)?;
        match &mut self.memory {
            Some(memory) => memory.merge(more),
            none => *none = Some(more),
        }
        Ok(())
    }
}
