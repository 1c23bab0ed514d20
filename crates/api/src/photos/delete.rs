//! Deleting one photo; several are deleted by `trash.rs`.

use app::App;
use app::photos::delete;
use axum::extract::State;
use domain::{PhotoId, Refusal};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{DoneBody, PhotographersOnly, done};

/// Deletes a photo with its faces; what it cost stays spent.
#[utoipa::path(delete, path = "/api/photos/{id}", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The photo's id")),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such photo of the caller"),
    ))]
pub(crate) async fn delete_photo(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    let id: PhotoId = id.parse().map_err(|_| Refusal::PhotoNotFound)?;
    delete::delete_photo(&app, &owner, id).await?;
    Ok(done())
}
