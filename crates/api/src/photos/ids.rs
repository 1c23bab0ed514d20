//! The ids of photos alone.

use app::App;
use app::photos;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Photographer, Query};
use crate::operations::runtime::responses::PhotographersOnly;
use crate::photos::SearchQuery;
use crate::photos::selections::event_id;

impl SearchQuery {
    /// Which photos are meant.
    pub(super) fn meant(self) -> Result<photos::Query> {
        Ok(photos::Query {
            event: self.event_id.as_deref().map(event_id).transpose()?,
            filename: self.filename,
            name: self.name,
            status: self.status,
            sort: self.sort,
            without_faces: self.without_faces.unwrap_or(false),
            held: self.held.unwrap_or(false),
            hearted: self.hearted.unwrap_or(false),
            blurred: self.blurred.unwrap_or(false),
            person: self.person_id,
            album: self.album_id,
            selection: self.selection_id,
            commented: self.commented.unwrap_or(false),
            uploader: self.uploader_id,
            limit: self.limit,
            cursor: self.cursor,
        })
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PhotoIdsBody {
    photo_ids: Vec<String>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The ids of the photos that `GET /api/photos/search` lists for the same parameters, in its order: to do something with all of
/// them, without their links.
#[utoipa::path(get, path = "/api/photos/search/ids", tag = "photos", security(("bearer" = [])), params(SearchQuery),
    responses(
        (status = 200, body = PhotoIdsBody),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "No such event"),
    ))]
pub(crate) async fn search_ids(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Query(query): Query<SearchQuery>,
) -> Result<Json<PhotoIdsBody>> {
    let page = photos::search_ids(&app, &caller, query.meant()?).await?;
    let photo_ids = page.ids.iter().map(ToString::to_string).collect();
    Ok(Json(PhotoIdsBody { photo_ids, next_cursor: page.next_cursor }))
}
