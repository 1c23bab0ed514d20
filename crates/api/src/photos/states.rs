//! How a photo stands, for whoever has uploaded it: without a link to its bytes, so that an API token for uploads may ask.

use app::{App, photos};
use axum::extract::State;
use domain::photos::failures::PhotoFailure;
use domain::{PhotoId, Refusal};
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Uploader};
use crate::operations::runtime::responses::PhotographersOnly;
use crate::photos::PhotoStatusBody;

/// How a photo stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct PhotoStateBody {
    id: String,
    /// The name the file had.
    filename: String,
    /// Null for photos of the library.
    event_id: Option<String>,
    size_bytes: i64,
    status: PhotoStatusBody,
    /// A sentence on why it could not be processed; null unless it failed.
    failure: Option<String>,
    /// The code of that sentence; null where an older version wrote it.
    failure_code: Option<String>,
    /// How many faces were found.
    faces: i64,
    /// RFC 3339.
    created_at: String,
}

/// How one of the caller's photos stands: whether it is indexed.
#[utoipa::path(get, path = "/api/photos/{id}/status", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The photo's id")),
    responses(
        (status = 200, body = PhotoStateBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such photo"),
    ))]
pub(crate) async fn photo_status(
    State(app): State<App>,
    Uploader(owner): Uploader,
    Path(id): Path<String>,
) -> Result<Json<PhotoStateBody>> {
    let id: PhotoId = id.parse().map_err(|_| Refusal::PhotoNotFound)?;
    let photo = photos::by_id(&app, &owner, id).await?;
    Ok(Json(PhotoStateBody {
        id: photo.id.to_string(),
        filename: photo.original_filename,
        event_id: photo.event.map(|event| event.to_string()),
        size_bytes: photo.size_bytes,
        status: photo.status.into(),
        failure: photo.failure.as_ref().map(PhotoFailure::text),
        failure_code: photo.failure.as_ref().and_then(PhotoFailure::code).map(String::from),
        faces: photo.faces,
        created_at: photo.created_at.to_rfc3339(),
    }))
}
