//! Deleting photos. They can be restored for a week (`trash.rs`), then they are removed for good (`removal.rs`).

use domain::accounts::User;
use domain::team::Right;
use domain::{EventId, PhotoId, Refusal};
use storage::photos::Collection;

use crate::photos::removal::{BATCH, forget};
use crate::photos::selections::Chosen;
use crate::team::rights::{self, Reached};
use crate::{App, Result};

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

/// Deletes photos of an event that the caller sees, or of the library, without a refund, and answers which they were, in no order;
/// those that are not there are left out. They can be restored for a week. Where a batch fails those before it are deleted, so that
/// the same call again goes on.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn delete_photos(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    chosen: Chosen,
) -> Result<Vec<PhotoId>> {
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
    let mut deleted = Vec::with_capacity(ids.len());
    for ids in ids.chunks(usize::try_from(BATCH).unwrap_or(usize::MAX)) {
        let mut tx = app.begin().await?;
        deleted.extend(storage::photos::trash::put_each(&mut tx, collection, ids, app.now()).await?);
        tx.commit().await?;
        forget(app, owner, event);
        app.renditions.forget(ids.iter().copied());
    }
    Ok(deleted)
}
