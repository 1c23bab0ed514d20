//! Working on photos again: those that failed, those that another model pack has described, and those that lack a
//! rendition.
//!
//! What the pack before has described is found until it is described anew (`describing.rs`); what any other has is not, and is
//! indexed as a new photo.

use std::time::{Duration, Instant};

use domain::operations::runtime::jobs::{CRASHED_EXCLUSIVE, JobKind};
use domain::photos::PhotoStatus;
use domain::photos::failures::FailureCause;
use domain::{Job, PhotoId};
use storage::operations::runtime::jobs::JobState;
use tokio_util::sync::CancellationToken;

use crate::operations::operators::OperatorContext;
use crate::operations::runtime::queue::JobQueue;
use crate::{App, Result};

/// How long to wait between two looks at photos that wait to be worked on again.
const INTERVAL: Duration = Duration::from_secs(10);
/// The same where so many were done since the last look that workers may have waited.
const SHORT_INTERVAL: Duration = Duration::from_secs(1);
/// How often photos are marked that a process with another pack has indexed meanwhile.
const MARKING_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Most photos that are queued for each kind of background work at a time: the newest events come first also when they change.
const QUEUED: i64 = 200;
/// Rows that are looked at, or changed, in one statement.
const BATCH: i64 = 1_000;

/// After a start, has photos tried at once whose attempts were used up or that wait for the next one; then, until `stop` is
/// cancelled, has photos indexed again that another model pack has described, and rendered that lack a rendition.
pub(crate) async fn run(app: &App, stop: CancellationToken) {
    let mut marked: Option<Instant> = None;
    let mut is_begun = false;
    while !stop.is_cancelled() {
        let mut is_short = false;
        let outcome = async {
            if !is_begun {
                retry_exhausted(app).await?;
                is_begun = true;
            }
            if marked.is_none_or(|marked| marked.elapsed() >= MARKING_INTERVAL) {
                mark_outdated(app).await?;
                marked = Some(Instant::now());
            }
            queue_outdated(app).await?;
            is_short = queue_previous(app).await? > QUEUED.unsigned_abs() / 2;
            queue_unrendered(app).await?;
            Ok::<(), crate::Failure>(())
        };
        if let Err(failure) = outcome.await {
            tracing::error!(error = failure.chain(), "photos cannot be queued to be worked on again");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(if is_short { SHORT_INTERVAL } else { INTERVAL }) => {}
        }
    }
}

/// Queues every photo again whose attempts were used up, lets those be due that wait for their next attempt, and says how
/// many they were: whoever starts the service may have mended what kept them from being indexed. One that ended its process
/// waits for somebody's decision, or it would do so again and again.
///
/// # Errors
/// When the database fails; what was queued by then stays so.
pub async fn retry_exhausted(app: &App) -> Result<u64> {
    let retried = retry(&app.db, &app.queue, |cause| cause == FailureCause::Exhausted).await?;
    if retried > 0 {
        tracing::info!(photos = retried, "photos that could not be indexed are queued again");
    }
    Ok(retried)
}

/// Queues failed photos again, all of them or those that were not refused for their bytes, lets those be due that wait for
/// their next attempt, and says how many they were.
///
/// # Errors
/// When the database fails; what was queued by then stays so.
pub async fn retry_failed(context: &OperatorContext, also_refused: bool) -> Result<u64> {
    retry(&context.db, &context.queue(), |cause| also_refused || cause != FailureCause::Refused).await
}

