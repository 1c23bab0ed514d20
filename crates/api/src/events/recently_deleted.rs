//! Deleted events that can be restored.

use app::App;
use app::events::recently_deleted;
use app::operations::administration::Administration;
use axum::extract::State;
use axum::http::StatusCode;
use domain::{EventId, Refusal};

use crate::events::TeamEventBody;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Administrator, Json, Path, Photographer};
use crate::operations::runtime::responses::{AdministratorsOnly, PhotographersOnly, Unavailable};

/// Restores a deleted event: it is open at once, and its photos come back in the background. One that is not deleted stays as it is.
#[utoipa::path(post, path = "/api/events/{event}/restore", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = TeamEventBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "It is still being deleted, or its time in the trash is over"),
    ))]
pub(crate) async fn restore_event(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<TeamEventBody>> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let event = recently_deleted::restore(&app, &owner, id).await?;
    Ok(Json(TeamEventBody::new(&app, event)))
}

/// Removes a deleted event for good, without waiting for its time in the trash to end. A repeat changes nothing.
#[utoipa::path(post, path = "/api/events/{event}/purge", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 204, description = "What is left of it is removed in the background"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such deleted event of the caller"),
        (status = 409, body = ErrorBody, description = "It is still being deleted"),
    ))]
pub(crate) async fn purge_event(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    recently_deleted::purge(&app, &owner, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The same for an administrator, of any account's event.
#[utoipa::path(post, path = "/api/administration/events/{id}/purge", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The event's id")),
    responses(
        (status = 204, description = "What is left of it is removed in the background"),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "No such deleted event"),
        (status = 409, body = ErrorBody, description = "It is still being deleted"),
        Unavailable,
    ))]
pub(crate) async fn purge_any_event(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    recently_deleted::purge_any(&Administration::of(&app, &user), id).await?;
    Ok(StatusCode::NO_CONTENT)
}
