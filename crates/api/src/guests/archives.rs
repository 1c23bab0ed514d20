//! A guest's matches, all or some, as one ZIP.

use app::guests::archives::admission::{self, ArchivePlace};
use app::guests::archives::{self, Archive, Own, choosing};
use app::operations::runtime::limits::Limit;
use app::photos::selections::Chosen;
use app::{App, statistics};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::Response;
use domain::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::conditional::{
    RangeResponse, header_value, is_beginning, matches_etag, not_modified, range_response,
};
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{
    GuestRefused, InvalidBody, PhotographersOnly, RateLimited, Unavailable,
};
use crate::photos::selections;

/// The largest body that names the photos of a ZIP: 10,000 ids of 36 characters, 64 tokens of 43, and what separates them.
pub(crate) const CHOICE_BYTES: usize = 512 * 1024;

#[derive(Deserialize, ToSchema)]
pub(crate) struct ChoiceBody {
    /// The `download_token` of each search whose matches are chosen from; all of one event.
    #[schema(min_items = 1, max_items = 64)]
    tokens: Vec<String>,
    /// The `photo_id` of each photo, in the order in which the ZIP is to have them.
    #[schema(min_items = 1, max_items = 10_000)]
    photo_ids: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ChosenBody {
    /// `/api/face/download/{download_token}.zip` has the originals; it is valid for as long as the last of `tokens`.
    download_token: String,
}

/// A ZIP of some matches of one or several searches.
#[utoipa::path(post, path = "/api/face/download", tag = "faces", request_body = ChoiceBody, params(ProofHeader),
    responses(
        (status = 201, body = ChosenBody),
        InvalidBody,
        RateLimited,
        GuestRefused,
        (status = 404, body = ErrorBody, description = "A token is unknown or expired, a photo is among none of their matches, or they are of several events"),
        Unavailable,
    ))]
pub(crate) async fn choose(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Json(choice): Json<ChoiceBody>,
) -> Result<(StatusCode, Json<ChosenBody>)> {
    client.check_rate_limit(&app, Limit::Results).await?;
    let download_token = choosing::choose(&app, &visitor, &choice.tokens, &choice.photo_ids).await?;
    Ok((StatusCode::CREATED, Json(ChosenBody { download_token })))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct OwnDownloadChoice {
    /// The event.
    #[serde(default)]
    event_id: Option<String>,
    /// The photos, at most 10,000; left out with `all`.
    #[serde(default)]
    #[schema(max_items = 10_000)]
    photo_ids: Option<Vec<String>>,
    /// All photos there are of the event, or of the album.
    #[serde(default)]
    all: bool,
    /// With `all`, only the photos in the album with this id.
    #[serde(default)]
    album_id: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OwnDownloadBody {
    /// For 6 hours, `/api/face/download/{download_token}.zip` has the originals.
    download_token: String,
    /// How many photos are in it.
    photos: usize,
}

/// A ZIP of photos of an event of the caller: the originals byte for byte under the names of their files, those too that guests
/// do not see. Those that are not in the event are left out.
#[utoipa::path(post, path = "/api/photos/download", tag = "photos", security(("bearer" = [])),
    request_body = OwnDownloadChoice,
    responses(
        (status = 201, body = OwnDownloadBody),
        InvalidBody,
        PhotographersOnly,
        RateLimited,
        (status = 400, body = ErrorBody, description = "Neither photos nor all are chosen, or too many"),
        (status = 404, body = ErrorBody, description = "No such event, what is no id of an album, or none of the photos is there"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn download_photos(
    State(app): State<App>,
    client: ClientIp,
    Photographer(owner): Photographer,
    Json(choice): Json<OwnDownloadChoice>,
) -> Result<(StatusCode, Json<OwnDownloadBody>)> {
    let OwnDownloadChoice { event_id, photo_ids, all, album_id } = choice;
    let chosen = Chosen::parse(photo_ids.as_deref(), all)?;
    let event = event_id.as_deref().map(selections::event_id).transpose()?;
    client.check_rate_limit(&app, Limit::Results).await?;
    let event = event.ok_or(Refusal::EventNotFound)?;
    let album = album_id.map(|id| id.parse()).transpose().map_err(|_| Refusal::AlbumNotFound)?;
    let Own { token, photos } = archives::create_own(&app, &owner, event, chosen, album).await?;
    Ok((StatusCode::CREATED, Json(OwnDownloadBody { download_token: token, photos })))
}

/// The originals of all matches of a search, without positions, places, names of people, keywords and serial numbers unless the
/// event keeps them, as `photo-{n}` with the ending of their format, where n is the match's place; JPEG files in web size for the
/// guests of an event that offers no more; all photos that guests may look at, in the same way
/// (`POST /api/face/photos/{slug}/download`); or what a photographer has chosen (`POST /api/photos/download`). Streamed; an
/// interrupted download is resumed with a range.
#[utoipa::path(get, path = "/api/face/download/{file}", tag = "faces",
    params(("file" = String, Path, description = "`{download_token}.zip`; the token is good for 6 hours")),
    responses(
        RateLimited,
        (status = 200, description = "The ZIP", content_type = "application/zip"),
        (status = 206, description = "The range that was asked for", content_type = "application/zip"),
        (status = 304, description = "The caller has it already"),
        (status = 403, body = ErrorBody, description = "The event's photographer offers no downloads, or no look at all photos any more"),
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or the photos are gone"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the ZIP"),
        Unavailable,
    ))]
pub(crate) async fn zip(
    State(app): State<App>,
    client: ClientIp,
    Path(file): Path<String>,
    method: Method,
    request: HeaderMap,
) -> Result<Response> {
    let token = file.strip_suffix(".zip").ok_or(Refusal::DownloadNotFound)?;
    let admission = admission::admit(&app, client.address()).await?;
    let archive = archives::archive(&app, token).await?;
    let response = send(&archive, &request, Some(admission.laid_out()))?;
    if method == Method::GET && is_beginning(&response) {
        statistics::count_archive(&app, &archive);
    }
    Ok(response)
}

/// The ZIP, or the range of it that is asked for. Its place, if it needs one, is dropped once its last byte is sent.
pub(crate) fn send(archive: &Archive, request: &HeaderMap, place: Option<ArchivePlace>) -> Result<Response> {
    let etag = format!("\"{}\"", archive.version);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(
        CONTENT_DISPOSITION,
        header_value(&format!("attachment; filename=\"{}.zip\"", archive.filename))?,
    );
    // Stored by no shared cache, revalidated each time.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if matches_etag(request, &etag) {
        return not_modified(headers, &etag);
    }
    let (mut response, range) = match range_response(request, headers, &etag, archive.size())? {
        RangeResponse::Full(response) => (response, 0..archive.size()),
        RangeResponse::Partial(response, range) => (response, range),
        RangeResponse::NotSatisfiable(response) => return Ok(response),
    };
    let bytes = futures::StreamExt::inspect(archive.read(range), move |read| {
        let _held = &place;
        if let Err(failure) = read {
            tracing::error!(error = failure.chain(), "a ZIP was broken off");
        }
    });
    *response.body_mut() = Body::from_stream(bytes);
    Ok(response)
}
