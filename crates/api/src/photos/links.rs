//! Links by which guests save photos.

use app::App;
use app::photos;
use app::photos::download_links::{self, DownloadLinks};
use axum::extract::State;
use domain::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Query};
use crate::operations::runtime::responses::{GuestRefused, Unavailable};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct KeyQuery {
    /// The `s3_key` of a match, which is valid for a week at least.
    #[serde(default)]
    key: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct DownloadBody {
    /// A signed link to the original, good for 6 hours. Guests get it without positions, places, names of people, keywords and
    /// serial numbers, unless the event keeps them; of an event that offers the web size alone they get that. A browser that
    /// follows it saves the file, under the last segment of the key.
    download_url: String,
    /// The size of the file that `download_url` leads to.
    size_bytes: i64,
    /// The same for the web size: a JPEG whose long side is at most 2048 pixels, saved as `…-web.jpg`; null while it is
    /// not made.
    web_url: Option<String>,
    /// The size of the file in web size; null while it is not made.
    web_size_bytes: Option<i64>,
}

/// Fresh links by which a photo is saved.
#[utoipa::path(get, path = "/api/photos/download-by-s3", tag = "photos", params(KeyQuery, ProofHeader), responses(
    (status = 200, body = DownloadBody),
    (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
    GuestRefused,
    (status = 404, body = ErrorBody, description = "No such key, it has expired, or its event is gone"),
    Unavailable,
))]
pub(crate) async fn download_by_s3(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Query(query): Query<KeyQuery>,
) -> Result<Json<DownloadBody>> {
    let (photo, recipient) = photos::by_handle(&app, &visitor, &query.key).await?;
    let DownloadLinks { original, web } = download_links::download_links(&app, &photo, &recipient).await?;
    let original = original.map(|link| (link, photo.size_bytes));
    let (download_url, size_bytes) = original.or_else(|| web.clone()).ok_or(Refusal::PhotoNotReady)?;
    let (web_url, web_size_bytes) = web.unzip();
    Ok(Json(DownloadBody { download_url, size_bytes, web_url, web_size_bytes }))
}
