//! Albums: photos of an event that their photographer has put together. Guests may look at their own photos album by album.

use std::collections::HashSet;

use domain::accounts::User;
use domain::operations::runtime::texts::folded;
use domain::photos::Photo;
use domain::photos::albums::{Album, PER_EVENT, arranged, parse_name};
use domain::team::Right;
use domain::{AlbumId, EventId, PhotoId, Refusal};
use storage::photos::Collection;
pub use storage::photos::albums::{Membership, Moved};

use crate::operations::runtime::queue::Tx;
use crate::photos::selections::Chosen;
use crate::team::rights;
use crate::{App, Failure, Result};

/// Photos that are put into an album in one transaction: uploads to the event wait for it.
const BATCH: usize = 1_000;

/// The albums of an own event, in their order.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn list(app: &App, owner: &User, event: EventId) -> Result<Vec<Album>> {
    let event = rights::event(app, owner, event, Right::Manage).await?.event;
    Ok(storage::photos::albums::list(&app.db, event.id).await?)
}

/// Adds an album to an own event, behind its others.
///
/// # Errors
/// The refusals of its name, [`Refusal::AlbumsTooMany`], [`Refusal::EventNotFound`] or [`Refusal::EventBeingDeleted`].
pub async fn create(app: &App, owner: &User, event: EventId, name: &str) -> Result<Album> {
    let name = parse_name(name)?;
    let mut tx = begin(app, owner, event).await?;
    if storage::photos::albums::count(&mut *tx, event).await? >= i64::try_from(PER_EVENT).unwrap_or(i64::MAX)
    {
        return Err(Refusal::AlbumsTooMany.into());
    }
    let album = Album { id: app.id(), event, name, created_at: app.now() };
    check_name(&mut tx, &album, &album.name).await?;
    if !storage::photos::albums::create(&mut tx, &album).await? {
        return Err(Refusal::AlbumNameTaken.into());
    }
    tx.commit().await?;
    Ok(album)
}

/// Puts the albums of an own event into this order, and answers them. Those that are not named come last, as they were.
///
/// # Errors
/// [`Refusal::EventNotFound`] or [`Refusal::EventBeingDeleted`].
pub async fn arrange(app: &App, owner: &User, event: EventId, order: &[AlbumId]) -> Result<Vec<Album>> {
    let mut tx = begin(app, owner, event).await?;
    let albums = arranged(storage::photos::albums::list(&mut *tx, event).await?, order);
    storage::photos::albums::arrange(&mut tx, &albums).await?;
    tx.commit().await?;
    Ok(albums)
}

/// Calls an own album otherwise.
///
/// # Errors
/// The refusals of its name, or [`Refusal::AlbumNotFound`].
pub async fn rename(app: &App, owner: &User, id: &str, name: &str) -> Result<Album> {
    let name = parse_name(name)?;
    let album = own(app, owner, id).await?;
    let mut tx = begin(app, owner, album.event).await?;
    check_name(&mut tx, &album, &name).await?;
    if !storage::photos::albums::rename(&mut tx, &album, &name).await? {
        return Err(Refusal::AlbumNameTaken.into());
    }
    tx.commit().await?;
    Ok(Album { name, ..album })
}

/// Refuses a name that looks like that of another album of the event. Two of a version before that do stay.
async fn check_name(tx: &mut Tx, album: &Album, name: &str) -> Result<()> {
    let others = storage::photos::albums::list(&mut **tx, album.event).await?;
    let is_taken = |other: &Album| other.id != album.id && folded(&other.name) == folded(name);
    if others.iter().any(is_taken) { Err(Refusal::AlbumNameTaken.into()) } else { Ok(()) }
}

/// Deletes an own album. Its photos stay.
///
/// # Errors
/// [`Refusal::AlbumNotFound`].
pub async fn delete(app: &App, owner: &User, id: &str) -> Result<()> {
    let album = own(app, owner, id).await?;
    let mut tx = begin(app, owner, album.event).await?;
    if !storage::photos::albums::delete(&mut tx, album.id).await? {
        return Err(Refusal::AlbumNotFound.into());
    }
    tx.commit().await
}

