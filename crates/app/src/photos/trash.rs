//! Deleted photos, which wait for a week to be restored: nobody but their photographer finds them.

use domain::accounts::User;
use domain::operations::runtime::pages::PageSize;
use domain::photos::{Photo, Size, TRASH_PERIOD};
use domain::team::Right;
use domain::{EventId, PhotoId, Refusal, Timestamp};
use storage::photos::trash::Place;

use crate::operations::runtime::queue::Tx;
use crate::photos::files::{self, StoredFile};
use crate::photos::removal;
use crate::photos::selections::Chosen;
use crate::team::rights::{self, Reached};
use crate::{App, Result};

pub use storage::photos::trash::Trashed;

/// Photos that are removed, or restored, in one transaction.
const BATCH: i64 = 250;
/// Entries of a page.
const PAGE: PageSize = PageSize { default: 200, most: 1_000 };

/// A page of the trash.
pub struct Page {
    /// The photos, those that were deleted last first.
    pub photos: Vec<Trashed>,
    /// How many there are on all pages.
    pub total: i64,
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// The deleted photos of an event, or of the library.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::CursorInvalid`].
pub async fn list(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    limit: Option<u32>,
    cursor: Option<&str>,
) -> Result<Page> {
    let Reached { collection, uploader, .. } = rights::photos(app, caller, event, Right::Upload).await?;
    let after = cursor.map(place).transpose()?;
    let limit = usize::try_from(PAGE.of(limit)?).unwrap_or(usize::MAX);
    let rows = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let mut photos = storage::photos::trash::page(&app.db, collection, uploader, after, rows).await?;
    let total = storage::photos::trash::count(&app.db, collection, uploader).await?;
    let more = photos.len() > limit;
    photos.truncate(limit);
    let last = photos.last().filter(|_| more);
    let next_cursor = last.map(|last| format!("{}.{}", last.at.as_millis(), last.photo.id));
    Ok(Page { photos, total, next_cursor })
}

fn place(cursor: &str) -> Result<Place> {
    let parsed = cursor.split_once('.').and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)));
    let (at, id) = parsed.ok_or(Refusal::CursorInvalid)?;
    Ok((Timestamp::from_millis(at), id))
}

/// When a photo that was deleted at this moment is removed for good, at the latest.
pub fn removal(at: Timestamp) -> Timestamp {
    at.plus(TRASH_PERIOD)
}

/// The thumbnail of a deleted photo that the caller sees.
///
/// # Errors
/// [`Refusal::PhotoNotFound`], or [`Refusal::PhotoNotReady`].
pub async fn thumbnail(app: &App, caller: &User, id: PhotoId) -> Result<StoredFile> {
    let photo = storage::photos::trash::by_id(&app.db, id).await?.ok_or(Refusal::PhotoNotFound)?.photo;
    if !rights::sees(app, caller, &photo).await? {
        return Err(Refusal::PhotoNotFound.into());
    }
    if !photo.sizes().contains(&Size::Thumbnail) {
        return Err(Refusal::PhotoNotReady.into());
    }
    files::stored(&photo, Size::Thumbnail)
}

/// Restores photos of the trash, and answers their number. Nothing is charged. A photo whose bytes were uploaded again
/// stays where it is.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::EventBeingDeleted`].
pub async fn restore(app: &App, caller: &User, event: Option<EventId>, chosen: Chosen) -> Result<usize> {
    if let Some(event) = event {
        rights::open_event(app, caller, event, Right::Upload).await?;
    }
    let reached = rights::photos(app, caller, event, Right::Upload).await?;
    let mut restored = 0;
    for ids in batches(app, &reached, chosen, None).await? {
        restored += restore_some(app, &reached, &reachable(app, &reached, ids).await?).await?.len();
    }
    Ok(restored)
}

/// Those of deleted photos that the caller sees.
async fn reachable(app: &App, reached: &Reached, ids: Vec<PhotoId>) -> Result<Vec<PhotoId>> {
    if reached.uploader.is_none() {
        return Ok(ids);
    }
    let there = storage::photos::trash::by_ids(&app.db, &ids).await?.into_iter();
    Ok(there.filter(|photo| reached.has(photo)).map(|photo| photo.id).collect())
}

