//! All of a guest's matches as one ZIP.

use app::{App, downloads};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use domain::Refusal;

use crate::conditional::{RangeResponse, header_value, matches_etag, not_modified, range_response};
use crate::error::{ErrorBody, Result};
use crate::extract::Path;
use crate::responses::Unavailable;

/// Path of the ZIPs; what follows it is a token.
pub(crate) const PATH: &str = "/api/face/download/";

/// The originals of all matches of a search, byte for byte, as `photo-{n}` with the ending of their format, where n is
/// the match's place. Streamed; an interrupted download is resumed with a range.
#[utoipa::path(get, path = "/api/face/download/{file}", tag = "faces",
    params(("file" = String, Path, description = "`{download_token}.zip`; the token is good for 6 hours")),
    responses(
        (status = 200, description = "The ZIP", content_type = "application/zip"),
        (status = 206, description = "The range that was asked for", content_type = "application/zip"),
        (status = 304, description = "The caller has it already"),
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or the photos are gone"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the ZIP"),
        Unavailable,
    ))]
pub(crate) async fn zip(
    State(app): State<App>,
    Path(file): Path<String>,
    request: HeaderMap,
) -> Result<Response> {
    let token = file.strip_suffix(".zip").ok_or(Refusal::DownloadNotFound)?;
    let archive = downloads::archive(&app, token).await?;
    let etag = format!("\"{}\"", archive.version);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(
        CONTENT_DISPOSITION,
        header_value(&format!("attachment; filename=\"{}.zip\"", archive.filename))?,
    );
    // Stored by no shared cache, revalidated each time.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if matches_etag(&request, &etag) {
        return not_modified(headers, &etag);
    }
    let (mut response, range) = match range_response(&request, headers, &etag, archive.size())? {
        RangeResponse::Full(response) => (response, 0..archive.size()),
        RangeResponse::Partial(response, range) => (response, range),
        RangeResponse::NotSatisfiable(response) => return Ok(response),
    };
    let bytes = futures::StreamExt::inspect(archive.read(range), |read| {
        if let Err(failure) = read {
            tracing::error!(error = failure.chain(), "a ZIP was broken off");
        }
    });
    *response.body_mut() = Body::from_stream(bytes);
    Ok(response)
}
