//! Deleting an event: at once when it is empty, else its photos go to the trash batch by batch in the background. For a week it can
//! be restored (`recently_deleted.rs`).

use domain::accounts::User;
use domain::events::Event;
use domain::photos::TRASH_PERIOD;
use domain::team::Right;
use domain::{EventId, Job, JobId, PhotoId, Refusal, Timestamp, UserId};
use storage::events::Deletion;
use storage::operations::runtime::jobs::JobState;
use storage::photos::Collection;

use crate::accounts::deletion_receipts;
use crate::guests::guest_photos::removal as guest_photos;
use crate::operations::runtime::queue::{JobQueue, Tx};
use crate::photos::removal::{BATCH, forget, remove_all, truncate_log};
use crate::team::rights;
use crate::{App, Failure, Result};

/// The result of a request to delete an event.
pub enum DeletionOutcome {
    /// It had no photos and is deleted.
    Completed(Event),
    /// Its photos are being moved to the trash by this task.
    Started(Event, JobId),
}

/// Deletes a photographer's own event: at once when it is empty, else in the background. A repeated request
/// returns the same task.
///
/// # Errors
/// [`Refusal::EventNotFound`] for another's or a deleted one.
pub async fn delete(app: &App, owner: &User, id: EventId) -> Result<DeletionOutcome> {
    let event = rights::event(app, owner, id, Right::Own).await?.event;
    let mut tx = app.begin().await?;
    let deletion = begin(app, &mut tx, owner.id, id).await?;
    tx.commit().await?;
    forget(app, owner.id, Some(id));
    match deletion {
        Deletion::Done => Ok(DeletionOutcome::Completed(event)),
        Deletion::Started => task_of(app, event).await,
        Deletion::Running(task) => Ok(DeletionOutcome::Started(event, task)),
        Deletion::Missing => Err(Refusal::EventNotFound.into()),
    }
}

async fn task_of(app: &App, event: Event) -> Result<DeletionOutcome> {
    let now = storage::events::by_id(&app.db, event.id).await?;
    match now.and_then(|event| event.deletion_job) {
        Some(task) => Ok(DeletionOutcome::Started(event, task)),
        None => Err(Failure::Internal(format!("event {} is being deleted by no job", event.id))),
    }
}

/// Begins the deletion of an event in the caller's transaction and enqueues that of its photos.
async fn begin(app: &App, tx: &mut Tx, owner: UserId, id: EventId) -> Result<Deletion> {
    let job = app.id::<JobId>();
    let now = app.now();
    let until = now.plus(TRASH_PERIOD);
    let deletion = storage::events::begin_deletion(tx, id, owner, job, now, until).await?;
    enqueue(tx, deletion, job, id).await
}

/// The same, for good, for one of several events of an account that the caller closes at the end of the transaction.
pub(crate) async fn close(app: &App, tx: &mut Tx, owner: UserId, id: EventId) -> Result<Deletion> {
    let job = app.id::<JobId>();
    deletion_receipts::begin_event(tx, id, owner).await?;
    let deletion = storage::events::close(tx, id, owner, job, app.now()).await?;
    enqueue(tx, deletion, job, id).await
}

async fn enqueue(tx: &mut Tx, deletion: Deletion, job: JobId, id: EventId) -> Result<Deletion> {
    if deletion == Deletion::Started {
        tx.enqueue_as(job, &Job::DeleteEvent { event: id }).await?;
    }
    Ok(deletion)
}

/// Enqueues the job of a deletion again that failed or was lost; false when it is queued.
pub(crate) async fn resume(queue: &JobQueue, event: &Event) -> Result<bool> {
    let Some(job) = event.deletion_job.filter(|_| event.deleted_at.is_none()) else { return Ok(false) };
    let state = queue.state(job).await?;
    let work = Job::DeleteEvent { event: event.id };
    let mut tx = queue.begin().await?;
    match state {
        Some(JobState::Queued) => return Ok(false),
        Some(JobState::Done | JobState::Failed) => {
            tx.requeue(job, &work).await?;
        }
        None => tx.enqueue_as(job, &work).await?,
    }
    tx.commit().await?;
    Ok(true)
}

/// The progress of a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is under way.
    InProgress,
    /// Everything is deleted.
    Completed,
    /// It failed; maintenance enqueues it again.
    Failed,
}

/// The progress of the deletion with this task.
///
/// # Errors
/// [`Refusal::TaskNotFound`] for one that does not exist or is another photographer's.
pub async fn progress(app: &App, owner: &User, task: JobId) -> Result<(Event, Progress)> {
    let event = storage::events::by_deletion_job(&app.db, task).await?;
    let event = event.filter(|event| event.owner == owner.id).ok_or(Refusal::TaskNotFound)?;
    if event.deleted_at.is_some() {
        return Ok((event, Progress::Completed));
    }
    let failed = app.queue.state(task).await? == Some(JobState::Failed);
    Ok((event, if failed { Progress::Failed } else { Progress::InProgress }))
}

/// The job of [`delete`].
pub(crate) async fn finish(app: &App, id: EventId) -> Result<()> {
    let Some(event) = storage::events::by_id(&app.db, id).await? else {
        return Ok(());
    };
    let Some(since) = event.deleting_since.filter(|_| event.deleted_at.is_none()) else {
        return deletion_receipts::settle(app, event.owner).await;
    };
    let is_restorable = event.restorable_until.is_some();
    if is_restorable {
        trash_all(app, id, since).await?;
    } else {
        remove_all(app, Collection::Event(id)).await?;
        guest_photos::remove_all(app, id).await?;
    }
    let owner_is_gone = storage::accounts::users::by_id(&app.db, event.owner).await?.is_none();
    let mut tx = app.begin().await?;
    if storage::events::finish_deletion(&mut tx, id, app.now()).await? {
        if owner_is_gone {
            storage::events::erase_texts(&mut tx, event.owner).await?;
        }
        tx.commit().await?;
        tracing::info!(event = %id, photos = event.photos_uploaded, "an event is deleted");
    }
    forget(app, event.owner, Some(id));
    if is_restorable {
        return Ok(());
    }
    truncate_log(app).await;
    deletion_receipts::settle(app, event.owner).await
}

/// Moves the photos of an event to the trash, all as deleted when the event was.
async fn trash_all(app: &App, id: EventId, since: Timestamp) -> Result<()> {
    let collection = Collection::Event(id);
    loop {
        let photos = storage::photos::batch(&app.db, collection, BATCH).await?;
        if photos.is_empty() {
            return Ok(());
        }
        let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        // Another process may have ended this deletion since, and its owner have restored the event.
        if !storage::events::lock_deleting(&mut tx, id, since).await? {
            return Ok(());
        }
        storage::photos::trash::put(&mut tx, collection, &ids, since).await?;
        tx.commit().await?;
        app.renditions.forget(ids);
    }
}
