//! Hearts that guests put on photos.

use app::App;
use app::guests::hearts;
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path};
use crate::operations::runtime::responses::{InvalidBody, PinRequired, RateLimited, Unavailable};

#[derive(Deserialize, ToSchema)]
pub(crate) struct HeartBody {
    /// The `s3_key` of the photo.
    key: String,
    /// Whether the heart is put on the photo, or taken from it.
    on: bool,
}

/// Counts a heart that a guest puts on a photo of the event, or takes from it. It is counted each time; which hearts a guest
/// has put is not stored.
#[utoipa::path(post, path = "/api/face/hearts/{slug}", tag = "faces", request_body = HeartBody,
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 204, description = "It is counted"),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event, or no such photo of it, and the text says which"),
        Unavailable,
    ))]
pub(crate) async fn count_heart(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Json(HeartBody { key, on }): Json<HeartBody>,
) -> Result<StatusCode> {
    client.check_rate_limit(&app, Limit::Results).await?;
    hearts::count(&app, &visitor, &slug, &key, on).await?;
    Ok(StatusCode::NO_CONTENT)
}
