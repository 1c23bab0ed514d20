//! Integrity checks and repairs: `afterglow check`.
//!
//! A check may run beside a serving machine. What is on its way into or out of the service is not reported: the files
//! are listed first and judged last, and photos that are being deleted are passed over.

mod files;

use std::collections::HashSet;
use std::time::Duration;

use domain::photos::MediaKey;
use domain::{CouponId, EventId, Job, JobId, PhotoId, Timestamp, UserId};
use media::stores::Store;
use storage::Db;
use storage::integrity::{self, Unbalanced};
use storage::jobs::{JobRow, JobState};

use crate::operators::OperatorContext;
use crate::{Result, deletions};

/// How many rows are read at a time.
const PAGE: i64 = 1_000;
/// A lease that ran out this long ago was taken over by nobody.
const LEASE_GRACE: Duration = Duration::from_secs(5 * 60);
/// A file without a photo is removed only when it is older: every upload that may still claim it has ended by then.
const ORPHAN_GRACE: Duration = Duration::from_secs(2 * 60);

/// An inconsistency.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Issue {
    /// The database's own check found damage.
    #[error("database: {0}")]
    Damage(String),
    /// A balance is not its ledger's sum.
    #[error("account {}: the balance is {}, the ledger's sum is {}", .0.user, .0.balance, .0.ledger)]
    Balance(Unbalanced),
    /// A photo that nobody has paid for.
    #[error("photo {0}: nobody has paid for it")]
    Uncharged(PhotoId),
    /// A photo's number of faces is wrong.
    #[error("photo {0}: its number of faces is not the number of faces stored for it")]
    FaceCount(PhotoId),
    /// An event's number of uploads is below the number of its photos.
    #[error("event {0}: it has more photos than it counts uploads")]
    UploadCount(EventId),
    /// A coupon's number of uses is wrong.
    #[error("coupon {0}: its number of uses is not the number of those reserved and spent")]
    UseCount(CouponId),
    /// An original is gone.
    #[error("photo {0}: its original {1} is not in the media store")]
    OriginalMissing(PhotoId, MediaKey),
    /// An original does not have the bytes that were uploaded.
    #[error("photo {0}: its original {1} does not have the bytes that were uploaded")]
    OriginalChanged(PhotoId, MediaKey),
    /// A photo's CRC-32 is not that of its bytes, which is this one.
    #[error("photo {0}: its CRC-32 is not that of its bytes")]
    Checksum(PhotoId, u32),
    /// Renditions of a ready photo are gone.
    #[error("photo {0}: {missing} not in the media store", missing = missing(.1))]
    RenditionsMissing(PhotoId, Vec<MediaKey>),
    /// A photo waits for its indexing, and no job is about it.
    #[error("photo {0}: it waits for its indexing, and no job is about it")]
    NeverQueued(PhotoId),
    /// A job failed for good.
    #[error("job {id} ({}): it failed: {reason}", job.kind().as_str())]
    JobFailed {
        /// Which.
        id: JobId,
        /// What was to be done.
        job: Job,
        /// Why it failed the last time.
        reason: String,
    },
    /// A job's worker has vanished, and no other has taken it over.
    #[error("job {0} ({1}): its worker has vanished, and no other has taken it over")]
    LeaseExpired(JobId, &'static str),
    /// An event's deletion goes on by no job.
    #[error("event {0}: its deletion has begun, and no job goes on with it")]
    DeletionStalled(EventId),
    /// A file that belongs to no photo.
    #[error("file {key}: it belongs to no photo")]
    Orphan {
        /// Its key.
        key: MediaKey,
        /// When it was put.
        modified: Timestamp,
    },
}

fn missing(keys: &[MediaKey]) -> String {
    let verb = if keys.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", keys.iter().map(MediaKey::as_str).collect::<Vec<_>>().join(" and "))
}

/// Looks at everything: rows, every original's bytes, renditions, jobs, files. Takes as long as reading all originals.
///
/// # Errors
/// When the database or the media store cannot be read.
pub async fn inspect(context: &OperatorContext, store: &Store) -> Result<Vec<Issue>> {
    let db = &context.db;
    let unclaimed = files::unclaimed(db, store).await?;
    let mut issues: Vec<Issue> = db.verify().await?.into_iter().map(Issue::Damage).collect();
    issues.extend(integrity::unbalanced(db).await?.into_iter().map(Issue::Balance));
    issues.extend(integrity::uncharged_photos(db).await?.into_iter().map(Issue::Uncharged));
    issues.extend(integrity::miscounted_photos(db).await?.into_iter().map(Issue::FaceCount));
    issues.extend(integrity::undercounted_events(db).await?.into_iter().map(Issue::UploadCount));
    issues.extend(integrity::miscounted_coupons(db).await?.into_iter().map(Issue::UseCount));
    let queue = Queue::read(db, context.clock.now()).await?;
    issues.extend(files::of_photos(db, store, &queue).await?);
    issues.extend(integrity::unqueued_photos(db).await?.into_iter().map(Issue::NeverQueued));
    issues.extend(queue.issues);
    issues.extend(integrity::stalled_deletions(db).await?.into_iter().map(Issue::DeletionStalled));
    let orphans = files::orphans(db, unclaimed, context.clock.now()).await?;
    issues.extend(orphans.into_iter().map(|(key, modified)| Issue::Orphan { key, modified }));
    Ok(issues)
}

