//! All photos of an event as one ZIP, for guests who may look at them.

use app::App;
use app::guests::everything;
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path};
use crate::operations::runtime::responses::{InvalidBody, RateLimited, Unavailable};

#[derive(Deserialize, ToSchema)]
pub(crate) struct EverythingBody {
    /// Only the photos in the album with this id; left out or null, all.
    #[serde(default)]
    album_id: Option<String>,
    /// Of photos that are alike the best alone; left out, all of them.
    #[serde(default)]
    only_best: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct EverythingCreatedBody {
    /// For 5 hours at least and 6 at most, `/api/face/download/{download_token}.zip` has the photos. It opens nothing else.
    download_token: String,
    /// How many photos are in it.
    photos: usize,
}

/// A ZIP of all photos that guests may look at, or of all of an album, as the event lets guests save them. A HEAD request tells its
/// size. Photos that are deleted or hidden later are left out; it ends with the event's PIN, and where guests may no longer look.
#[utoipa::path(post, path = "/api/face/photos/{slug}/download", tag = "faces", request_body = EverythingBody,
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 201, body = EverythingCreatedBody),
        InvalidBody,
        RateLimited,
        (status = 403, body = ErrorBody, description = "The event asks for a PIN, and the proof is missing or of an earlier one; \
            its photographer shows guests the photos alone that they are in, or offers no downloads"),
        (status = 404, body = ErrorBody, description = "No such event, what is no id of an album, or no photo that guests may see"),
        Unavailable,
    ))]
pub(crate) async fn download_all(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Json(EverythingBody { album_id, only_best }): Json<EverythingBody>,
) -> Result<(StatusCode, Json<EverythingCreatedBody>)> {
    client.check_rate_limit(&app, Limit::Results).await?;
    let everything::Everything { token, photos } =
        everything::create(&app, &visitor, &slug, album_id.as_deref(), only_best).await?;
    Ok((StatusCode::CREATED, Json(EverythingCreatedBody { download_token: token, photos })))
}
