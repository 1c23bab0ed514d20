//! Bytes of files.

use std::ops::Range;

use app::photos::files::{self, StoredFile};
use app::{App, statistics};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::response::Response;
use domain::Refusal;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::operations::runtime::conditional::{
    RangeResponse, header_value, is_beginning, matches_etag, not_modified, range_response,
};
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Path, Query};

/// Links that caches may share.
pub(crate) const SHARED_ROUTE: &str = "/renditions/{photo}/{size}/{expires}/{name}";

/// After how many seconds a shared cache asks again whether a photo is there.
const SHARED_SECONDS: i64 = 60;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SignatureQuery {
    /// Unix seconds.
    #[serde(default)]
    expires: i64,
    /// The name to save the file under; without one the file is shown.
    filename: Option<String>,
    #[serde(default)]
    signature: String,
}

/// The file that a signed link names; the link is good for 6 hours.
#[utoipa::path(get, path = "/api/files/{photo}/{file}", tag = "photos",
    params(
        ("photo" = String, Path, description = "The photo's id"),
        ("file" = String, Path, description = "Which of its files: a size, `shared` for the original as guests get it, or `shared-web` for the web size as they save it"),
        SignatureQuery,
    ),
    responses(
        (status = 200, description = "The bytes", content_type = "image/*"),
        (status = 206, description = "The range that was asked for", content_type = "image/*"),
        (status = 304, description = "The caller has it already"),
        (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
        (status = 403, body = ErrorBody, description = "The event's photographer has ceased to offer it to guests"),
        (status = 404, body = ErrorBody, description = "The link is changed or expired, or the file is gone"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the file"),
    ))]
pub(crate) async fn signed(
    State(app): State<App>,
    Path((photo, file)): Path<(String, String)>,
    Query(query): Query<SignatureQuery>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response> {
    let SignatureQuery { expires, filename, signature } = query;
    let filename = filename.as_deref();
    let file = files::by_link(&app, &photo, &file, filename, expires, &signature).await?;
    let response = send(&app, &file, filename, &headers, private(expires - app.now().as_seconds())).await?;
    if filename.is_some() && method == Method::GET && is_beginning(&response) {
        statistics::count_saved(&app, &photo);
    }
    Ok(response)
}

/// `/renditions/{photo}/{size}/{expires}/{signature}.jpg`: a thumbnail or preview under a name that a cache in front of this
/// server may share (decision 0026). It asks again after [`SHARED_SECONDS`], so that what was deleted stops there too.
pub(crate) async fn shared(
    State(app): State<App>,
    Path((photo, size, expires, name)): Path<(String, String, String, String)>,
    headers: HeaderMap,
) -> Result<Response> {
    let expires: i64 = expires.parse().map_err(|_| Refusal::FileNotFound)?;
    let signature = name.strip_suffix(".jpg").ok_or(Refusal::FileNotFound)?;
    let file = files::by_shared_link(&app, &photo, &size, expires, signature).await?;
    let max_age = (expires - app.now().as_seconds()).max(0);
    let shared = max_age.min(SHARED_SECONDS);
    let cache_control = format!("public, max-age={max_age}, s-maxage={shared}, immutable");
    let mut response = send(&app, &file, None, &headers, cache_control).await?;
    // Scripts of the guest's page save pictures, which come from another origin then.
    let page = header_value(&app.settings().public_url)?;
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, page);
    Ok(response)
}

/// The value of `Cache-Control` of what only the caller's browser may keep, for so many seconds.
pub(crate) fn private(max_age: i64) -> String {
    format!("private, max-age={}, immutable", max_age.max(0))
}

/// The bytes of a file that the caller may have, to be saved under `filename` if there is one.
pub(crate) async fn send(
    app: &App,
    file: &StoredFile,
    filename: Option<&str>,
    request: &HeaderMap,
    cache_control: String,
) -> Result<Response> {
    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, header_value(&cache_control)?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    if let Some(filename) = filename {
        headers.insert(CONTENT_DISPOSITION, header_value(&files::content_disposition(filename))?);
    }
    let etag = format!("\"{}\"", file.version);
    if matches_etag(request, &etag) {
        return not_modified(headers, &etag);
    }
    let whole = files::whole(app, file).await?;
    let total = match &whole {
        Some(bytes) => bytes.len() as u64,
        None => files::size(app, file).await?,
    };
    let (mut response, range) = match range_response(request, headers, &etag, total)? {
        RangeResponse::Full(response) => (response, None),
        RangeResponse::Partial(response, range) => (response, Some(range)),
        RangeResponse::NotSatisfiable(response) => return Ok(response),
    };
    *response.body_mut() = match (whole, range) {
        (Some(bytes), None) => Body::from(bytes),
        (Some(bytes), Some(range)) => Body::from(slice(&bytes, range)),
        (None, range) => Body::from_stream(files::read(app, file, range).await?.bytes),
    };
    Ok(response)
}

/// A range of bytes that are in memory, both ends of which are among them.
fn slice(bytes: &Bytes, range: Range<u64>) -> Bytes {
    let at = |position: u64| usize::try_from(position).unwrap_or(usize::MAX).min(bytes.len());
    bytes.slice(at(range.start)..at(range.end))
}
