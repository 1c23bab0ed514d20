//! Pictures of links: what a chat shows beside the title of a shared page.

use app::covers;
use axum::extract::State as FromState;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::Refusal;

use crate::State;
use crate::assets::{Asset, respond};
use crate::error::Result;
use crate::extract::Path;

/// The picture of `/covers/site.jpg` or of an open event's `/covers/{slug}.jpg`.
pub(crate) async fn cover(
    FromState(state): FromState<State>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let name = name.strip_suffix(".jpg").ok_or(Refusal::PathNotFound)?;
    // No slug is so short: each has ten random characters.
    let slug = (name != "site").then_some(name);
    let bytes = covers::picture(&state.app, slug).await?;
    let asset =
        Asset { bytes: bytes.into(), media_type: String::from("image/jpeg"), version: format!("sky-{name}") };
    Ok(respond(asset, "public, max-age=86400", &headers))
}
