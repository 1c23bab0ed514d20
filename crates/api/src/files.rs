//! Bytes of files.

use app::App;
use app::files::{self, StoredFile};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::conditional::{RangeResponse, header_value, matches_etag, not_modified, range_response};
use crate::error::{ErrorBody, Result};
use crate::extract::{Path, Query};

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
        ("file" = String, Path, description = "Which of its files: a size, or `shared` for the original as guests get it"),
        SignatureQuery,
    ),
    responses(
        (status = 200, description = "The bytes", content_type = "image/*"),
        (status = 206, description = "The range that was asked for", content_type = "image/*"),
        (status = 304, description = "The caller has it already"),
        (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "The link is changed or expired, or the file is gone"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the file"),
    ))]
pub(crate) async fn signed(
    State(app): State<App>,
    Path((photo, file)): Path<(String, String)>,
    Query(query): Query<SignatureQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let SignatureQuery { expires, filename, signature } = query;
    let filename = filename.as_deref();
    let file = files::by_link(&app, &photo, &file, filename, expires, &signature).await?;
    send(&app, &file, filename, &headers, expires - app.now().as_seconds()).await
}

/// The bytes of a file that the caller may have, to be saved under `filename` if there is one; a browser may cache them for
/// `max_age` seconds.
pub(crate) async fn send(
    app: &App,
    file: &StoredFile,
    filename: Option<&str>,
    request: &HeaderMap,
    max_age: i64,
) -> Result<Response> {
    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, header_value(&format!("private, max-age={}, immutable", max_age.max(0)))?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    if let Some(filename) = filename {
        headers.insert(CONTENT_DISPOSITION, header_value(&files::content_disposition(filename))?);
    }
    let etag = format!("\"{}\"", file.version);
    if matches_etag(request, &etag) {
        return not_modified(headers, &etag);
    }
    let total = files::size(app, file).await?;
    let (mut response, range) = match range_response(request, headers, &etag, total)? {
        RangeResponse::Full(response) => (response, None),
        RangeResponse::Partial(response, range) => (response, Some(range)),
        RangeResponse::NotSatisfiable(response) => return Ok(response),
    };
    let read = files::read(app, file, range).await?;
    *response.body_mut() = Body::from_stream(read.bytes);
    Ok(response)
}
