//! The manifest of each event, by which its page is added to a home screen (W3C Web Application Manifest).

use app::App;
use axum::extract::State;
use axum::http::header::HeaderName;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;

use crate::operations::assets::{Asset, respond};
use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::Path;

/// The route of the manifests.
pub(crate) const ROUTE: &str = "/event/{slug}/manifest.webmanifest";

/// Sizes are those of the files in the built web app, as its own manifest names them.
const ICONS: [Icon; 4] = [
    Icon { src: "/icon.svg", sizes: "any", media_type: "image/svg+xml", purpose: "any" },
    Icon { src: "/icon-192.png", sizes: "192x192", media_type: "image/png", purpose: "any" },
    Icon { src: "/icon-512.png", sizes: "512x512", media_type: "image/png", purpose: "any" },
    Icon { src: "/icon-maskable-512.png", sizes: "512x512", media_type: "image/png", purpose: "maskable" },
];
/// The dark background of the pages, which a splash screen shows before the page knows its theme.
const BACKGROUND: &str = "#0E0E0E";

#[derive(Serialize)]
struct Icon {
    src: &'static str,
    sizes: &'static str,
    #[serde(rename = "type")]
    media_type: &'static str,
    purpose: &'static str,
}

#[derive(Serialize)]
struct Manifest {
    id: String,
    name: String,
    short_name: String,
    start_url: String,
    scope: String,
    display: &'static str,
    background_color: &'static str,
    theme_color: &'static str,
    icons: [Icon; 4],
}

/// The path of an event's manifest.
pub(crate) fn path(slug: &str) -> String {
    ROUTE.replace("{slug}", slug)
}

/// An event's manifest: what is added to a home screen is named after the event and opens it.
pub(crate) async fn manifest(
    State(app): State<App>,
    Path(slug): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let event = app::events::by_slug(&app, &slug).await?;
    let page = format!("/event/{}", event.slug);
    let manifest = Manifest {
        id: page.clone(),
        name: event.name.clone(),
        short_name: event.name,
        start_url: page.clone(),
        scope: page,
        display: "standalone",
        background_color: BACKGROUND,
        theme_color: BACKGROUND,
        icons: ICONS,
    };
    let bytes = serde_json::to_vec(&manifest).map_err(|error| app::Failure::Internal(error.to_string()))?;
    let asset = Asset::new(bytes, String::from("application/manifest+json"));
    let mut response = respond(StatusCode::OK, asset, "no-cache", &headers);
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    Ok(response)
}
