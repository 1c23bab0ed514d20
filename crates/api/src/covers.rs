//! Pictures of links: what a chat shows beside the title of a shared page.

use app::{App, covers};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::Refusal;

use crate::assets::{Asset, respond};
use crate::error::Result;
use crate::extract::Path;

/// The picture of `/covers/site.jpg` or of an open event's `/covers/{slug}.jpg`.
pub(crate) async fn cover(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let name = name.strip_suffix(".jpg").ok_or(Refusal::PathNotFound)?;
    // No slug is so short: each has ten random characters.
    let slug = (name != "site").then_some(name);
    let bytes = covers::picture(&app, slug).await?;
    let asset =
        Asset { bytes: bytes.into(), media_type: String::from("image/jpeg"), version: format!("sky-{name}") };
    Ok(respond(asset, "public, max-age=86400", &headers))
}
