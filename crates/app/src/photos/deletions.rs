//! Deleting photos and events, in batches that survive a restart.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::accounts::User;
use domain::events::Event;
use domain::photos::{MediaKey, Photo, PhotoStatus, Size};
use domain::team::Right;
use domain::{EventId, Job, JobId, PhotoId, Refusal, UserId};
use storage::events::Deletion;
use storage::faces::index::Scope;
use storage::operations::runtime::jobs::JobState;
use storage::photos::Collection;

use crate::operations::runtime::queue::{JobQueue, Tx};
use crate::operations::stores;
use crate::photos::selections::Chosen;
use crate::team::rights::{self, Reached};
use crate::{App, Failure, Result};

/// Photos that are deleted in one batch; each has four files, and a bucket deletes a thousand with one request.
const BATCH: i64 = 250;

/// The result of a request to delete an event.
pub enum DeletionOutcome {
    /// It had no photos and is deleted.
    Completed(Event),
    /// Its photos are being deleted by this task.
    Started(Event, JobId),
}

/// Deletes a photographer's own event: at once when it is empty, else in the background. A repeated request
/// returns the same task.
///
/// # Errors
/// [`Refusal::EventNotFound`] for another's or a deleted one.
pub async fn delete_event(app: &App, owner: &User, id: EventId) -> Result<DeletionOutcome> {
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
    let deletion = storage::events::begin_deletion(tx, id, owner, job, app.now()).await?;
    enqueue(tx, deletion, job, id).await
}

