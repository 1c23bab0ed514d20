//! Repairs.

use domain::Job;
use media::stores::Store;
use storage::operations::integrity;

use super::issue::Issue;
use crate::Result;
use crate::events::delete;
use crate::operations::operators::OperatorContext;
use crate::payments::invoices;

/// Repairs one issue; false for one that no program can repair, or may: money is never moved, and what a lost file held
/// cannot be made again. The one `match` names every issue, so that none is taken for repaired by default.
///
/// # Errors
/// When the database or the media store fails.
pub async fn repair(context: &OperatorContext, store: &Store, issue: &Issue) -> Result<bool> {
    let (db, queue, now) = (&context.db, context.queue(), context.clock.now());
    match issue {
        Issue::Damage(_)
        | Issue::Balance(_)
        | Issue::Uncharged(_)
        | Issue::Refund(_)
        | Issue::InvoiceSeries(_)
        | Issue::Provider(_)
        | Issue::OriginalMissing(..)
        | Issue::OriginalChanged(..)
        // An operator's command decides.
        | Issue::Store(_)
        | Issue::TooManyOrphans(_)
        | Issue::HeldOrphan(_)
        // It may belong to an upload that is under way.
        | Issue::Unclaimed(_)
        // It would fail again: the program that wrote it must come back, or an operator decides.
        | Issue::JobFailed { job: None, .. } => return Ok(false),
        Issue::Uninvoiced(payment) => {
            return invoices::issue_missing(&queue, context.seller.as_ref(), now, payment).await;
        }
        Issue::Orphan(key) => store.discard(std::slice::from_ref(key), now).await?,
        Issue::OriginalDiscarded(_, key) => return Ok(store.restore(key).await?),
        Issue::Checksum(_, original, crc32) => storage::photos::set_crc32(db, original, *crc32).await?,
        Issue::DeletionStalled(event) => {
            if let Some(event) = storage::events::by_id(db, *event).await? {
                delete::resume(&queue, &event).await?;
            }
        }
        Issue::FaceCount(photo) => {
            let mut tx = queue.begin().await?;
            integrity::recount_faces(&mut tx, *photo).await?;
            tx.commit().await?;
        }
        Issue::UploadCount(event) => {
            let mut tx = queue.begin().await?;
            integrity::recount_uploads(&mut tx, *event).await?;
            tx.commit().await?;
        }
        Issue::EventCounts(event) => {
            let mut tx = queue.begin().await?;
            integrity::recount_event(&mut tx, *event).await?;
            tx.commit().await?;
        }
        Issue::LibraryCounts(user) => {
            let mut tx = queue.begin().await?;
            integrity::recount_library(&mut tx, *user).await?;
            tx.commit().await?;
        }
        // A sum for the dashboard: no balance moves.
        Issue::ChargeCounts(user) => {
            let mut tx = queue.begin().await?;
            integrity::recount_charges(&mut tx, *user).await?;
            tx.commit().await?;
        }
        Issue::UseCount(coupon) => {
            let mut tx = queue.begin().await?;
            integrity::recount_uses(&mut tx, *coupon).await?;
            tx.commit().await?;
        }
        Issue::SubscriptionsLeft(event) => {
            let mut tx = queue.begin().await?;
            storage::guests::subscriptions::delete_of(&mut tx, *event).await?;
            tx.commit().await?;
        }
        Issue::SearchKeyLeft(event) => {
            let mut tx = queue.begin().await?;
            storage::guests::kept_searches::delete_key(&mut tx, *event).await?;
            tx.commit().await?;
        }
        Issue::Hidden(photo) => {
            let mut tx = queue.begin().await?;
            integrity::rehide(&mut tx, *photo).await?;
            tx.commit().await?;
        }
        Issue::TeamLeft(event) => {
            let mut tx = queue.begin().await?;
            storage::team::delete_of(&mut tx, *event).await?;
            tx.commit().await?;
        }
        Issue::Album(photo) => {
            let mut tx = queue.begin().await?;
            integrity::take_out_of_albums(&mut tx, *photo).await?;
            tx.commit().await?;
        }
        Issue::ObjectionsLeft(event) => {
            let mut tx = queue.begin().await?;
            storage::guests::objections::delete_of(&mut tx, *event).await?;
            tx.commit().await?;
        }
        Issue::People(event) => {
            let mut tx = queue.begin().await?;
            integrity::delete_wrong_people(&mut tx, *event).await?;
            tx.commit().await?;
        }
        Issue::RenditionsMissing(photo, _) | Issue::NeverQueued(photo) => {
            let mut tx = queue.begin().await?;
            tx.enqueue(&Job::IndexPhoto { photo: *photo }).await?;
            tx.commit().await?;
        }
        Issue::JobFailed { id, job: Some(job), .. } => {
            let mut tx = queue.begin().await?;
            if let Job::IndexPhoto { photo } = job {
                storage::photos::retry_indexing(&mut tx, *photo).await?;
            }
            tx.requeue(*id, job).await?;
            tx.commit().await?;
        }
        Issue::LeaseExpired(job, _) => {
            let mut tx = queue.begin().await?;
            storage::operations::runtime::jobs::release(&mut tx, *job, now).await?;
            tx.commit().await?;
        }
    }
    Ok(true)
}
