//! Limits that all processes of one PostgreSQL database have together, as exact as those of one process (decision 0034).

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::Timestamp;
use domain::accounts::tokens::TokenHash;
use lru::LruCache;
use storage::Db;
use storage::operations::runtime::counted_requests::{self, Count};

use crate::Result;
use crate::operations::runtime::queue::{JobQueue, TimeSource};
use crate::operations::runtime::rate_limiter::{Key, Limit, LimitSettings, wait_of};

/// Refusals that are remembered; beyond that, the least recently used one is forgotten.
const REFUSALS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
/// How long the time is told by what PostgreSQL's clock has said: the drift of a clock is below a millisecond in it.
const TIME_MEMORY: Duration = Duration::from_secs(10);

/// What a process knows of the limits that are counted in the database.
pub(crate) struct SharedLimits {
    db: Db,
    settings: LimitSettings,
    /// Knows which clock counts.
    queue: JobQueue,
    /// What is stored is hashed with it: addresses are few enough to be guessed from a plain hash.
    secret: [u8; 32],
    /// Until when requests wait that were refused, by limits of which nothing is taken back. Nothing but time admits them, so that a
    /// flood does not reach the database.
    refused: Mutex<LruCache<Vec<Count>, Timestamp>>,
    /// What PostgreSQL's clock said, and when.
    clock: Mutex<Option<(Instant, Timestamp)>>,
}

impl SharedLimits {
    pub(crate) fn new(db: Db, settings: LimitSettings, queue: JobQueue, secret: [u8; 32]) -> Self {
        let refused = Mutex::new(LruCache::new(REFUSALS));
        Self { db, settings, queue, secret, refused, clock: Mutex::default() }
    }

    /// Admits a request that counts so often by each key, or answers how long to wait: then it is counted by none.
    pub(crate) async fn admit(&self, limit: Limit, keys: &[(Key, u32)]) -> Result<Option<Duration>> {
        let setting = self.settings.of(limit) as usize;
        if setting == 0 {
            return Ok(None);
        }
        let counts = self.counts(limit, setting, keys);
        let now = self.now().await?;
        if let Some(until) = self.refused_until(&counts).filter(|until| *until > now) {
            return Ok(Some(until.since(now)));
        }
        if counted_requests::count(&self.db, &counts, now, limit.window()).await? {
            return Ok(None);
        }
        let mut wait = Duration::ZERO;
        for Count { key, times, maximum } in &counts {
            let mut moments = counted_requests::moments(&self.db, key).await?;
            moments.retain(|moment| now.since(*moment) < limit.window());
            wait = wait.max(wait_of(&moments, *times, *maximum, limit.window(), now).unwrap_or_default());
        }
        if !is_taken_back(limit) {
            self.refused.lock().unwrap_or_else(PoisonError::into_inner).put(counts, now.plus(wait));
        }
        Ok(Some(wait))
    }

    fn counts(&self, limit: Limit, setting: usize, keys: &[(Key, u32)]) -> Vec<Count> {
        let count = |(key, times): &(Key, u32)| {
            let maximum = key.maximum(setting);
            // A request that counts for more than the whole limit would never be admitted.
            Count { key: hash(&self.secret, limit, key), times: (*times as usize).min(maximum), maximum }
        };
        keys.iter().map(count).collect()
    }

    /// Takes back what was admitted a moment ago.
    pub(crate) async fn take_back(&self, limit: Limit, keys: &[(Key, u32)]) -> Result<()> {
        debug_assert!(is_taken_back(limit), "a refusal by {limit:?} is remembered");
        match self.settings.of(limit) as usize {
            0 => Ok(()),
            setting => Ok(counted_requests::take_back(&self.db, &self.counts(limit, setting, keys)).await?),
        }
    }

    fn refused_until(&self, counts: &[Count]) -> Option<Timestamp> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).get(counts).copied()
    }

    /// Forgets in the database what does not count any more.
    pub(crate) async fn delete_expired(&self) -> Result<()> {
        counted_requests::delete_expired(&self.db, self.now().await?).await?;
        Ok(())
    }

    /// The time by which all processes count: clocks of machines differ.
    async fn now(&self) -> Result<Timestamp> {
        if self.queue.time == TimeSource::Clock {
            return self.queue.now().await;
        }
        let said = *self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, time)) = said.filter(|(at, _)| at.elapsed() < TIME_MEMORY) {
            return Ok(time.plus(at.elapsed()));
        }
        let time = self.queue.now().await?;
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), time));
        Ok(time)
    }
}

/// Whether some of what a limit has counted is taken back, by any process: then not time alone admits who was refused.
const fn is_taken_back(limit: Limit) -> bool {
    matches!(limit, Limit::Pins | Limit::FirstPins | Limit::FtpLogins)
}

fn hash(secret: &[u8; 32], limit: Limit, key: &Key) -> TokenHash {
    let mut hasher = blake3::Hasher::new_keyed(secret);
    hasher.update(limit.as_str().as_bytes());
    match key {
        Key::Network(address, length) => {
            hasher.update(format!(" of the network {address}/{length}").as_bytes())
        }
        Key::EventNetwork(event, address, length) => {
            hasher.update(format!(" of the network {address}/{length} in the event {event}").as_bytes())
        }
        Key::Account(account) => hasher.update(format!(" of the account {account}").as_bytes()),
        Key::Recipient(recipient) => hasher.update(b" to the recipient ").update(recipient),
        Key::Event(event) => hasher.update(format!(" of the event {event}").as_bytes()),
        Key::Owner(owner) => hasher.update(format!(" of the owner {owner}").as_bytes()),
    };
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::runtime::rate_limiter::Subject;

    #[test]
    fn what_is_stored_depends_on_limit_subject_and_secret() {
        // [SAFE209]
        let keys = [
            Subject::Address([192, 0, 2, 1].into()),
            Subject::Address([192, 0, 2, 2].into()),
            Subject::Recipient("192.0.2.1"),
        ];
        let hashes: std::collections::HashSet<_> = [[1; 32], [2; 32]]
            .iter()
            .flat_map(|secret| keys.map(|subject| (secret, Key::of(subject).remove(0))))
            .flat_map(|(secret, key)| [Limit::Mails, Limit::Searches].map(|limit| hash(secret, limit, &key)))
            .collect();
        assert_eq!(hashes.len(), 2 * 3 * 2);
    }
}
