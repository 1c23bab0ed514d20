//! The web app: every path outside the contract.

use app::App;
use axum::extract::State;
use axum::http::header::{HeaderName, REFERRER_POLICY, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use domain::Refusal;

use crate::events::pages;
use crate::operations::assets::{Asset, WebApp, respond};
use crate::operations::runtime::error::Result;
use crate::operations::runtime::languages;

const ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
/// What crawlers may fetch. Those that show a preview of a shared link may read event pages, whose heads name the event;
/// search engines may not.
const ROBOTS: &[u8] = include_bytes!("../../templates/robots.txt");

pub(crate) async fn serve(
    State(app): State<App>,
    State(web_app): State<WebApp>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response> {
    if method != Method::GET && method != Method::HEAD {
        return Err(Refusal::MethodNotAllowed.into());
    }
    let path = uri.path().trim_start_matches('/');
    let mut is_page = false;
    let (status, asset) = match web_app.find(path) {
        Some(asset) if !pages::is_document(path) => (StatusCode::OK, asset),
        // Built files have a hash in their name: a missing one must be a 404, not a page.
        None if path.starts_with("assets/") => return Err(Refusal::PathNotFound.into()),
        _ => {
            let reader = pages::Reader::of(&method, &headers);
            let languages = languages::preferred(&headers);
            is_page = true;
            pages::at(&app, uri.path(), &web_app, reader, &languages).await?
        }
    };
    // The bytes behind a name with a hash never change; everything else is revalidated each time.
    let cache_control =
        if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = respond(status, asset, cache_control, &headers);
    if is_page {
        response.headers_mut().append(VARY, HeaderValue::from_static("accept-language"));
    }
    if pages::is_private(uri.path()) {
        response.headers_mut().insert(ROBOTS_TAG, HeaderValue::from_static("noindex"));
    }
    if uri.path().starts_with(pages::SELECTION) {
        response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    Ok(response)
}

/// `/robots.txt`.
pub(crate) async fn robots(headers: HeaderMap) -> Response {
    let asset = Asset {
        bytes: ROBOTS.into(),
        brotli: None,
        media_type: String::from("text/plain; charset=utf-8"),
        version: String::from("robots-1"),
    };
    respond(StatusCode::OK, asset, "public, max-age=86400", &headers)
}
