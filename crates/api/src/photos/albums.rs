//! Albums of an event.

use std::collections::BTreeMap;

use app::App;
use app::photos::albums::{self, Membership, Move, Moved};
use axum::extract::State;
use axum::http::StatusCode;
use domain::photos::albums::Album;
use domain::{AlbumId, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, PhotographersOnly, Unavailable, done};
use crate::photos::selections::{PhotoChoice, event_id};

/// Photos of an event that their photographer has put together.
#[derive(Serialize, ToSchema)]
pub(crate) struct AlbumBody {
    id: String,
    /// What it is called; guests read it.
    name: String,
}

impl From<Album> for AlbumBody {
    fn from(Album { id, name, .. }: Album) -> Self {
        Self { id: id.to_string(), name }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct AlbumsBody {
    /// In the order that the photographer has given them.
    albums: Vec<AlbumBody>,
}

impl From<Vec<Album>> for AlbumsBody {
    fn from(albums: Vec<Album>) -> Self {
        Self { albums: albums.into_iter().map(AlbumBody::from).collect() }
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AlbumNameBody {
    /// At most 60 characters; no other album of the event may have it.
    name: String,
}

/// The albums of an event of the caller.
#[utoipa::path(get, path = "/api/events/{event}/albums", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = AlbumsBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn list_albums(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<AlbumsBody>> {
    let albums = albums::list(&app, &owner, event_id(&id)?).await?;
    Ok(Json(AlbumsBody::from(albums)))
}

/// Adds an album to an event of the caller, behind its others.
#[utoipa::path(post, path = "/api/events/{event}/albums", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")), request_body = AlbumNameBody,
    responses(
        (status = 201, body = AlbumBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "There is an album of this name, or as many as may be, or the event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn create_album(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(AlbumNameBody { name }): Json<AlbumNameBody>,
) -> Result<(StatusCode, Json<AlbumBody>)> {
    let album = albums::create(&app, &owner, event_id(&id)?, &name).await?;
    Ok((StatusCode::CREATED, Json(album.into())))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AlbumOrderBody {
    /// The albums from the first to the last. Those that are not named come after them, as they were; ids of others are
    /// ignored.
    album_ids: Vec<String>,
}

/// Puts the albums of an event of the caller into an order, which guests see too.
#[utoipa::path(put, path = "/api/events/{event}/albums", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")), request_body = AlbumOrderBody,
    responses(
        (status = 200, body = AlbumsBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn arrange_albums(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(AlbumOrderBody { album_ids }): Json<AlbumOrderBody>,
) -> Result<Json<AlbumsBody>> {
    // What is no id is no album's.
    let order: Vec<_> = album_ids.iter().filter_map(|id| id.parse().ok()).collect();
    let albums = albums::arrange(&app, &owner, event_id(&id)?, &order).await?;
    Ok(Json(AlbumsBody::from(albums)))
}

/// Gives an album another name.
#[utoipa::path(patch, path = "/api/albums/{id}", tag = "events", security(("bearer" = [])),
    params(("id" = String, Path, description = "The album's id")), request_body = AlbumNameBody,
    responses(
        (status = 200, body = AlbumBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such album of the caller"),
        (status = 409, body = ErrorBody, description = "There is an album of this name, or the event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn rename_album(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(AlbumNameBody { name }): Json<AlbumNameBody>,
) -> Result<Json<AlbumBody>> {
    Ok(Json(albums::rename(&app, &owner, &id, &name).await?.into()))
}

/// Deletes an album; its photos stay in the event.
#[utoipa::path(delete, path = "/api/albums/{id}", tag = "events", security(("bearer" = [])),
    params(("id" = String, Path, description = "The album's id")),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such album of the caller"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn delete_album(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    albums::delete(&app, &owner, &id).await?;
    Ok(done())
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AlbumChoice {
    #[serde(flatten)]
    photos: PhotoChoice,
    /// The album of the same event; left out or null, the photos are in none afterwards.
    #[serde(default)]
    album_id: Option<String>,
    /// With true, they are taken out of the album in place of being put into it.
    #[serde(default)]
    take_out: bool,
}

/// Photos that an album has now and had not before, or the other way round.
#[derive(Serialize, ToSchema)]
pub(crate) struct AlbumChangeBody {
    album_id: String,
    photo_ids: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PutBody {
    /// How many of the photos are there.
    photos: u64,
    /// What was not so before. The reverse, which takes out what was put in and puts in what was taken out, undoes it.
    changes: Vec<AlbumChangeBody>,
}

impl From<Moved> for PutBody {
    fn from(Moved { photos, changes }: Moved) -> Self {
        let mut by_album: BTreeMap<AlbumId, Vec<String>> = BTreeMap::new();
        for Membership { album, photo } in changes {
            by_album.entry(album).or_default().push(photo.to_string());
        }
        let changes = by_album
            .into_iter()
            .map(|(album, photo_ids)| AlbumChangeBody { album_id: album.to_string(), photo_ids });
        Self { photos, changes: changes.collect() }
    }
}

/// Puts photos of an event of the caller into one of its albums, beside those that they are in, or takes them out of it, or out of
/// all.
#[utoipa::path(post, path = "/api/photos/album", tag = "photos", security(("bearer" = [])),
    request_body = AlbumChoice,
    responses(
        (status = 200, body = PutBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Neither photos nor all are chosen, or too many"),
        (status = 404, body = ErrorBody, description = "No such event, or no such album of it"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn put_photos(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Json(AlbumChoice { photos, album_id, take_out }): Json<AlbumChoice>,
) -> Result<Json<PutBody>> {
    let (event, chosen) = photos.parse()?;
    let event = event.ok_or(Refusal::EventNotFound)?;
    let wanted = match album_id.as_deref() {
        None => Move::OutOfAll,
        Some(album) if take_out => Move::OutOf(album),
        Some(album) => Move::Into(album),
    };
    Ok(Json(albums::put(&app, &owner, event, wanted, chosen).await?.into()))
}
