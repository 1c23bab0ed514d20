//! Integrity checks and repairs: `afterglow check`.
//!
//! A check may run beside a serving machine. What is being uploaded or deleted meanwhile is not reported: files without
//! a photo are listed first and queried again last, and photos of events that are being deleted are skipped.

mod files;
mod issue;
mod pending_work;
mod repairs;

use gateway::Payments;
use media::stores::Store;
use storage::operations::integrity;
use storage::payments::invoices;

use crate::Result;
use crate::operations::operators::{self, OperatorContext};
use crate::operations::stores::{self, Bond};
use crate::payments::comparison::PERIOD;
use files::Listed;
use pending_work::PendingWork;

pub use issue::Issue;
pub use repairs::repair;

/// How many photos wait to be indexed again, since another model pack is in use now. That is no issue: workers do so.
///
/// # Errors
/// When the database cannot be read.
pub async fn waiting_for_model_pack(context: &OperatorContext) -> Result<i64> {
    Ok(storage::photos::count_outdated(&context.db).await?)
}

/// What the payment provider has of the last 30 days and is not here: a payment that was credited though it was refunded, for
/// instance.
///
/// # Errors
/// When the provider or the database cannot be asked.
pub async fn inspect_payments(context: &OperatorContext, payments: &Payments) -> Result<Vec<Issue>> {
    let now = context.clock.now();
    let compared = operators::compare_payments(context, payments, now.minus(PERIOD), now, false).await?;
    Ok(compared.found.into_iter().map(|found| Issue::Provider(found.difference)).collect())
}

/// Inspects everything: rows, every original's bytes, renditions, jobs, files. Takes as long as reading all originals.
///
/// # Errors
/// When the database or the media store cannot be read.
pub async fn inspect(context: &OperatorContext, store: &Store) -> Result<Vec<Issue>> {
    let db = &context.db;
    let bond = stores::examine(db, store).await?;
    // Another database's files are not this one's to list.
    let listed = if bond == Bond::Foreign { Listed::default() } else { files::list(db, store).await? };
    let mut issues: Vec<Issue> = db.verify().await?.into_iter().map(Issue::Damage).collect();
    issues.extend(integrity::unbalanced(db).await?.into_iter().map(Issue::Balance));
    issues.extend(integrity::uncharged_photos(db).await?.into_iter().map(Issue::Uncharged));
    issues.extend(integrity::miscounted_photos(db).await?.into_iter().map(Issue::FaceCount));
    issues.extend(integrity::undercounted_events(db).await?.into_iter().map(Issue::UploadCount));
    issues.extend(integrity::miscounted_events(db).await?.into_iter().map(Issue::EventCounts));
    issues.extend(integrity::miscounted_libraries(db).await?.into_iter().map(Issue::LibraryCounts));
    issues.extend(integrity::miscounted_charges(db).await?.into_iter().map(Issue::ChargeCounts));
    issues.extend(integrity::unapplied_refunds(db).await?.into_iter().map(Issue::Refund));
    issues.extend(invoices::broken_series(db).await?.into_iter().map(Issue::InvoiceSeries));
    issues.extend(invoices::payments_without(db).await?.into_iter().map(Issue::Uninvoiced));
    issues.extend(integrity::miscounted_coupons(db).await?.into_iter().map(Issue::UseCount));
    let pending = PendingWork::read(db, context.clock.now()).await?;
    issues.extend(files::of_photos(db, store, &pending, &listed.discarded).await?);
    issues.extend(files::of_trash(db, store, &listed.discarded).await?);
    issues.extend(files::of_guests(db, store, &listed.discarded).await?);
    issues.extend(integrity::unqueued_photos(db).await?.into_iter().map(Issue::NeverQueued));
    issues.extend(pending.issues);
    issues.extend(integrity::stalled_deletions(db).await?.into_iter().map(Issue::DeletionStalled));
    issues.extend(integrity::leftover_subscriptions(db).await?.into_iter().map(Issue::SubscriptionsLeft));
    issues.extend(integrity::leftover_search_keys(db).await?.into_iter().map(Issue::SearchKeyLeft));
    issues.extend(integrity::leftover_teams(db).await?.into_iter().map(Issue::TeamLeft));
    issues.extend(integrity::mishidden_photos(db).await?.into_iter().map(Issue::Hidden));
    issues.extend(integrity::misplaced_photos(db).await?.into_iter().map(Issue::Album));
    issues.extend(integrity::leftover_objections(db).await?.into_iter().map(Issue::ObjectionsLeft));
    issues.extend(integrity::events_with_wrong_people(db).await?.into_iter().map(Issue::People));
    issues.extend(files::without_photos(db, listed, &bond, context.clock.now()).await?);
    Ok(issues)
}
