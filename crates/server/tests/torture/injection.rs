//! Fault injection: what happens to the deployment while photographers work.

use std::time::{Duration, Instant};

use hyper::Method;
use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use tokio::task::block_in_place;

use crate::deployment::{Deployment, SERVERS, WORKERS};
use crate::disk::{Disk, DiskFault};
use crate::http::{self, Body};
use crate::scenario::Fault;

/// Limits on the size of files: nothing grows, and writes fail after a part.
const FILE_LIMITS: [u64; 4] = [0, 4 << 10, 64 << 10, 256 << 10];

/// Longer than what the service has found out about its readiness holds.
const READINESS_PATIENCE: Duration = Duration::from_secs(15);
/// How many changes of the disk are made at most before the server is killed.
const MOST_CHANGES: i64 = 300;

impl Deployment {
    /// Injects a fault, and removes it in the end. How often it struck.
    pub(crate) async fn inject(&mut self, fault: Fault, rng: &mut StdRng, outage: Duration) -> usize {
        match fault {
            Fault::Kill | Fault::Notifications => self.kill_repeatedly(rng).await,
            Fault::PowerCut => self.kill_at_changes(rng).await,
            Fault::DatabaseKill => self.kill_database_repeatedly(rng).await,
            Fault::CommitCut => self.cut_commits(rng, outage).await,
            Fault::BucketUnavailable => self.make_bucket_unavailable(rng, outage).await,
            Fault::DiskFull => self.fill_disk(rng, outage).await,
            Fault::DiskFails => self.fail_disk(rng, outage).await,
            Fault::ClockMoves => self.move_clock(rng, outage).await,
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

    /// The server is killed at a change of its disk, none of which is lost in the log.
    async fn kill_at_changes(&mut self, rng: &mut StdRng) -> usize {
        let kills = rng.random_range(1..=2);
        for _ in 0..kills {
            pause(rng).await;
            let Some(disk) = &self.disk else { return 0 };
            disk.kill_at(rng.random_range(1..MOST_CHANGES));
            while disk.left_until_kill() > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            self.kill_server(0);
            self.start_ended();
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

    /// One failure after the other, with a pause in which the disk is whole. What keeps the service from writing is told to whoever
    /// asks whether it is ready.
    async fn fail_disk(&mut self, rng: &mut StdRng, outage: Duration) -> usize {
        let mut faults = DiskFault::ALL;
        faults.shuffle(rng);
        for fault in faults {
            pause(rng).await;
            self.set_disk(Some(fault));
            tokio::time::sleep(outage / 2).await;
            if fault != DiskFault::Reads && !self.becomes_ready(false).await {
                self.defects.push(format!("the service says that it is ready under {fault:?}"));
            }
            self.set_disk(None);
        }
        if !self.becomes_ready(true).await {
            self.defects.push(String::from("the service is not ready when the disk is whole again"));
        }
        self.disk.as_ref().map_or(0, Disk::struck)
    }

    /// Whether the service says within some seconds that it is ready, or that it is not.
    async fn becomes_ready(&self, is_ready: bool) -> bool {
        let Some(server) = self.addresses().borrow().first().copied() else { return false };
        let started = Instant::now();
        while started.elapsed() < READINESS_PATIENCE {
            let answer = http::request(server, Method::GET, "/api/ready", None, Body::empty()).await;
            if answer.is_ok_and(|answer| (answer.status == 200) == is_ready) {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        false
    }

    async fn move_clock(&mut self, rng: &mut StdRng, outage: Duration) -> usize {
        let is_ahead_first: bool = rng.random();
        for is_ahead in [is_ahead_first, !is_ahead_first] {
            pause(rng).await;
            // Both together are less than the day for which a mailed link is valid: one that was made in the past must not have
            // expired.
            let by = Duration::from_secs(rng.random_range(1..12 * 60 * 60));
            if is_ahead {
                self.clock.advance(by);
                tokio::time::sleep(outage / 2).await;
                self.clock.set_back(by);
            } else {
                self.clock.set_back(by);
                tokio::time::sleep(outage / 2).await;
                self.clock.advance(by);
            }
        }
        2
    }
}

/// Until something strikes: at any moment of the first requests, or later.
async fn pause(rng: &mut StdRng) {
    tokio::time::sleep(Duration::from_millis(rng.random_range(10..1200))).await;
}
