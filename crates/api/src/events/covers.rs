//! The generated pictures of events.

use app::App;
use app::events::covers::{self, Cover};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::Refusal;

use crate::operations::runtime::conditional::{header_value, matches_etag, not_modified};
use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::Path;

/// No slug is so short: each has ten random characters.
const SITE: &str = "site";

/// `/covers/{slug}.svg`, which pages show, is drawn for every slug without asking whether an event has it: a page
/// begins to show it before it knows. `/covers/{slug}.jpg`, for link previews, is that of an open event. `site` is
/// the whole site's.
pub(crate) async fn cover(
    State(app): State<App>,
    Path(file): Path<String>,
    request_headers: HeaderMap,
) -> Result<Response> {
    match file.rsplit_once('.') {
        Some((SITE, "svg")) => svg(&app, &covers::site(), &request_headers),
        Some((slug, "svg")) => svg(&app, &covers::of_slug(slug.to_owned())?, &request_headers),
        Some((SITE, "jpg")) => jpeg(&app, &covers::site(), &request_headers).await,
        Some((slug, "jpg")) => jpeg(&app, &covers::of_open_event(&app, slug).await?, &request_headers).await,
        _ => Err(Refusal::PathNotFound.into()),
    }
}

fn svg(app: &App, cover: &Cover, request_headers: &HeaderMap) -> Result<Response> {
    let (headers, etag) = headers("image/svg+xml", "public, max-age=2592000", cover)?;
    if matches_etag(request_headers, &etag) {
        return not_modified(headers, &etag);
    }
    Ok((headers, Body::from(cover.svg(app))).into_response())
}

async fn jpeg(app: &App, cover: &Cover, request_headers: &HeaderMap) -> Result<Response> {
    let (headers, etag) = headers("image/jpeg", "public, max-age=86400", cover)?;
    if matches_etag(request_headers, &etag) {
        return not_modified(headers, &etag);
    }
    Ok((headers, Body::from(cover.jpeg(app).await?)).into_response())
}

fn headers(
    media_type: &'static str,
    cache_control: &'static str,
    cover: &Cover,
) -> Result<(HeaderMap, String)> {
    let etag = format!("\"{}\"", cover.version());
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    headers.insert(ETAG, header_value(&etag)?);
    Ok((headers, etag))
}
