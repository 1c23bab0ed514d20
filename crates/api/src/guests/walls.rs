//! Walls: pages for a screen at the venue that show an event's photos as they arrive.

mod code;
mod document;
mod texts;

use app::guests::walls::{self, Opened};
use app::operations::runtime::limits::Limit;
use app::photos::files;
use app::studio::hosts;
use app::{App, Failure};
use axum::extract::State;
use axum::http::header::{ETAG, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Refusal;
use domain::guests::walls::Wall;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use crate::operations::assets::WebApp;
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::conditional::{header_value, matches_etag, not_modified};
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::languages;
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, PhotographersOnly, RateLimited, Unavailable, done,
};
use crate::photos::selections::event_id;

/// `ltr` or `rtl`, as guests' pages are written in the first of these languages that they have.
pub(crate) fn direction(languages: &[String]) -> &'static str {
    texts::of(languages).1.direction
}

/// The route of the pages themselves.
pub(crate) const ROUTE: &str = "/wall/{secret}";

/// The wall of an event.
#[derive(Serialize, ToSchema)]
#[schema(as = Wall)]
pub(crate) struct WallBody {
    /// The address of the page. Whoever has it sees the photos.
    url: String,
    /// The album whose photos alone it shows; null for all of the event.
    album_id: Option<String>,
    /// RFC 3339.
    created_at: String,
}

impl WallBody {
    async fn new(app: &App, wall: &Wall) -> Result<Self> {
        let site = hosts::url_of_event(app, wall.event).await?;
        Ok(Self {
            url: format!("{site}{}", ROUTE.replace("{secret}", wall.secret.reveal())),
            album_id: wall.album.map(|album| album.to_string()),
            created_at: wall.created_at.to_rfc3339(),
        })
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct EventWallBody {
    /// Null while the event has none.
    wall: Option<WallBody>,
}

/// The wall of an event of the caller.
#[utoipa::path(get, path = "/api/events/{event}/wall", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = EventWallBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn event_wall(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
) -> Result<Json<EventWallBody>> {
    let wall = walls::of_event(&app, &caller, event_id(&id)?).await?;
    let wall = match wall {
        Some(wall) => Some(WallBody::new(&app, &wall).await?),
        None => None,
    };
    Ok(Json(EventWallBody { wall }))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = WantedWall)]
pub(crate) struct WantedBody {
    /// The album whose photos alone it is to show; left out or null, all of the event.
    #[serde(default)]
    album_id: Option<String>,
}

/// Gives an event of the caller a wall. One that it has keeps its address, and shows these photos from then on.
#[utoipa::path(put, path = "/api/events/{event}/wall", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    request_body = WantedBody,
    responses(
        (status = 200, body = EventWallBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such album of the event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn put_wall(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
    Json(WantedBody { album_id }): Json<WantedBody>,
) -> Result<Json<EventWallBody>> {
    let wall = walls::put(&app, &caller, event_id(&id)?, album_id.as_deref()).await?;
    Ok(Json(EventWallBody { wall: Some(WallBody::new(&app, &wall).await?) }))
}

/// Ends the wall of an event of the caller, if it has one: its address leads nowhere from then on.
#[utoipa::path(delete, path = "/api/events/{event}/wall", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        Unavailable,
    ))]
pub(crate) async fn end_wall(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    walls::end(&app, &caller, event_id(&id)?).await?;
    Ok(done())
}

/// A wall, for a call that counts for the screen's address: apart from what guests at that address do.
async fn counted(app: &App, client: ClientIp, secret: &str) -> Result<Opened> {
    let wall = walls::open(app, secret).await?;
    client.check_guest(app, Limit::Results, wall.event.id).await?;
    Ok(wall)
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WallPhotosBody {
    /// The event's.
    name: String,
    /// The ids of its newest photos that guests may see, the newest first; at most 2,000.
    photos: Vec<String>,
    /// How many there are, with those that are older.
    total: i64,
}

/// The photos of a wall, for the page that shows them, which asks every few seconds, with `If-None-Match`. No PIN is asked for.
#[utoipa::path(get, path = "/api/wall/{secret}", tag = "photos",
    params(("secret" = String, Path, description = "What the address of the wall ends with")),
    responses(
        (status = 200, body = WallPhotosBody),
        (status = 304, description = "As when the answer with this `ETag` was made"),
        RateLimited,
        (status = 404, body = ErrorBody, description = "The wall has ended, or there never was one"),
        Unavailable,
    ))]
pub(crate) async fn wall_photos(
    State(app): State<App>,
    client: ClientIp,
    Path(secret): Path<String>,
    request: HeaderMap,
) -> Result<Response> {
    let wall = counted(&app, client, &secret).await?;
    let shown = walls::shown(&app, &wall).await?;
    let body = WallPhotosBody {
        name: wall.event.name,
        photos: shown.photos.iter().map(ToString::to_string).collect(),
        total: shown.total,
    };
    let bytes = serde_json::to_vec(&body).map_err(|error| Failure::Internal(error.to_string()))?;
    let etag = format!("\"{}\"", STANDARD.encode(&Sha256::digest(bytes)[..16]));
    if matches_etag(&request, &etag) {
        return not_modified(HeaderMap::new(), &etag);
    }
    let headers = HeaderMap::from_iter([(ETAG, header_value(&etag)?)]);
    Ok((headers, Json(body)).into_response())
}

/// Leads to the picture of a photo of a wall by a link as guests get it, which expires.
#[utoipa::path(get, path = "/api/wall/{secret}/photos/{photo}", tag = "photos",
    params(
        ("secret" = String, Path, description = "What the address of the wall ends with"),
        ("photo" = String, Path, description = "The photo's id"),
    ),
    responses(
        (status = 307, description = "`Location` is the link"),
        RateLimited,
        (status = 404, body = ErrorBody, description = "The wall has ended, or does not show this photo"),
        Unavailable,
    ))]
pub(crate) async fn wall_photo(
    State(app): State<App>,
    client: ClientIp,
    Path((secret, photo)): Path<(String, String)>,
) -> Result<Response> {
    let wall = counted(&app, client, &secret).await?;
    let link = files::relative(&app, walls::picture(&app, &wall, &photo).await?);
    let headers = HeaderMap::from_iter([(LOCATION, header_value(&link)?)]);
    Ok((StatusCode::TEMPORARY_REDIRECT, headers).into_response())
}

/// The page of a wall; of one that has ended, a page that says so.
pub(crate) async fn page(
    State(app): State<App>,
    State(web_app): State<WebApp>,
    Path(secret): Path<String>,
    request: HeaderMap,
) -> Result<Response> {
    let languages = languages::preferred(&request);
    let wall = match walls::open(&app, &secret).await {
        Ok(wall) => Some(wall),
        Err(Failure::Refused(Refusal::WallEnded)) => None,
        Err(failure) => return Err(failure.into()),
    };
    let (headers, html) = document::page(&app, &web_app, &languages, wall.as_ref())?;
    let status = if wall.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    Ok((status, headers, html).into_response())
}