async fn retry(db: &storage::Db, queue: &JobQueue, is_due: impl Fn(FailureCause) -> bool) -> Result<u64> {
    let mut tx = queue.begin().await?;
    let mut retried = tx.hasten_indexing().await?;
    tx.commit().await?;
    let mut after = None;
    loop {
        let photos = storage::photos::failed(db, after, BATCH).await?;
        let Some(last) = photos.last() else { break };
        after = Some(last.id);
        for photo in &photos {
            if photo.failure.as_ref().is_some_and(|failure| is_due(failure.cause)) {
                index_again(queue, photo.id).await?;
                retried += 1;
            }
        }
    }
    // A photo that was indexed before does not fail: only its job has.
    let mut after = None;
    loop {
        let jobs = storage::operations::runtime::jobs::in_state(db, JobState::Failed, after, BATCH).await?;
        let Some(last) = jobs.last() else { return Ok(retried) };
        after = Some(last.id);
        for row in &jobs {
            let Some(job @ (Job::IndexPhoto { photo } | Job::DescribePhoto { photo })) = &row.job else {
                continue;
            };
            let crashed = row.crashes >= CRASHED_EXCLUSIVE;
            if !is_due(if crashed { FailureCause::Crashed } else { FailureCause::Exhausted }) {
                continue;
            }
            let photo = storage::photos::by_id(db, *photo).await?;
            let Some(photo) = photo.filter(|photo| photo.status == PhotoStatus::Ready) else { continue };
            if matches!(job, Job::DescribePhoto { .. }) {
                let mut tx = queue.begin().await?;
                tx.requeue(row.id, job).await?;
                tx.commit().await?;
            } else {
                index_again(queue, photo.id).await?;
            }
            retried += 1;
        }
    }
}

async fn index_again(queue: &JobQueue, photo: PhotoId) -> Result<()> {
    let mut tx = queue.begin().await?;
    tx.index_again(photo).await?;
    tx.commit().await
}

/// Marks the photos that no model pack has described whose recogniser this process has: no search finds them.
///
/// # Errors
/// When the database fails.
pub async fn mark_outdated(app: &App) -> Result<()> {
    let (pack, packs) = (app.engine.pack_id(), app.engine.packs());
    let batch = async |outdated: bool| -> Result<u64> {
        let mut tx = app.begin().await?;
        let marked = if outdated {
            storage::photos::mark_outdated(&mut tx, &packs, BATCH).await?
        } else {
            storage::photos::mark_current(&mut tx, &packs, BATCH).await?
        };
        tx.commit().await?;
        Ok(marked)
    };
    while batch(false).await? > 0 {}
    let mut marked = 0;
    loop {
        match batch(true).await? {
            0 => break,
            photos => marked += photos,
        }
    }
    if marked > 0 {
        tracing::warn!(
            photos = marked,
            pack,
            "photos were indexed with another model pack and are indexed again"
        );
    }
    Ok(())
}

/// Queues photos that wait to be indexed again, those of the newest events first, and says how many those were.
///
/// # Errors
/// When the database fails.
pub async fn queue_outdated(app: &App) -> Result<u64> {
    let room = room(app, JobKind::IndexPhoto).await?;
    let photos = storage::photos::outdated(&app.db, room).await?;
    queue(app, photos.into_iter().map(|photo| Job::IndexPhoto { photo })).await
}

/// Queues photos that the pack before has described, those of the newest events first, and says how many those were. Searches find
/// them until they are described anew.
///
/// # Errors
/// When the database fails.
pub async fn queue_previous(app: &App) -> Result<u64> {
    let Some(previous) = app.engine.previous_id() else { return Ok(0) };
    let room = room(app, JobKind::DescribePhoto).await?;
    let photos = storage::photos::described(&app.db, previous, room).await?;
    queue(app, photos.into_iter().map(|photo| Job::DescribePhoto { photo })).await
}

/// Queues photos that lack the rendition of medium size, which earlier versions did not make, and says how many those were.
///
/// # Errors
/// When the database fails.
pub async fn queue_unrendered(app: &App) -> Result<u64> {
    let room = room(app, JobKind::RenderPhoto).await?;
    let photos = storage::photos::unrendered(&app.db, room).await?;
    queue(app, photos.into_iter().map(|photo| Job::RenderPhoto { photo })).await
}

/// How many more jobs of a kind may wait in the background.
async fn room(app: &App, kind: JobKind) -> Result<i64> {
    Ok((QUEUED - storage::operations::runtime::jobs::count_in_background(&app.db, kind).await?).max(0))
}

async fn queue(app: &App, jobs: impl Iterator<Item = Job>) -> Result<u64> {
    let mut queued = 0;
    for job in jobs {
        let mut tx = app.begin().await?;
        if tx.enqueue_in_background(&job).await? {
            tx.commit().await?;
            queued += 1;
        }
    }
    Ok(queued)
}
