//! Removing photos for good, in batches that survive a restart.

use std::collections::{BTreeSet, HashSet};

use domain::events::Event;
use domain::photos::{Photo, PhotoStatus, Size};
use domain::{EventId, PhotoId, Timestamp, UserId};
use storage::faces::index::Scope;
use storage::photos::Collection;

use crate::accounts::deletion_receipts;
use crate::guests::guest_photos::removal as guest_photos;
use crate::operations::stores;
use crate::{App, Result};

/// Photos that are deleted in one batch; each has four files, and a bucket deletes a thousand with one request.
pub(crate) const BATCH: i64 = 250;

/// Drops the embeddings of an event and of its owner's library from this process's memory; other processes find out by
/// themselves (`face_index_cache.rs`).
pub(crate) fn forget(app: &App, owner: UserId, event: Option<EventId>) {
    app.face_indexes.forget(Scope::Owner(owner));
    if let Some(event) = event {
        app.face_indexes.forget(Scope::Event(event));
    }
}

/// Removes what was deleted from the database's log. When it fails, maintenance does so soon.
pub(crate) async fn truncate_log(app: &App) {
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
    guest_photos::remove_all_of(app, user).await?;
    let mut tx = app.begin().await?;
    storage::events::erase_texts(&mut tx, user).await?;
    tx.commit().await?;
    forget(app, user, None);
    truncate_log(app).await;
    deletion_receipts::settle(app, user).await
}

/// Deletes the photos of a collection batch by batch.
pub(crate) async fn remove_all(app: &App, collection: Collection) -> Result<()> {
    remove_trash(app, collection).await?;
    loop {
        let mut photos = storage::photos::batch(&app.db, collection, BATCH).await?;
        if photos.is_empty() {
            return Ok(());
        }
        // The files go first: this loop finds a row without files again, but only maintenance finds files without a row.
        stores::remove_files(app, &photos, &Size::ALL).await?;
        let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        let deleted = storage::photos::delete_many(&mut tx, collection, &ids).await?;
        // What another process has deleted at the same time, it has counted.
        photos.retain(|photo| deleted.contains(&photo.id));
        deletion_receipts::count(&mut tx, &id_of(collection), &photos).await?;
        tx.commit().await?;
        app.renditions.forget(ids);
        remove_late_renditions(app, photos).await?;
    }
}

/// Deletes the photos of an open event for as long as it is due, since `due`: an upload in between extends the period of the rest.
pub(crate) async fn remove_due(app: &App, event: &Event, due: Timestamp) -> Result<()> {
    let collection = Collection::Event(event.id);
    loop {
        let mut photos = storage::photos::batch(&app.db, collection, BATCH).await?;
        let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        if photos.is_empty()
            || !storage::events::retention::lock_due(&mut tx, event.id, app.settings.keeping, app.now())
                .await?
        {
            return Ok(());
        }
        let before = deletion_receipts::left_by_guests(&mut tx, event.id).await?;
        let deleted = storage::photos::delete_many(&mut tx, collection, &ids).await?;
        // What was moved to the trash meanwhile keeps its files, and is counted when it is removed.
        photos.retain(|photo| deleted.contains(&photo.id));
        if photos.is_empty() {
            continue;
        }
        storage::guests::subscriptions::delete_of(&mut tx, event.id).await?;
        storage::guests::kept_searches::delete_key(&mut tx, event.id).await?;
        storage::guests::objections::delete_without_photos(&mut tx, event.id).await?;
        deletion_receipts::count_expired(&mut tx, event, due, &photos, before).await?;
        tx.commit().await?;
        app.renditions.forget(ids);
        stores::remove_files(app, &photos, &Size::ALL).await?;
    }
}

/// Deletes photos of libraries, which may be several photographers'. What was moved to the trash meanwhile keeps its files.
pub(crate) async fn remove_from_libraries(app: &App, mut photos: Vec<Photo>) -> Result<()> {
    let owners: BTreeSet<UserId> = photos.iter().map(|photo| photo.owner).collect();
    let mut deleted = HashSet::with_capacity(photos.len());
    for owner in owners {
        let ids: Vec<PhotoId> =
            photos.iter().filter(|photo| photo.owner == owner).map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        deleted.extend(storage::photos::delete_many(&mut tx, Collection::Library(owner), &ids).await?);
        tx.commit().await?;
        app.renditions.forget(ids);
    }
    photos.retain(|photo| deleted.contains(&photo.id));
    stores::remove_files(app, &photos, &Size::ALL).await
}

/// A job may have stored renditions of a photo between the deletion of its files and of its row.
async fn remove_late_renditions(app: &App, photos: Vec<Photo>) -> Result<()> {
    let is_late = |photo: &Photo| photo.status == PhotoStatus::Processing || photo.medium_bytes.is_none();
    let late: Vec<Photo> = photos.into_iter().filter(is_late).collect();
    stores::remove_files(app, &late, &Size::RENDITIONS).await
}

