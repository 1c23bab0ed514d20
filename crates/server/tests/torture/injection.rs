//! Fault injection: what happens to the deployment while photographers work.

use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::task::block_in_place;

use crate::deployment::{Deployment, SERVERS, WORKERS};
use crate::scenario::Fault;

/// Limits on the size of files: nothing grows, and writes fail after a part.
const FILE_LIMITS: [u64; 4] = [0, 4 << 10, 64 << 10, 256 << 10];

impl Deployment {
    /// Injects a fault, and removes it in the end. How often it struck.
    pub(crate) async fn inject(&mut self, fault: Fault, rng: &mut StdRng, outage: Duration) -> usize {
        match fault {
            Fault::Kill => self.kill_repeatedly(rng).await,
            Fault::DatabaseKill => self.kill_database_repeatedly(rng).await,
            Fault::CommitCut => self.cut_commits(rng, outage).await,
            Fault::BucketUnavailable => self.make_bucket_unavailable(rng, outage).await,
            Fault::DiskFull => self.fill_disk(rng, outage).await,
            Fault::ClockSetBack => self.set_clock_back(rng, outage).await,
            Fault::ManyMachines => self.lose_machines(rng, outage).await,
        }
    }

    async fn kill_repeatedly(&mut self, rng: &mut StdRng) -> usize {
        let kills = rng.random_range(2..=4);
        for _ in 0..kills {
            pause(rng).await;
            self.kill_and_start(rng);
        }
        kills
    }

    async fn kill_database_repeatedly(&mut self, rng: &mut StdRng) -> usize {
        let Some(postgres) = &mut self.postgres else { return 0 };
        let kills = rng.random_range(1..=3);
        for _ in 0..kills {
            pause(rng).await;
            block_in_place(|| postgres.kill());
            tokio::time::sleep(Duration::from_millis(rng.random_range(0..1500))).await;
            block_in_place(|| postgres.restart());
        }
        kills
    }

    /// One loss after the other, with the rest of the machines at work: a worker, a server, the database, the bucket.
    async fn lose_machines(&mut self, rng: &mut StdRng, outage: Duration) -> usize {
        pause(rng).await;
        self.kill_worker(rng.random_range(0..WORKERS));
        pause(rng).await;
        self.kill_server(rng.random_range(0..SERVERS));
        tokio::time::sleep(outage).await;
        self.start_ended();
        let kills = self.kill_database_repeatedly(rng).await;
        let refused = self.make_bucket_unavailable(rng, outage).await;
        2 + kills + refused
    }

    async fn cut_commits(&mut self, rng: &mut StdRng, outage: Duration) -> usize {
        let Some(proxy) = &self.proxy else { return 0 };
        proxy.cut(rng.random_range(10..=40));
        tokio::time::sleep(outage).await;
        proxy.cut(0);
        proxy.cuts().try_into().unwrap_or(usize::MAX)
    }

    async fn make_bucket_unavailable(&mut self, rng: &mut StdRng, outage: Duration) -> usize {
        let Some(bucket) = &self.bucket else { return 0 };
        pause(rng).await;
        bucket.set_unavailable(true);
        tokio::time::sleep(outage).await;
        bucket.set_unavailable(false);
        bucket.refused().try_into().unwrap_or(usize::MAX)
    }

    async fn fill_disk(&mut self, rng: &mut StdRng, outage: Duration) -> usize {
        pause(rng).await;
        let limit = FILE_LIMITS[rng.random_range(0..FILE_LIMITS.len())];
        self.limit_files(Some(limit));
        tokio::time::sleep(outage).await;
        self.limit_files(None);
        1
    }

    async fn set_clock_back(&mut self, rng: &mut StdRng, outage: Duration) -> usize {
        pause(rng).await;
        // Less than the day for which a mailed link is valid: one that was made in the past must not have expired.
        let back = Duration::from_secs(rng.random_range(1..12 * 60 * 60));
        self.clock.set_back(back);
        tokio::time::sleep(outage).await;
        self.clock.advance(back);
        1
    }
}

/// Until something strikes: at any moment of the first requests, or later.
async fn pause(rng: &mut StdRng) {
    tokio::time::sleep(Duration::from_millis(rng.random_range(10..1200))).await;
}
