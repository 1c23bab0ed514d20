//! The web app: every path that is not the contract's.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::State as FromState;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use domain::Refusal;

use crate::error::refused;
use crate::files::matches_etag;
use crate::{SharedSite, State, pages};

/// One file of the built web app.
pub struct Asset {
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
    /// Its media type.
    pub media_type: String,
    /// Something that changes with the bytes.
    pub version: String,
}

/// Where the files of the built web app come from, by their path without a slash at the front.
#[derive(Clone)]
pub struct Site(SharedSite);

impl Site {
    /// A site that looks its files up with `find`.
    pub fn new(find: impl Fn(&str) -> Option<Asset> + Send + Sync + 'static) -> Self {
        Self(std::sync::Arc::new(find))
    }
}

/// The page that starts the web app, whatever the path; its router goes on from there.
const PAGE: &str = "index.html";
const ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

const ROBOTS: &str = "\
User-agent: facebookexternalhit
User-agent: Twitterbot
User-agent: LinkedInBot
User-agent: Slackbot-LinkExpanding
User-agent: TelegramBot
User-agent: WhatsApp
Disallow: /admin
Disallow: /api/

User-agent: *
Disallow: /admin
Disallow: /api/
Disallow: /event/
";

pub(crate) async fn serve(
    FromState(state): FromState<State>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return refused(&Refusal::MethodNotAllowed);
    }
    let path = uri.path().trim_start_matches('/');
    let (asset, name) = match (state.site.0)(path) {
        Some(asset) if path != PAGE => (Some(asset), path),
        // A build's files carry a hash in their name: one that is gone must not be answered with a page.
        None if path.starts_with("assets/") => (None, path),
        _ => ((state.site.0)(PAGE), PAGE),
    };
    let Some(mut asset) = asset else { return refused(&Refusal::PathNotFound) };
    if name == PAGE {
        asset = pages::about(&state.app, uri.path(), asset).await;
    }
    // Names with a hash never change; everything else is asked for again each time, which costs one short answer.
    let keep = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = send(asset, keep, &headers);
    if pages::is_private(uri.path()) {
        response.headers_mut().insert(ROBOTS_TAG, HeaderValue::from_static("noindex"));
    }
    response
}

/// What programs that read the web for others may look at. Those that show a link in a chat may read event pages, whose
/// heads name the event; search engines may not.
pub(crate) async fn robots(headers: HeaderMap) -> Response {
    let asset = Asset {
        bytes: ROBOTS.as_bytes().into(),
        media_type: String::from("text/plain; charset=utf-8"),
        version: String::from("robots-1"),
    };
    send(asset, "public, max-age=86400", &headers)
}

/// An asset, or that the caller has it already.
pub(crate) fn send(asset: Asset, keep: &'static str, asked: &HeaderMap) -> Response {
    let etag = format!("\"{}\"", asset.version);
    let known = matches_etag(asked, &etag);
    let status = if known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let body = if known { Body::empty() } else { Body::from(asset.bytes.into_owned()) };
    let mut response = (status, body).into_response();
    let answer = response.headers_mut();
    answer.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        answer.insert(ETAG, etag);
    }
    if let Ok(media_type) = HeaderValue::from_str(&asset.media_type) {
        answer.insert(CONTENT_TYPE, media_type);
    }
    response
}
