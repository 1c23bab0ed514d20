//! All photos of an event, for guests who may look at them.

use app::App;
use app::guests::browsing::{self, Overview};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use app::operations::runtime::limits::Limit;

use crate::events::access::{ProofHeader, Visitor};
use crate::faces::FoundPhotoBody;
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Query};
use crate::operations::runtime::responses::{RateLimited, Unavailable};
use crate::photos::albums::AlbumBody;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BrowsingQuery {
    /// Only photos in the album with this id.
    album_id: Option<String>,
    /// Photos a page, 60 when left out, at most 200.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct GuestPhotosBody {
    /// By the moment of capture, earliest first, those without one last.
    photos: Vec<FoundPhotoBody>,
    /// The albums of the event that have photos which guests may see; with the first page alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    albums: Option<Vec<AlbumBody>>,
    /// How many photos there are on all pages; with the first page alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<i64>,
    /// How many of them are left where of photos that are alike the best alone is counted; with the first page, where the event puts
    /// such photos together.
    #[serde(skip_serializing_if = "Option::is_none")]
    moments: Option<i64>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// All photos of an event page by page, where its photographer lets guests look at them. Hidden photos and those that are not
/// ready are left out.
#[utoipa::path(get, path = "/api/face/photos/{slug}", tag = "faces",
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader, BrowsingQuery),
    responses(
        (status = 200, body = GuestPhotosBody),
        RateLimited,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        (status = 403, body = ErrorBody, description = "The event asks for a PIN, and the proof is missing or of an earlier one; \
            or its photographer shows guests the photos alone that they are in"),
        (status = 404, body = ErrorBody, description = "No such event, or what is no id of an album"),
        Unavailable,
    ))]
pub(crate) async fn photos_of_event(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Query(query): Query<BrowsingQuery>,
) -> Result<Json<GuestPhotosBody>> {
    client.check_rate_limit(&app, Limit::Results).await?;
    let query = browsing::Query { album: query.album_id, limit: query.limit, cursor: query.cursor };
    let page = browsing::page(&app, &visitor, &slug, query).await?;
    let photos = page.photos.into_iter().map(FoundPhotoBody::from).collect();
    let mut body =
        GuestPhotosBody { photos, albums: None, total: None, moments: None, next_cursor: page.next_cursor };
    if let Some(Overview { albums, total, moments }) = page.overview {
        body.albums = Some(albums.into_iter().map(AlbumBody::from).collect());
        body.total = Some(total);
        body.moments = moments;
    }
    Ok(Json(body))
}
