//! Photos that are alike.

use app::App;
use app::photos::stacks;
use axum::extract::State;
use axum::http::StatusCode;
use domain::photos::stacks::Stack;
use domain::{PhotoId, Refusal};
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Path, Photographer};
use crate::operations::runtime::responses::{PhotographersOnly, Unavailable};

/// The stack that a photo is of: photos of its event that are alike.
#[derive(Serialize, ToSchema)]
pub(crate) struct StackBody {
    /// The same for all photos of the stack.
    id: String,
    /// Of the photos of a stack that somebody sees, the one with the lowest place stands for the others.
    place: i64,
}

impl From<Stack> for StackBody {
    fn from(Stack { id, place }: Stack) -> Self {
        Self { id: id.to_string(), place }
    }
}

/// Has a photo stand for its stack; one of no stack stands for itself.
#[utoipa::path(put, path = "/api/photos/{id}/top-of-stack", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The photo's id")),
    responses(
        (status = 204, description = "It stands for its stack"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such photo"),
        (status = 409, body = ErrorBody, description = "Its event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn stand_for_stack(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let id: PhotoId = id.parse().map_err(|_| Refusal::PhotoNotFound)?;
    stacks::stand_for(&app, &owner, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