/// Removes the deleted photos of a collection for good, which nobody can restore any more. The files go first, as in [`remove_all`].
pub(crate) async fn remove_trash(app: &App, collection: Collection) -> Result<()> {
    loop {
        let trashed = storage::photos::trash::page(&app.db, collection, None, None, BATCH).await?;
        if trashed.is_empty() {
            return Ok(());
        }
        let photos: Vec<Photo> = trashed.into_iter().map(|trashed| trashed.photo).collect();
        stores::remove_files(app, &photos, &Size::ALL).await?;
        let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
        let mut tx = app.begin().await?;
        let removed = storage::photos::trash::remove(&mut tx, &ids).await?;
        deletion_receipts::count(&mut tx, &id_of(collection), &removed).await?;
        tx.commit().await?;
        remove_late_renditions(app, photos).await?;
    }
}

fn id_of(collection: Collection) -> String {
    match collection {
        Collection::Event(event) => event.to_string(),
        Collection::Library(owner) => owner.to_string(),
    }
}

/// Removes deleted photos for good, and answers those that were still there.
pub(crate) async fn remove_trashed(app: &App, ids: &[PhotoId]) -> Result<Vec<Photo>> {
    let there = storage::photos::trash::by_ids(&app.db, ids).await?;
    // A receipt is signed once the last row is gone, and says that no file is left. The files of others go last: they may be
    // restored until their rows are gone.
    let first = deletion_receipts::being_removed(app, there).await?;
    stores::remove_files(app, &first, &Size::ALL).await?;
    let mut tx = app.begin().await?;
    let removed = storage::photos::trash::remove(&mut tx, ids).await?;
    deletion_receipts::count_each(&mut tx, &removed).await?;
    tx.commit().await?;
    // Of all of them: a job may have stored renditions of the first meanwhile.
    if let Err(failure) = stores::remove_files(app, &removed, &Size::ALL).await {
        // They are gone all the same; maintenance removes the remaining files.
        tracing::warn!(photos = removed.len(), error = failure.chain(), "files of removed photos remain");
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use domain::JobId;
    use media::stores::Source;
    use storage::testing::rival_before;

    use super::*;
    use crate::testing::rows;

    async fn app(db: &storage::Db, incoming: &Path) -> App {
        let app = App::new(crate::testing::parts(db.clone(), incoming)).await.unwrap();
        // Before there is a photo, whose original would be looked for.
        stores::own(&app).await.unwrap();
        app
    }

    /// What the receipts of an owner's deletions count.
    async fn counted(app: &App, owner: UserId) -> i64 {
        let deletions = storage::accounts::deletion_receipts::of_owner(&app.db, owner).await.unwrap();
        deletions.iter().map(|deletion| deletion.removed.photos).sum()
    }

    #[tokio::test]
    async fn photos_that_two_processes_remove_at_once_are_counted_once() {
        // [SAFE491] On PostgreSQL: SQLite has one writer.
        let (database, incoming) = (storage::testing::postgres().await, tempfile::tempdir().unwrap());
        let app = app(&database.db, incoming.path()).await;
        for place in 0..6 {
            let owner = rows::photographer(&app).await.unwrap();
            let event = rows::event(&app, owner).await.unwrap();
            for _ in 0..2 {
                rows::photo(&app, owner, Some(event)).await.unwrap();
            }
            let mut tx = app.begin().await.unwrap();
            deletion_receipts::begin_event(&mut tx, event, owner).await.unwrap();
            storage::events::close(&mut tx, event, owner, app.id::<JobId>(), app.now()).await.unwrap();
            tx.commit().await.unwrap();
            let collection = Collection::Event(event);
            let both = rival_before(place, remove_all(&app, collection), remove_all(&app, collection)).await;
            both.first.unwrap();
            both.rival.unwrap();
            assert_eq!(counted(&app, owner).await, 2, "place {place}");
        }
    }

    #[tokio::test]
    async fn a_photo_that_is_deleted_while_its_time_ends_keeps_its_file_and_is_not_counted_yet() {
        // [SAFE491] On PostgreSQL: SQLite has one writer.
        let (database, incoming) = (storage::testing::postgres().await, tempfile::tempdir().unwrap());
        let app = app(&database.db, incoming.path()).await;
        for place in 0..5 {
            let owner = rows::photographer(&app).await.unwrap();
            let event = rows::event(&app, owner).await.unwrap();
            rows::photo(&app, owner, Some(event)).await.unwrap();
            let deleted = rows::photo(&app, owner, Some(event)).await.unwrap();
            let key = storage::photos::media_key(&app.db, deleted).await.unwrap().unwrap();
            app.store.put(&key, Source::Bytes(b"original".as_slice().into())).await.unwrap();
            let now = app.now();
            let expire = format!(
                "UPDATE events SET retained_from = 0, last_upload_at = 0, removal_at = {}
                 WHERE id = '{event}'",
                now.as_millis()
            );
            storage::testing::change(&app.db, &expire).await;
            let expired = storage::events::by_id(&app.db, event).await.unwrap().unwrap();
            let delete = async {
                let mut tx = app.begin().await.unwrap();
                let collection = Collection::Event(event);
                let moved = storage::photos::trash::put(&mut tx, collection, &[deleted], now).await.unwrap();
                tx.commit().await.unwrap();
                i64::try_from(moved).unwrap()
            };
            let both = rival_before(place, remove_due(&app, &expired, now), delete).await;
            both.first.unwrap();
            let is_stored = app.store.size(&key).await.unwrap().is_some();
            assert_eq!(is_stored, both.rival == 1, "place {place}");
            assert_eq!(counted(&app, owner).await, 2 - both.rival, "place {place}");
        }
    }
}
