//! The faces that were found in a photo: where they are, for its photographer. What describes them never leaves the server.

use app::{App, photos};
use axum::extract::State;
use domain::{PhotoId, Refusal};
use serde::Serialize;
use utoipa::ToSchema;

use crate::faces::FaceBody;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::PhotographersOnly;

#[derive(Serialize, ToSchema)]
pub(crate) struct PhotoFacesBody {
    /// From left to right.
    faces: Vec<FaceBody>,
}

/// Where the faces are that were found in one of the caller's photos; none while it waits for its processing.
#[utoipa::path(get, path = "/api/photos/{id}/faces", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The photo's id")),
    responses(
        (status = 200, body = PhotoFacesBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such photo"),
    ))]
pub(crate) async fn of_photo(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<PhotoFacesBody>> {
    let id: PhotoId = id.parse().map_err(|_| Refusal::PhotoNotFound)?;
    let faces = photos::faces(&app, &owner, id).await?;
    Ok(Json(PhotoFacesBody { faces: faces.into_iter().map(FaceBody::from).collect() }))
}