/// The same for one of several events of an account that the caller closes at the end of the transaction.
pub(crate) async fn close(app: &App, tx: &mut Tx, owner: UserId, id: EventId) -> Result<Deletion> {
    let job = app.id::<JobId>();
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

/// The job of [`delete_event`].
pub(crate) async fn finish_event(app: &App, id: EventId) -> Result<()> {
    let Some(event) = storage::events::by_id(&app.db, id).await? else {
        return Ok(());
    };
    if event.deleted_at.is_some() || event.deleting_since.is_none() {
        return Ok(());
    }
    remove_all(app, Collection::Event(id)).await?;
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
    truncate_log(app).await;
    Ok(())
}

/// Drops the embeddings of an event and of its owner's library from this process's memory; other processes find out by
/// themselves (`gallery_cache.rs`).
pub(crate) fn forget(app: &App, owner: UserId, event: Option<EventId>) {
    app.galleries.forget(Scope::Owner(owner));
    if let Some(event) = event {
        app.galleries.forget(Scope::Event(event));
    }
}

/// Removes what was deleted from the database's log. When it fails, maintenance does so soon.
async fn truncate_log(app: &App) {
    match app.db.truncate_log().await {
        Ok(true) => {}
        Ok(false) => tracing::debug!("the log of the database is in use; it is truncated later"),
        Err(error) => {
            tracing::warn!(
                error = crate::operations::runtime::failure::chain(&error),
                "the database's log cannot be truncated"
            );
        }
    }
}

/// The job of closing an account: deletes its photos outside events, and erases the texts it wrote.
pub(crate) async fn clear_account(app: &App, user: UserId) -> Result<()> {
    remove_all(app, Collection::Library(user)).await?;
    let mut tx = app.begin().await?;
    storage::events::erase_texts(&mut tx, user).await?;
    tx.commit().await?;
    forget(app, user, None);
    truncate_log(app).await;
    Ok(())
}

/// Deletes the photos of a collection batch by batch.
pub(crate) async fn remove_all(app: &App, collection: Collection) -> Result<()> {
    remove_trash(app, collection).await?;
    loop {
        let photos = storage::photos::batch(&app.db, collection, BATCH).await?;
        if photos.is_empty() {
            return Ok(());
        }
        // The files go first: this loop finds a row without files again, but only maintenance finds files without a row.
        remove_files(app, &photos, &Size::ALL).await?;
        let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        storage::photos::delete_many(&mut tx, collection, &ids).await?;
        tx.commit().await?;
        app.renditions.forget(ids);
        remove_late_renditions(app, photos).await?;
    }
}

/// Deletes the photos of an open event for as long as it is due: an upload in between extends the period of the rest.
pub(crate) async fn remove_due(app: &App, event: EventId, period: Duration) -> Result<()> {
    let collection = Collection::Event(event);
    loop {
        let photos = storage::photos::batch(&app.db, collection, BATCH).await?;
        let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        if photos.is_empty()
            || !storage::events::retention::lock_due(&mut tx, event, period, app.now()).await?
        {
            return Ok(());
        }
        storage::photos::delete_many(&mut tx, collection, &ids).await?;
        storage::guests::subscriptions::delete_of(&mut tx, event).await?;
        storage::guests::objections::delete_without_photos(&mut tx, event).await?;
        tx.commit().await?;
        app.renditions.forget(ids);
        remove_files(app, &photos, &Size::ALL).await?;
    }
}

/// Deletes photos of libraries, which may be several photographers'.
pub(crate) async fn remove_from_libraries(app: &App, photos: &[Photo]) -> Result<()> {
    let owners: BTreeSet<UserId> = photos.iter().map(|photo| photo.owner).collect();
    for owner in owners {
        let ids: Vec<PhotoId> =
            photos.iter().filter(|photo| photo.owner == owner).map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        storage::photos::delete_many(&mut tx, Collection::Library(owner), &ids).await?;
        tx.commit().await?;
        app.renditions.forget(ids);
    }
    remove_files(app, photos, &Size::ALL).await
}

async fn remove_files(app: &App, photos: &[Photo], sizes: &[Size]) -> Result<()> {
    let keys: Vec<MediaKey> =
        photos.iter().flat_map(|photo| sizes.iter().map(|size| photo.key.sized(*size))).collect();
    if keys.is_empty() {
        return Ok(());
    }
    Ok(stores::own(app).await?.delete_many(&keys).await?)
}

/// A job may have stored renditions of a photo between the deletion of its files and of its row.
async fn remove_late_renditions(app: &App, photos: Vec<Photo>) -> Result<()> {
    let is_late = |photo: &Photo| photo.status == PhotoStatus::Processing || photo.medium_bytes.is_none();
    let late: Vec<Photo> = photos.into_iter().filter(is_late).collect();
    remove_files(app, &late, &Size::RENDITIONS).await
}

/// Removes the deleted photos of a collection for good.
async fn remove_trash(app: &App, collection: Collection) -> Result<()> {
    loop {
        let trashed = storage::photos::trash::page(&app.db, collection, None, None, BATCH).await?;
        if trashed.is_empty() {
            return Ok(());
        }
        let photos: Vec<PhotoId> = trashed.into_iter().map(|trashed| trashed.photo.id).collect();
        remove_trashed(app, &photos).await?;
    }
}

/// Removes deleted photos for good, and answers how many of them were still there.
pub(crate) async fn remove_trashed(app: &App, ids: &[PhotoId]) -> Result<usize> {
    let mut tx = app.begin().await?;
    let removed = storage::photos::trash::remove(&mut tx, ids).await?;
    tx.commit().await?;
    if let Err(failure) = remove_files(app, &removed, &Size::ALL).await {
        // They are gone all the same; maintenance removes the remaining files.
        tracing::warn!(photos = removed.len(), error = failure.chain(), "files of removed photos remain");
    }
    Ok(removed.len())
}

/// Deletes a photo that the caller sees, without a refund. It can be restored for a week.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub async fn delete_photo(app: &App, caller: &User, id: PhotoId) -> Result<()> {
    let photo = rights::photo(app, caller, id).await?;
    let collection = photo.event.map_or(Collection::Library(photo.owner), Collection::Event);
    let mut tx = app.begin().await?;
    if storage::photos::trash::put(&mut tx, collection, &[id], app.now()).await? == 0 {
        return Err(Refusal::PhotoNotFound.into());
    }
    tx.commit().await?;
    forget(app, photo.owner, photo.event);
    app.renditions.forget([id]);
    Ok(())
}

/// Deletes photos of an event that the caller sees, or of the library, without a refund, and answers their number; those that
/// are not there are left out. They can be restored for a week. Where a batch fails those before it are deleted, so that the same
/// call again goes on.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn delete_photos(app: &App, caller: &User, event: Option<EventId>, chosen: Chosen) -> Result<u64> {
    let reached = rights::photos(app, caller, event, Right::Upload).await?;
    let Reached { collection, owner, uploader } = reached;
    let ids = match chosen {
        Chosen::Photos(ids) if uploader.is_none() => ids,
        Chosen::Photos(ids) => {
            let there = storage::photos::by_ids(&app.db, &ids).await?.into_iter();
            there.filter(|photo| reached.has(photo)).map(|photo| photo.id).collect()
        }
        Chosen::All => storage::photos::ids(&app.db, collection, uploader).await?,
    };
    let mut deleted = 0;
    for ids in ids.chunks(usize::try_from(BATCH).unwrap_or(usize::MAX)) {
        let mut tx = app.begin().await?;
        deleted += storage::photos::trash::put(&mut tx, collection, ids, app.now()).await?;
        tx.commit().await?;
        forget(app, owner, event);
        app.renditions.forget(ids.iter().copied());
    }
    Ok(deleted)
}
