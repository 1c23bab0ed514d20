//! What of an event's photos guests are shown.

use app::App;
use app::events::publication::{self, Change};
use axum::extract::State;
use domain::{EventId, Refusal};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::events::TeamEventBody;
use crate::events::choices::PublicationBody;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly};

/// What is left out or null stays as it is.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PublicationChangeBody {
    /// `as_they_arrive`, `held` or `complete`. Of an event that is complete no photo is held.
    #[serde(default)]
    #[schema(value_type = Option<PublicationBody>)]
    publication: Option<String>,
    /// Publishes the held photos up to this one: the event's `held_through`, as it was read. What has arrived since stays held.
    #[serde(default)]
    publish_through: Option<i64>,
}

/// Publishes held photos, and changes what becomes of photos that arrive. Both happen, or neither; what is so already changes nothing.
/// Guests who wait are written to once when an event becomes complete.
#[utoipa::path(put, path = "/api/events/{event}/publication", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    request_body = PublicationChangeBody,
    responses(
        (status = 200, body = TeamEventBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "It is being deleted, or is to be complete while photos of it are held"),
    ))]
pub(crate) async fn change_publication(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
    Json(PublicationChangeBody { publication, publish_through }): Json<PublicationChangeBody>,
) -> Result<Json<TeamEventBody>> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let change = Change { publication, publish_through };
    let event = publication::change(&app, &caller, id, change).await?;
    Ok(Json(TeamEventBody::new(&app, event)))
}
