//! Bounds of how much expensive work this process does at once.

use std::net::IpAddr;
use std::sync::Arc;

use domain::{EventId, Refusal, UserId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::operations::runtime::keyed_slots::{KeyedSlot, KeyedSlots};
use crate::operations::runtime::tasks;
use crate::uploads::turns::UploadTurns;
use crate::{Result, Settings};

/// Originals that are read at a time to be compared: a disk does no more with many, and a bucket's line is full.
const VERIFICATIONS: usize = 4;
/// Photos that guests of one event send at once: others of the machine are not kept waiting.
const GUEST_UPLOADS: usize = 8;
/// Large ZIPs that are laid out at once: one of ten thousand photos takes 50 MB for that, and minutes where previews get a watermark.
const ARCHIVES: usize = 4;
/// ZIPs that wait for that.
const WAITING_ARCHIVES: usize = 256;
/// ZIPs, or parts of them, that are sent to one address at once, as many as it may send photos: a venue has one address.
const ARCHIVES_PER_ADDRESS: usize = 48;

/// One bound for each kind of work.
pub(crate) struct Concurrency {
    /// Inspections of uploads: each may hold a decoded picture.
    pub(crate) inspections: Slots,
    /// Face detection in selfies.
    pub(crate) searches: Slots,
    /// Comparing selfies with all faces of an event.
    pub(crate) comparisons: Slots,
    /// Searches of libraries that are not kept in memory: each reads all faces of a photographer.
    pub(crate) walks: Slots,
    /// Drawing of covers.
    pub(crate) covers: Slots,
    /// Cutting of faces out of renditions.
    pub(crate) face_pictures: Slots,
    /// Pictures of photos that are not indexed yet.
    pub(crate) early_pictures: Slots,
    /// Drawing of watermarks on renditions.
    pub(crate) marks: Slots,
    /// Reading stored originals to compare them with what was uploaded.
    pub(crate) verifications: Slots,
    /// Uploads of one account that are received.
    pub(crate) uploads_by_user: KeyedSlots<UserId>,
    /// Uploads of one address that are received.
    pub(crate) uploads_by_address: KeyedSlots<IpAddr>,
    /// Photos that guests of one event send.
    pub(crate) guest_uploads_by_event: KeyedSlots<EventId>,
    /// Drawing of what guests send. It gives way to searches, so that it holds no slot that a photographer's upload waits for.
    pub(crate) guest_renditions: Slots,
    /// Uploads in pieces: one request at a time has each.
    pub(crate) upload_turns: UploadTurns,
    /// New uploads in pieces, which are counted before they are added.
    pub(crate) new_uploads: Slots,
    /// Hashing of passwords: each takes 19 MiB.
    pub(crate) hashes: Slots,
    /// Gathering what an account has: each holds a row of every photo.
    pub(crate) exports: Slots,
    /// Laying out of ZIPs: each holds a row of every photo.
    pub(crate) archives: KeyedSlots<()>,
    /// The same of one address, whose ZIPs take turns: it has not all of those slots.
    pub(crate) archive_turns: KeyedSlots<IpAddr>,
    /// ZIPs of one address that wait, are laid out or are sent.
    pub(crate) archives_by_address: KeyedSlots<IpAddr>,
}

impl Concurrency {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            inspections: Slots::new(settings.inspections),
            searches: Slots::new(settings.searches),
            comparisons: Slots::new(settings.searches),
            walks: Slots::new(1),
            covers: Slots::new(1),
            face_pictures: Slots::new(2),
            early_pictures: Slots::new(2),
            marks: Slots::new(settings.inspections),
            verifications: Slots::new(VERIFICATIONS),
            uploads_by_user: KeyedSlots::new(settings.upload_capacity.per_user, 0),
            uploads_by_address: KeyedSlots::new(settings.upload_capacity.per_address, 0),
            guest_uploads_by_event: KeyedSlots::new(GUEST_UPLOADS, 0),
            guest_renditions: Slots::new(1),
            upload_turns: UploadTurns::default(),
            new_uploads: Slots::new(1),
            hashes: Slots::new(2),
            exports: Slots::new(1),
            archives: KeyedSlots::new(ARCHIVES, WAITING_ARCHIVES),
            archive_turns: KeyedSlots::new(ARCHIVES - 1, ARCHIVES_PER_ADDRESS),
            archives_by_address: KeyedSlots::new(ARCHIVES_PER_ADDRESS, 0),
        }
    }

    /// Waits for a slot in which a ZIP is laid out.
    ///
    /// # Errors
    /// [`Refusal::Busy`] when as many wait as may.
    pub(crate) async fn archive_slot(&self) -> Result<KeyedSlot<()>> {
        self.archives.enter(()).ok_or(Refusal::Busy)?.wait().await
    }
}

/// At most so many works of one kind at once; who comes first is served first.
pub(crate) struct Slots(Arc<Semaphore>);

/// The permission to do one work. It is moved into the work ([`tasks::blocking_with`]), which goes on when the caller is
/// dropped.
pub(crate) struct Slot {
    _permit: OwnedSemaphorePermit,
}

impl Slots {
    pub(crate) fn new(count: usize) -> Self {
        Self(Arc::new(Semaphore::new(count)))
    }

    /// Waits for a slot.
    pub(crate) async fn acquire(&self) -> Result<Slot> {
        let permit = self.0.clone().acquire_owned().await.map_err(|_| Refusal::Busy)?;
        Ok(Slot { _permit: permit })
    }

    /// Waits for a slot, and runs a blocking function that occupies it until it has ended.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let slot = self.acquire().await?;
        let (outcome, _) = tasks::blocking_with(slot, work).await?;
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Condvar;
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;

    /// Work that goes on until it is released, and counts itself.
    #[derive(Default)]
    struct Gauge {
        state: Mutex<State>,
        changed: Condvar,
    }

    #[derive(Default)]
    struct State {
        running: usize,
        most: usize,
        begun: usize,
        released: bool,
    }

    impl Gauge {
        fn work(&self) {
            let mut state = self.state.lock().unwrap();
            state.running += 1;
            state.begun += 1;
            state.most = state.most.max(state.running);
            let mut state = self.changed.wait_while(state, |state| !state.released).unwrap();
            state.running -= 1;
        }

        fn release(&self) {
            self.state.lock().unwrap().released = true;
            self.changed.notify_all();
        }

        async fn wait_until_begun(&self, count: usize) {
            while self.state.lock().unwrap().begun < count {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }

    #[tokio::test]
    async fn work_whose_caller_is_gone_occupies_its_slot_until_it_has_ended() {
        let (slots, gauge) = (Arc::new(Slots::new(2)), Arc::new(Gauge::default()));
        let call = || {
            let (slots, gauge) = (slots.clone(), gauge.clone());
            tokio::spawn(async move { slots.run(move || gauge.work()).await })
        };
        for caller in [call(), call()] {
            gauge.wait_until_begun(1).await;
            caller.abort();
            assert!(caller.await.unwrap_err().is_cancelled());
        }
        gauge.wait_until_begun(1).await;
        let others = [call(), call(), call()];
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(gauge.state.lock().unwrap().begun <= 2, "more works than slots");
        gauge.release();
        for other in others {
            other.await.unwrap().unwrap();
        }
        assert!(gauge.state.lock().unwrap().most <= 2);
    }
}
