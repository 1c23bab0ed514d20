//! The web app: every path outside the contract.

use std::time::Duration;

use app::App;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, REFERRER_POLICY, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use domain::Refusal;

use crate::events::pages;
use crate::operations::assets::{Asset, WebApp, respond};
use crate::operations::runtime::error::Result;
use crate::operations::runtime::languages;

const ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
/// What crawlers may fetch. Those that show a preview of a shared link may read event pages, whose heads name the event;
/// search engines may not.
const ROBOTS: &[u8] = include_bytes!("../../templates/robots.txt");

/// The address that RFC 9116 names.
pub(crate) const SECURITY_ROUTE: &str = "/.well-known/security.txt";
/// For how long what stands there can be relied on: at most a year is recommended.
const SECURITY_LIFETIME: Duration = Duration::from_secs(180 * 24 * 60 * 60);
/// Endings of scripts that this server does not run.
const SCRIPTS: [&str; 8] = ["php", "php7", "phtml", "asp", "aspx", "jsp", "cgi", "sql"];

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
        // Built files have a hash in their name: a missing one must be a 404, not a page. So is what programs ask for that look for
        // weaknesses: a page with status 200 would have them look on.
        None if path.starts_with("assets/") || is_for_scanners(path) => {
            return Err(Refusal::PathNotFound.into());
        }
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

/// Hidden files, and scripts of other servers: no page has such an address.
fn is_for_scanners(path: &str) -> bool {
    let is_hidden = path.split('/').any(|part| part.starts_with('.') && part != "..");
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_hidden || SCRIPTS.iter().any(|script| ending.eq_ignore_ascii_case(script))
}

/// How to tell the operator of a weakness (RFC 9116). It names the operator's address, and runs out a while after it was asked for:
/// one that is stored somewhere is asked for again.
pub(crate) async fn security(State(app): State<App>) -> Response {
    let settings = app.settings();
    let expires = app.now().plus(SECURITY_LIFETIME);
    let text = format!(
        "Contact: mailto:{}\nExpires: {}\nPreferred-Languages: en\nCanonical: {}{SECURITY_ROUTE}\n",
        settings.support_email,
        expires.to_rfc3339(),
        settings.public_url,
    );
    ([(CONTENT_TYPE, "text/plain; charset=utf-8"), (CACHE_CONTROL, "public, max-age=86400")], text)
        .into_response()
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
