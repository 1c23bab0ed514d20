//! Repairs.

use std::time::Duration;

use domain::Job;
use media::stores::Store;
use storage::integrity;

use super::issue::Issue;
use crate::operators::OperatorContext;
use crate::queue::Tx;
use crate::{Result, deletions};

/// A file without a photo is deleted only when it is older: every upload that may still claim it has ended by then.
const ORPHAN_GRACE: Duration = Duration::from_secs(2 * 60);

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
        | Issue::OriginalChanged(..)
        // It would fail again: the program that wrote it must come back, or an operator decides.
        | Issue::JobFailed { job: None, .. } => return Ok(false),
        Issue::Orphan { modified, .. } if *modified > now.minus(ORPHAN_GRACE) => return Ok(false),
        Issue::Orphan { key, .. } => store.delete(key).await?,
        Issue::Checksum(photo, crc32) => storage::photos::set_crc32(db, *photo, *crc32).await?,
        Issue::DeletionStalled(event) => {
            if let Some(event) = storage::events::by_id(db, *event).await? {
                deletions::resume(&context.queue(), &event).await?;
            }
        }
        Issue::FaceCount(_)
        | Issue::UploadCount(_)
        | Issue::UseCount(_)
        | Issue::RenditionsMissing(..)
        | Issue::NeverQueued(_)
        | Issue::JobFailed { .. }
        | Issue::LeaseExpired(..) => {
            let mut tx = context.queue().begin().await?;
            repair_rows(context, &mut tx, issue).await?;
            tx.commit().await?;
        }
    }
    Ok(true)
}

async fn repair_rows(context: &OperatorContext, tx: &mut Tx, issue: &Issue) -> Result<()> {
    let now = context.clock.now();
    match issue {
        Issue::FaceCount(photo) => integrity::recount_faces(tx, *photo).await?,
        Issue::UploadCount(event) => integrity::recount_uploads(tx, *event).await?,
        Issue::UseCount(coupon) => integrity::recount_uses(tx, *coupon).await?,
        Issue::RenditionsMissing(photo, _) | Issue::NeverQueued(photo) => {
            tx.enqueue(&Job::IndexPhoto { photo: *photo }).await?;
        }
        Issue::JobFailed { id, job: Some(job), .. } => {
            if let Job::IndexPhoto { photo } = job {
                storage::photos::retry_indexing(tx, *photo).await?;
            }
            tx.requeue(*id, job).await?;
        }
        Issue::LeaseExpired(job, _) => {
            storage::jobs::release(tx, *job, now).await?;
        }
        _ => {}
    }
    Ok(())
}