/// Restores the photo that has the bytes of an upload; none when it is not in the trash any more.
pub(crate) async fn restore_uploaded(
    app: &App,
    reached: &Reached,
    hash: &domain::photos::ContentHash,
) -> Result<Option<Photo>> {
    let Some(id) = storage::photos::trash::by_hash(&app.db, reached.collection, hash).await? else {
        return Ok(None);
    };
    // A photo that somebody else has deleted is not a contributor's to restore.
    restore_some(app, reached, &reachable(app, reached, vec![id]).await?).await?;
    let photo = storage::photos::by_id(&app.db, id).await?;
    Ok(photo.filter(|photo| reached.has(photo)))
}

/// Restores photos of the trash in one transaction, and queues those for indexing that need it.
pub(crate) async fn restore_some(app: &App, reached: &Reached, ids: &[PhotoId]) -> Result<Vec<Photo>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut tx: Tx = app.begin().await?;
    let Reached { collection, owner, .. } = *reached;
    let restored =
        storage::photos::trash::restore(&mut tx, collection, owner, &app.engine.packs(), ids).await?;
    for photo in restored.to_index {
        tx.index_again(photo).await?;
    }
    tx.commit().await?;
    removal::forget(app, owner, reached.event());
    Ok(restored.photos)
}

/// Removes photos of the trash for good, and answers their number. All are those alone that were deleted by `through`, where it is
/// given: whoever confirms that has seen no others.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::OwnerOnly`]: photos are paid for by the owner, who can restore them for as long as
/// anybody.
pub async fn remove(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    chosen: Chosen,
    through: Option<Timestamp>,
) -> Result<usize> {
    let reached = rights::photos(app, caller, event, Right::Own).await?;
    let mut removed = 0;
    for ids in batches(app, &reached, chosen, through).await? {
        let ids = storage::photos::trash::left_in_trash(&app.db, &ids).await?;
        let there = storage::photos::trash::by_ids(&app.db, &ids).await?;
        let own = there.into_iter().filter(|photo| reached.has(photo));
        let own: Vec<PhotoId> = own.map(|photo| photo.id).collect();
        removed += removal::remove_trashed(app, &own).await?.len();
    }
    Ok(removed)
}

/// The chosen photos, as many as one transaction takes at once; all are those that were deleted by `through`.
async fn batches(
    app: &App,
    reached: &Reached,
    chosen: Chosen,
    through: Option<Timestamp>,
) -> Result<Vec<Vec<PhotoId>>> {
    let photos = match chosen {
        Chosen::Photos(photos) => photos,
        Chosen::All => {
            let Reached { collection, uploader, .. } = *reached;
            let count = storage::photos::trash::count(&app.db, collection, uploader).await?;
            let mut all = storage::photos::trash::page(&app.db, collection, uploader, None, count).await?;
            all.retain(|trashed| through.is_none_or(|through| trashed.at <= through));
            all.into_iter().map(|trashed| trashed.photo.id).collect()
        }
    };
    let size = usize::try_from(BATCH).unwrap_or(usize::MAX);
    Ok(photos.chunks(size).map(<[PhotoId]>::to_vec).collect())
}

/// Removes what has been in the trash for a week, or whose event's photos are not kept any longer.
pub(crate) async fn remove_due(app: &App) -> Result<()> {
    loop {
        let mut due = storage::photos::trash::due(&app.db, app.now().minus(TRASH_PERIOD), BATCH).await?;
        let keeping = app.settings.keeping;
        due.extend(storage::events::retention::trashed(&app.db, keeping, app.now(), BATCH).await?);
        if due.is_empty() {
            return Ok(());
        }
        let removed = removal::remove_trashed(app, &due).await?;
        tracing::info!(photos = removed.len(), "deleted photos were removed for good");
    }
}
