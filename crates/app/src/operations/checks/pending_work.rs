//! Work that is under way while the check runs.

use std::collections::HashSet;
use std::time::Duration;

use domain::{EventId, Job, PhotoId, Timestamp, UserId};
use storage::Db;
use storage::operations::runtime::jobs::{JobRow, JobState};

use super::issue::Issue;
use crate::Result;

/// Jobs that are read in one query.
const BATCH: i64 = 1_000;
/// A lease that expired this long ago was taken over by no worker.
const LEASE_GRACE: Duration = Duration::from_secs(5 * 60);

/// What jobs and deletions are still going to change, and which jobs are stuck.
pub(super) struct PendingWork {
    /// Photos that will be indexed.
    pub(super) indexing: HashSet<PhotoId>,
    /// Events whose photos are being removed.
    pub(super) deleting: HashSet<EventId>,
    /// Accounts whose libraries are being removed.
    pub(super) closing: HashSet<UserId>,
    /// Jobs that failed, or whose lease was not taken over.
    pub(super) issues: Vec<Issue>,
}

impl PendingWork {
    pub(super) async fn read(db: &Db, now: Timestamp) -> Result<Self> {
        let deleting = storage::events::being_deleted(db).await?.into_iter().map(|event| event.id).collect();
        let mut pending =
            Self { indexing: HashSet::new(), deleting, closing: HashSet::new(), issues: Vec::new() };
        let expired = now.minus(LEASE_GRACE);
        pending.read_jobs(db, JobState::Queued, expired).await?;
        pending.read_jobs(db, JobState::Failed, expired).await?;
        Ok(pending)
    }

    async fn read_jobs(&mut self, db: &Db, state: JobState, expired: Timestamp) -> Result<()> {
        let mut after = None;
        loop {
            let batch = storage::operations::runtime::jobs::in_state(db, state, after, BATCH).await?;
            let Some(last) = batch.last() else { return Ok(()) };
            after = Some(last.id);
            batch.into_iter().for_each(|row| self.record(row, expired));
        }
    }

    fn record(&mut self, row: JobRow, expired: Timestamp) {
        if let Some(Job::ClearAccount { user }) = row.job {
            self.closing.insert(user);
        }
        if row.state == JobState::Failed {
            let reason = row.last_error.unwrap_or_default();
            self.issues.push(Issue::JobFailed { id: row.id, kind: row.kind, job: row.job, reason });
            return;
        }
        if row.leased_until.is_some_and(|until| until < expired) {
            self.issues.push(Issue::LeaseExpired(row.id, row.kind));
        }
        if let Some(Job::IndexPhoto { photo }) = row.job {
            self.indexing.insert(photo);
        }
    }
}