/// What waits to be done, and what of it is stuck.
struct Queue {
    /// Photos that are going to be indexed.
    indexing: HashSet<PhotoId>,
    /// Events whose photos are being removed.
    deleting: HashSet<EventId>,
    /// Accounts whose libraries are being removed.
    closing: HashSet<UserId>,
    issues: Vec<Issue>,
}

impl Queue {
    async fn read(db: &Db, now: Timestamp) -> Result<Self> {
        let deleting = storage::events::being_deleted(db).await?.into_iter().map(|event| event.id).collect();
        let mut queue =
            Self { indexing: HashSet::new(), deleting, closing: HashSet::new(), issues: Vec::new() };
        let expired = now.minus(LEASE_GRACE);
        queue.walk(db, JobState::Queued, expired).await?;
        queue.walk(db, JobState::Failed, expired).await?;
        Ok(queue)
    }

    async fn walk(&mut self, db: &Db, state: JobState, expired: Timestamp) -> Result<()> {
        let mut after = None;
        loop {
            let page = storage::jobs::in_state(db, state, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.id);
            page.into_iter().for_each(|row| self.take(row, expired));
        }
    }

    fn take(&mut self, row: JobRow, expired: Timestamp) {
        if let Job::ClearAccount { user } = row.job {
            self.closing.insert(user);
        }
        if row.state == JobState::Failed {
            let reason = row.last_error.unwrap_or_default();
            self.issues.push(Issue::JobFailed { id: row.id, job: row.job, reason });
            return;
        }
        if row.leased_until.is_some_and(|until| until < expired) {
            self.issues.push(Issue::LeaseExpired(row.id, row.job.kind().as_str()));
        }
        if let Job::IndexPhoto { photo } = row.job {
            self.indexing.insert(photo);
        }
    }
}

/// Repairs one issue; false for one that no program can repair, or may: money is never moved, and what a lost file held
/// cannot be made again.
///
/// # Errors
/// When the database or the media store fails.
pub async fn repair(context: &OperatorContext, store: &Store, issue: &Issue) -> Result<bool> {
    let (db, now) = (&context.db, context.clock.now());
    match issue {
        Issue::Damage(_)
        | Issue::Balance(_)
        | Issue::Uncharged(_)
        | Issue::OriginalMissing(..)
        | Issue::OriginalChanged(..) => return Ok(false),
        Issue::Orphan { modified, .. } if *modified > now.minus(ORPHAN_GRACE) => return Ok(false),
        Issue::Orphan { key, .. } => store.delete(key).await?,
        Issue::Checksum(photo, crc32) => storage::photos::set_crc32(db, *photo, *crc32).await?,
        Issue::DeletionStalled(event) => {
            if let Some(event) = storage::events::by_id(db, *event).await? {
                deletions::resume(db, &event, now).await?;
            }
        }
        Issue::FaceCount(_)
        | Issue::UploadCount(_)
        | Issue::UseCount(_)
        | Issue::RenditionsMissing(..)
        | Issue::NeverQueued(_)
        | Issue::JobFailed { .. }
        | Issue::LeaseExpired(..) => {
            let mut tx = db.begin().await?;
            repair_rows(context, &mut tx, issue).await?;
            tx.commit().await?;
        }
    }
    Ok(true)
}

async fn repair_rows(context: &OperatorContext, tx: &mut storage::Tx, issue: &Issue) -> Result<()> {
    let now = context.clock.now();
    match issue {
        Issue::FaceCount(photo) => integrity::recount_faces(tx, *photo).await?,
        Issue::UploadCount(event) => integrity::recount_uploads(tx, *event).await?,
        Issue::UseCount(coupon) => integrity::recount_uses(tx, *coupon).await?,
        Issue::RenditionsMissing(photo, _) | Issue::NeverQueued(photo) => {
            let job = context.randomness.id(&context.clock);
            storage::jobs::enqueue(tx, job, &Job::IndexPhoto { photo: *photo }, now, now).await?;
        }
        Issue::JobFailed { id, job, .. } => {
            if let Job::IndexPhoto { photo } = job {
                storage::photos::retry_indexing(tx, *photo).await?;
            }
            storage::jobs::requeue(tx, *id, now).await?;
        }
        Issue::LeaseExpired(job, _) => {
            storage::jobs::release(tx, *job, now).await?;
        }
        _ => {}
    }
    Ok(())
}
