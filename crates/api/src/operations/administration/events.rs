//! Events by size, for administrators.

use app::App;
use app::operations::administration::Administration;
use app::operations::administration::events::{self, Page, Shown};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::accounts::HolderBody;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Administrator, Json, Query};
use crate::operations::runtime::responses::{AdministratorsOnly, Unavailable};

/// An event with its size.
#[derive(Serialize, ToSchema)]
pub struct SizedEventBody {
    id: String,
    name: String,
    slug: String,
    /// YYYY-MM-DD
    #[schema(format = Date)]
    date: String,
    owner: HolderBody,
    photos: i64,
    /// Of the originals.
    bytes: i64,
    /// When the photos are deleted; null when they are kept for ever.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// Whether it is being deleted.
    deleting: bool,
}

impl From<Shown> for SizedEventBody {
    fn from(Shown { sized, expires_at }: Shown) -> Self {
        let event = sized.event;
        Self {
            id: event.id.to_string(),
            name: event.name,
            slug: event.slug,
            date: event.date.to_string(),
            owner: HolderBody {
                id: event.owner.to_string(),
                email: sized.owner_email,
                name: sized.owner_name,
            },
            photos: event.indexing.total,
            bytes: sized.bytes,
            expires_at: expires_at.map(|at| at.to_rfc3339()),
            deleting: event.deleting_since.is_some(),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LargestQuery {
    /// Events a page, 50 when left out, at most 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SizedEventPageBody {
    /// Largest first.
    events: Vec<SizedEventBody>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The events of all accounts, largest first.
#[utoipa::path(get, path = "/api/administration/events", tag = "administration", security(("bearer" = [])),
    params(LargestQuery),
    responses(
        (status = 200, body = SizedEventPageBody),
        AdministratorsOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        Unavailable,
    ))]
pub(crate) async fn largest_events(
    State(app): State<App>,
    Administrator(user): Administrator,
    Query(LargestQuery { limit, cursor }): Query<LargestQuery>,
) -> Result<Json<SizedEventPageBody>> {
    let administration = Administration::of(&app, &user);
    let keeping = app.settings().keeping;
    let page = events::page(&administration, keeping, limit, cursor.as_deref()).await?;
    let Page { events, next_cursor } = page;
    let events = events.into_iter().map(SizedEventBody::from).collect();
    Ok(Json(SizedEventPageBody { events, next_cursor }))
}
