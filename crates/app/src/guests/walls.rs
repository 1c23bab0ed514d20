//! Walls: pages for a screen at the venue that show an event's photos as they arrive (decision 0090). Their address is the key:
//! no PIN is asked for, and what guests may not see no wall shows.

use domain::accounts::User;
use domain::events::Event;
use domain::guests::walls::{PHOTOS, Secret, Wall};
use domain::photos::Size;
use domain::team::Right;
use domain::{AlbumId, EventId, PhotoId, Refusal};
use storage::guests::browsing;

use crate::events::access;
use crate::photos::files;
use crate::studio::watermarked;
use crate::team::rights;
use crate::{App, Result};

/// The wall of an event that the caller manages; none where it has none.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::ManagersOnly`].
pub async fn of_event(app: &App, caller: &User, event: EventId) -> Result<Option<Wall>> {
    let event = rights::event(app, caller, event, Right::Manage).await?.event;
    Ok(storage::guests::walls::of_event(&app.db, event.id).await?)
}

/// Gives an event a wall that shows all of its photos, or those of one album. The one that it has goes on at its address, with
/// these photos.
///
/// # Errors
/// [`Refusal::AlbumNotFound`] for an album that is not the event's, [`Refusal::EventNotFound`], [`Refusal::ManagersOnly`], or
/// [`Refusal::EventBeingDeleted`].
pub async fn put(app: &App, caller: &User, event: EventId, album: Option<&str>) -> Result<Wall> {
    rights::open_event(app, caller, event, Right::Manage).await?;
    let album: Option<AlbumId> = album.map(str::parse).transpose().map_err(|_| Refusal::AlbumNotFound)?;
    let secret = Secret::generate(&app.randomness);
    let mut tx = app.begin().await?;
    storage::events::changes::lock(&mut tx, event).await?.ok_or(Refusal::EventBeingDeleted)?;
    if let Some(album) = album {
        let found = storage::photos::albums::by_id(&mut *tx, album).await?;
        found.filter(|album| album.event == event).ok_or(Refusal::AlbumNotFound)?;
    }
    storage::guests::walls::put(&mut tx, &Wall { event, secret, album, created_at: app.now() }).await?;
    let wall = storage::guests::walls::of_event(&mut *tx, event).await?.ok_or(Refusal::EventBeingDeleted)?;
    tx.commit().await?;
    Ok(wall)
}

/// Ends the wall of an event, if it has one. A new one gets another address.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::ManagersOnly`].
pub async fn end(app: &App, caller: &User, event: EventId) -> Result<()> {
    rights::event(app, caller, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    storage::guests::walls::delete(&mut tx, event).await?;
    tx.commit().await
}

/// A wall that somebody looks at.
#[derive(Debug)]
pub struct Opened {
    /// The event.
    pub event: Event,
    wall: Wall,
}

/// The wall whose address ends with `secret`.
///
/// # Errors
/// [`Refusal::WallEnded`], also where its event is deleted or being deleted, or its photographer's account is locked.
pub async fn open(app: &App, secret: &str) -> Result<Opened> {
    let secret = Secret::parse(secret).ok_or(Refusal::WallEnded)?;
    let wall = storage::guests::walls::by_secret(&app.db, &secret).await?.ok_or(Refusal::WallEnded)?;
    let event = access::behind_secret(app, wall.event).await?.ok_or(Refusal::WallEnded)?;
    Ok(Opened { event, wall })
}

/// What a wall shows.
#[derive(Debug)]
pub struct Shown {
    /// Its photos, the newest first, at most [`PHOTOS`].
    pub photos: Vec<PhotoId>,
    /// How many there are, with those that are older.
    pub total: i64,
}

/// The photos of a wall.
///
/// # Errors
/// When the database fails.
pub async fn shown(app: &App, Opened { event, wall }: &Opened) -> Result<Shown> {
    let photos = browsing::newest_shown(&app.db, event.id, wall.album, i64::from(PHOTOS)).await?;
    let total = browsing::count_shown(&app.db, event.id, wall.album).await?;
    Ok(Shown { photos, total })
}

/// A link to the picture of a photo of a wall, as guests see it, that expires as theirs do.
///
/// # Errors
/// [`Refusal::WallPhotoNotFound`] for what it does not show.
pub async fn picture(app: &App, Opened { event, wall }: &Opened, photo: &str) -> Result<String> {
    let id: PhotoId = photo.parse().map_err(|_| Refusal::WallPhotoNotFound)?;
    let photo = browsing::one_shown(&app.db, event.id, wall.album, id).await?;
    let photo = photo.ok_or(Refusal::WallPhotoNotFound)?;
    let size = if photo.medium_bytes.is_some() { Size::Medium } else { Size::Preview };
    let watermark = watermarked::of_owner(app, event.owner).await?;
    files::guest_link(app, &photo, size, watermark.as_ref()).await
}
