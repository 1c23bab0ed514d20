//! Deleted photos: deleting several, listing, restoring, removing for good.

use app::App;
use app::photos::delete;
use app::photos::selections::Chosen;
use app::photos::trash::{self, Trashed};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::photos::trash::parse_deleted_through;
use domain::{PhotoId, Refusal};
use serde::{Deserialize, Serialize};

use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer, Query};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, Unavailable};
use crate::photos::PhotoStatusBody;
use crate::photos::selections::{PhotoChoice, event_id};

/// How many seconds a browser may cache a thumbnail.
const THUMBNAIL_MAX_AGE: i64 = 60 * 60;

/// A deleted photo. No link leads to it; `GET /api/photos/trash/{id}/thumbnail` has its picture.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrashedPhotoBody {
    id: String,
    /// The name the file had.
    original_filename: String,
    /// Pixels, upright.
    width: i64,
    /// Pixels, upright.
    height: i64,
    size_bytes: i64,
    /// What it was when it was deleted: `processing`, `ready` or `failed`. Only a ready one has a thumbnail.
    status: PhotoStatusBody,
    /// The average color of the picture, `#rrggbb`; null where it is not known.
    average_color: Option<String>,
    /// RFC 3339.
    created_at: String,
    /// When it was deleted; RFC 3339.
    deleted_at: String,
    /// When it is removed for good, at the latest; RFC 3339.
    removed_at: String,
}

impl TrashedPhotoBody {
    fn new(Trashed { photo, at }: Trashed) -> Self {
        Self {
            id: photo.id.to_string(),
            original_filename: photo.original_filename,
            width: photo.width,
            height: photo.height,
            size_bytes: photo.size_bytes,
            status: photo.status.into(),
            average_color: photo.average_color.map(|color| color.to_string()),
            created_at: photo.created_at.to_rfc3339(),
            deleted_at: at.to_rfc3339(),
            removed_at: trash::removal(at).to_rfc3339(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TrashBody {
    photos: Vec<TrashedPhotoBody>,
    /// On all pages.
    total_count: i64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TrashQuery {
    /// The event; left out, the library.
    event_id: Option<String>,
    /// Photos a page, 200 when left out, at most 1000.
    #[param(minimum = 1, maximum = 1_000)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The deleted photos of an event, or of the library, which can be restored; those that were deleted last come first.
#[utoipa::path(get, path = "/api/photos/trash", tag = "photos", security(("bearer" = [])), params(TrashQuery),
    responses(
        (status = 200, body = TrashBody),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "No such event"),
    ))]
pub(crate) async fn list_trash(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Query(query): Query<TrashQuery>,
) -> Result<Json<TrashBody>> {
    let event = query.event_id.as_deref().map(event_id).transpose()?;
    let page = trash::list(&app, &owner, event, query.limit, query.cursor.as_deref()).await?;
    let photos = page.photos.into_iter().map(TrashedPhotoBody::new).collect();
    Ok(Json(TrashBody { photos, total_count: page.total, next_cursor: page.next_cursor }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct RestoredBody {
    /// How many photos were restored.
    restored: usize,
}

/// Restores deleted photos as they were. Nothing is charged. Those that are not in the trash are left out, and so is one whose
/// bytes were uploaded again.
#[utoipa::path(post, path = "/api/photos/trash/restore", tag = "photos", security(("bearer" = [])),
    request_body = PhotoChoice,
    responses(
        (status = 200, body = RestoredBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Neither photos nor all are chosen, or too many"),
        (status = 404, body = ErrorBody, description = "No such event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn restore_photos(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Json(choice): Json<PhotoChoice>,
) -> Result<Json<RestoredBody>> {
    let (event, chosen) = choice.parse()?;
    Ok(Json(RestoredBody { restored: trash::restore(&app, &owner, event, chosen).await? }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct RemovedBody {
    /// How many photos were removed.
    removed: usize,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RemovalChoice {
    #[serde(flatten)]
    photos: PhotoChoice,
    /// With `all`: those alone that were deleted by then, such as the `deleted_at` of the first photo of the list, after which others
    /// may have been deleted; RFC 3339. Left out or null, all.
    #[serde(default)]
    deleted_through: Option<String>,
}

/// Removes deleted photos for good.
#[utoipa::path(post, path = "/api/photos/trash/remove", tag = "photos", security(("bearer" = [])),
    request_body = RemovalChoice,
    responses(
        (status = 200, body = RemovedBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Neither photos nor all are chosen, or too many"),
        (status = 404, body = ErrorBody, description = "No such event"),
        Unavailable,
    ))]
pub(crate) async fn remove_photos(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Json(RemovalChoice { photos, deleted_through }): Json<RemovalChoice>,
) -> Result<Json<RemovedBody>> {
    let (event, chosen) = photos.parse()?;
    let through = deleted_through.as_deref().map(parse_deleted_through).transpose()?;
    if through.is_some() && !matches!(chosen, Chosen::All) {
        return Err(Refusal::Malformed(String::from("deleted_through goes with all alone")).into());
    }
    Ok(Json(RemovedBody { removed: trash::remove(&app, &owner, event, chosen, through).await? }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct DeletedPhotosBody {
    /// How many photos were deleted.
    deleted: u64,
    /// Which, in no order; what was deleted before this call is not among them.
    photo_ids: Vec<String>,
}

/// Deletes photos, which can be restored for a week. Those that are not in the event, or in the library, are left out, so that
/// the call may be repeated.
#[utoipa::path(post, path = "/api/photos/trash", tag = "photos", security(("bearer" = [])),
    request_body = PhotoChoice,
    responses(
        (status = 200, body = DeletedPhotosBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Neither photos nor all are chosen, or too many"),
        (status = 404, body = ErrorBody, description = "No such event"),
        Unavailable,
    ))]
pub(crate) async fn delete_photos(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Json(choice): Json<PhotoChoice>,
) -> Result<Json<DeletedPhotosBody>> {
    let (event, chosen) = choice.parse()?;
    let deleted = delete::delete_photos(&app, &owner, event, chosen).await?;
    let photo_ids = deleted.iter().map(PhotoId::to_string).collect();
    Ok(Json(DeletedPhotosBody { deleted: deleted.len() as u64, photo_ids }))
}

/// The thumbnail of one of the caller's deleted photos.
#[utoipa::path(get, path = "/api/photos/trash/{id}/thumbnail", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The photo's id")),
    responses(
        (status = 200, description = "The bytes", content_type = "image/*"),
        (status = 206, description = "The range that was asked for", content_type = "image/*"),
        PhotographersOnly,
        (status = 304, description = "The caller has it already"),
        (status = 404, body = ErrorBody, description = "No such photo in the trash, or without a thumbnail"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the file"),
    ))]
pub(crate) async fn trash_thumbnail(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let id: PhotoId = id.parse().map_err(|_| Refusal::PhotoNotFound)?;
    let file = trash::thumbnail(&app, &owner, id).await?;
    crate::photos::files::send(&app, &file, None, &headers, crate::photos::files::private(THUMBNAIL_MAX_AGE))
        .await
}