/// What is to be done with photos.
#[derive(Clone, Copy, Debug)]
pub enum Move<'a> {
    /// They are put into the album with this id, beside those that they are in.
    Into(&'a str),
    /// They are taken out of the album with this id.
    OutOf(&'a str),
    /// They are taken out of all albums.
    OutOfAll,
}

/// The same with an album that was there.
#[derive(Clone, Copy)]
enum Found {
    Into(AlbumId),
    OutOf(Option<AlbumId>),
}

/// Puts photos of an own event into one of its albums, or takes them out, and answers what that changed: the reverse of it is how
/// it was. Where a batch fails those before it stay, so that the same call again goes on.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventBeingDeleted`], or [`Refusal::AlbumNotFound`].
pub async fn put(app: &App, owner: &User, event: EventId, wanted: Move<'_>, chosen: Chosen) -> Result<Moved> {
    rights::open_event(app, owner, event, Right::Manage).await?;
    let wanted = match wanted {
        Move::Into(id) => Found::Into(of_event(app, owner, event, id).await?),
        Move::OutOf(id) => Found::OutOf(Some(of_event(app, owner, event, id).await?)),
        Move::OutOfAll => Found::OutOf(None),
    };
    let mut photos = match chosen {
        Chosen::Photos(photos) => photos,
        Chosen::All => storage::photos::ids(&app.db, Collection::Event(event), None).await?,
    };
    photos.sort_unstable();
    photos.dedup();
    let mut moved = Moved::default();
    for photos in photos.chunks(BATCH) {
        let batch = put_batch(app, owner, event, wanted, photos).await?;
        moved.photos += batch.photos;
        moved.changes.extend(batch.changes);
    }
    Ok(moved)
}

async fn of_event(app: &App, owner: &User, event: EventId, id: &str) -> Result<AlbumId> {
    let album = own(app, owner, id).await?;
    if album.event == event { Ok(album.id) } else { Err(Refusal::AlbumNotFound.into()) }
}

async fn put_batch(
    app: &App,
    owner: &User,
    event: EventId,
    wanted: Found,
    photos: &[PhotoId],
) -> Result<Moved> {
    let mut tx = begin(app, owner, event).await?;
    if let Found::Into(album) | Found::OutOf(Some(album)) = wanted {
        // It may have been deleted since the call began; from here on it stays.
        storage::photos::albums::by_id(&mut *tx, album).await?.ok_or(Refusal::AlbumNotFound)?;
    }
    let moved = match wanted {
        Found::Into(album) => storage::photos::albums::put(&mut tx, event, album, photos).await?,
        Found::OutOf(album) => storage::photos::albums::take_out(&mut tx, event, album, photos).await?,
    };
    tx.commit().await?;
    Ok(moved)
}

/// Those albums of an event that photos which are shown to a guest are in, in their order.
pub(crate) async fn of_found<'a>(
    app: &App,
    event: EventId,
    photos: impl Iterator<Item = &'a Photo>,
) -> Result<Vec<Album>> {
    let used: HashSet<AlbumId> = photos.flat_map(|photo| photo.albums.iter().copied()).collect();
    if used.is_empty() {
        return Ok(Vec::new());
    }
    let mut albums = storage::photos::albums::list(&app.db, event).await?;
    albums.retain(|album| used.contains(&album.id));
    Ok(albums)
}

/// An album of an event that the caller manages.
async fn own(app: &App, owner: &User, id: &str) -> Result<Album> {
    let id = id.parse().map_err(|_| Refusal::AlbumNotFound)?;
    let album = storage::photos::albums::by_id(&app.db, id).await?.ok_or(Refusal::AlbumNotFound)?;
    match rights::event(app, owner, album.event, Right::Manage).await {
        Ok(_) => Ok(album),
        Err(Failure::Refused(_)) => Err(Refusal::AlbumNotFound.into()),
        Err(failure) => Err(failure),
    }
}

/// A transaction that has the event's row, so that changes of its albums follow each other.
async fn begin(app: &App, owner: &User, event: EventId) -> Result<Tx> {
    rights::open_event(app, owner, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    storage::events::changes::lock(&mut tx, event).await?.ok_or(Refusal::EventBeingDeleted)?;
    Ok(tx)
}
