//! Photos: uploading, listing, links to their files.

pub(crate) mod albums;
pub(crate) mod delete;
pub(crate) mod files;
pub(crate) mod focus;
pub(crate) mod ids;
pub(crate) mod links;
pub(crate) mod name_lists;
pub(crate) mod selections;
pub(crate) mod stacks;
pub(crate) mod states;
pub(crate) mod trash;

use std::collections::{BTreeSet, HashMap};

use app::guests::{client_selections, guest_photos};
use app::photos::{self, OfSomebodyElse, Page};
use app::{App, team};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::photos::appearance::Sharpness;
use domain::photos::failures::PhotoFailure;
use domain::photos::{Photo, PhotoStatus, Size};
use domain::{PhotoId, Refusal, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer, Query};
use crate::operations::runtime::responses::PhotographersOnly;
use crate::photos::focus::FocusBody;
use crate::photos::stacks::StackBody;

/// How many seconds a browser may cache a file that its owner has fetched.
const OWN_FILE_MAX_AGE: i64 = 6 * 60 * 60;

/// A photo.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct PhotoBody {
    id: String,
    /// A signed link to the preview, or to the original while there is no preview. Empty where an upload is answered with a photo
    /// of somebody else, which the uploader does not see.
    url: String,
    /// A signed link to the rendition whose long side is 1024; null while there is none.
    medium_url: Option<String>,
    /// A signed link to the thumbnail; null while there is none.
    thumbnail_url: Option<String>,
    /// While the photo is processing, a signed link to a picture of the thumbnail's size, which is made when it is asked for.
    early_url: Option<String>,
    /// The name the file had.
    filename: String,
    /// The name the file had.
    original_filename: String,
    /// Null for photos of the library.
    event_id: Option<String>,
    /// The member of the event's team who has uploaded it; null for its owner, and for photos of the library.
    uploader: Option<UploaderBody>,
    /// What the guest is called who has added it, empty where they did not say; left out for a photo that no guest has added.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest_name: Option<String>,
    /// Pixels, upright.
    width: i64,
    /// Pixels, upright.
    height: i64,
    size_bytes: i64,
    /// `processing`, `ready` or `failed`.
    status: PhotoStatusBody,
    /// A sentence on why it could not be processed; null unless it failed.
    failure: Option<String>,
    /// The code of that sentence; null where an older version wrote it.
    failure_code: Option<String>,
    /// How many faces were found.
    faces: i64,
    /// Where its faces are; left out where no face is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<FocusBody>,
    /// The average color of the picture, `#rrggbb`, to stand in its place while it loads; null for some photos
    /// that were uploaded before it was computed, and for an uncompressed BMP until it is indexed.
    average_color: Option<String>,
    /// How many guests reported that they are not in it.
    not_me_reports: i64,
    /// The ids of the albums of its event that it is in.
    albums: Vec<String>,
    /// How often guests have saved it, alone or in a ZIP; some seconds late.
    downloads: i64,
    /// How many hearts guests have put on it.
    hearts: i64,
    /// How sharp it is where it is sharpest, or its faces where it has some, from 0 to 1; left out while it is not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    sharpness: Option<f64>,
    /// The stack that it is of; left out where it is like no other, and where its event puts none together.
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<StackBody>,
    /// Whether it is held: guests do not see it until it is published. Left out otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    held: bool,
    /// When it was taken by the camera's clock, such as `2026-11-20T18:30:05.120`: no zone is known. Null where the file does
    /// not tell it, and for photos of versions before until their files are read again.
    captured_at: Option<String>,
    /// What the client of the selection says of it that was asked for by `selection_id`; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_comment: Option<String>,
    /// The camera's maker and model; null where the file does not tell them.
    camera: Option<String>,
    /// The lens; null where the file does not tell it.
    lens: Option<String>,
    /// RFC 3339.
    created_at: String,
}

/// Who has uploaded a photo.
#[derive(Serialize, ToSchema)]
pub(crate) struct UploaderBody {
    /// Of the account.
    id: String,
    /// Null when the account is gone.
    name: Option<String>,
}

#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PhotoStatus)]
pub(crate) enum PhotoStatusBody {
    #[default]
    Processing,
    Ready,
    Failed,
}

impl From<PhotoStatus> for PhotoStatusBody {
    fn from(status: PhotoStatus) -> Self {
        match status {
            PhotoStatus::Processing => Self::Processing,
            PhotoStatus::Ready => Self::Ready,
            PhotoStatus::Failed => Self::Failed,
        }
    }
}

impl PhotoBody {
    pub(crate) async fn new(app: &App, photo: Photo) -> Result<Self> {
        let mut bodies = Self::all(app, vec![photo]).await?;
        bodies.pop().ok_or_else(|| Refusal::PhotoNotFound.into())
    }

    /// Photos in their order.
    async fn all(app: &App, photos: Vec<Photo>) -> Result<Vec<Self>> {
        let uploaders: BTreeSet<UserId> = photos.iter().filter_map(|photo| photo.uploader).collect();
        let uploaders: Vec<UserId> = uploaders.into_iter().collect();
        let named = team::names(app, &uploaders).await?;
        let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
        let guests: HashMap<PhotoId, Option<String>> =
            guest_photos::names(app, &ids).await?.into_iter().collect();
        let mut bodies = Vec::with_capacity(photos.len());
        for photo in photos {
            let guest = guests.get(&photo.id).map(|name| name.clone().unwrap_or_default());
            let uploader = photo.uploader.map(|id| UploaderBody {
                id: id.to_string(),
                name: named.iter().find(|named| named.id == id).map(|named| named.name.clone()),
            });
            bodies.push(Self { guest_name: guest, ..Self::of(app, photo, uploader).await? });
        }
        Ok(bodies)
    }

    /// What the file tells that was sent, which is there as this photo.
    pub(crate) fn of_somebody_else(photo: OfSomebodyElse) -> Self {
        Self {
            id: photo.id.to_string(),
            filename: photo.filename.clone(),
            original_filename: photo.filename,
            event_id: photo.event.map(|event| event.to_string()),
            size_bytes: photo.size_bytes,
            status: PhotoStatus::Ready.into(),
            created_at: photo.at.to_rfc3339(),
            ..Self::default()
        }
    }

    async fn of(app: &App, photo: Photo, uploader: Option<UploaderBody>) -> Result<Self> {
        let links = app::photos::files::photo_links(app, &photo).await?;
        Ok(Self {
            id: photo.id.to_string(),
            url: links.url,
            medium_url: links.medium_url,
            thumbnail_url: links.thumbnail_url,
            early_url: links.early_url,
            filename: photo.original_filename.clone(),
            original_filename: photo.original_filename,
            event_id: photo.event.map(|event| event.to_string()),
            uploader,
            guest_name: None,
            width: photo.width,
            height: photo.height,
            size_bytes: photo.size_bytes,
            status: photo.status.into(),
            failure: photo.failure.as_ref().map(PhotoFailure::text),
            failure_code: photo.failure.as_ref().and_then(PhotoFailure::code).map(String::from),
            faces: photo.faces,
            focus: photo.focus.map(FocusBody::from),
            average_color: photo.average_color.map(|color| color.to_string()),
            not_me_reports: photo.not_me_reports,
            albums: photo.albums.iter().map(ToString::to_string).collect(),
            downloads: photo.downloads,
            hearts: photo.hearts,
            sharpness: photo.sharpness.map(Sharpness::part),
            stack: photo.stack.map(StackBody::from),
            held: photo.held,
            captured_at: photo.capture.at.map(local_time),
            client_comment: None,
            camera: photo.capture.camera,
            lens: photo.capture.lens,
            created_at: photo.created_at.to_rfc3339(),
        })
    }
}

/// A moment of a camera's clock, whose zone is not known.
pub(crate) fn local_time(moment: Timestamp) -> String {
    moment.to_rfc3339().trim_end_matches('Z').to_owned()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// Only photos of this event.
    event_id: Option<String>,
    /// Only photos whose file had exactly this name, however its accents are written.
    filename: Option<String>,
    /// Only photos in whose file's name this stands, whatever its case and however its accents are written.
    name: Option<String>,
    /// Only photos of this status: `processing`, `ready` or `failed`.
    status: Option<String>,
    /// `uploaded` (newest first, as when left out), `captured` (earliest first; photos without a moment of capture last),
    /// `name` (numbers in names by their value), `hearts` (most first) or `sharpness` (least first). All but the first need
    /// `event_id`.
    sort: Option<String>,
    /// With true, only photos that are ready and in which no face was found.
    without_faces: Option<bool>,
    /// With true, only photos that are held: guests do not see them until they are published.
    held: Option<bool>,
    /// With true, only photos with hearts of guests.
    hearted: Option<bool>,
    /// With true, only photos that are sharp nowhere: whose `sharpness` is below 0.4.
    blurred: Option<bool>,
    /// Only photos that this person of an event is in (`GET /api/events/{id}/people`), hidden ones aside.
    person_id: Option<String>,
    /// Only photos in this album (`GET /api/events/{id}/albums`), or `none`: only photos that are in no album.
    album_id: Option<String>,
    /// Only photos that the client of this selection has chosen (`GET /api/events/{event}/selections`). Each then has what the client
    /// says of it.
    selection_id: Option<String>,
    /// With true, and `selection_id`, only photos that its client has commented on, chosen or not.
    commented: Option<bool>,
    /// Only photos of an event that this account has uploaded, or `owner`: only its owner's. A contributor gets their own
    /// photos alone.
    uploader_id: Option<String>,
    /// Photos a page, 200 when left out, at most 1000; ids a page, 10,000 when left out, and at most.
    #[param(minimum = 1, maximum = 10_000)]
    limit: Option<u32>,
    /// `next_cursor` of the page before, or the id of any photo: the page has the photos after it in the order that was asked
    /// for, which are those older than it when none was. The order has to be the same as before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PhotosBody {
    photos: Vec<PhotoBody>,
    /// On all pages.
    total_count: i64,
    /// How many of them are left where of photos that are alike the best alone is counted. Where all photos of an event are listed
    /// that puts such photos together; else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    moments: Option<i64>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The caller's photos, newest first unless another order is asked for.
#[utoipa::path(get, path = "/api/photos/search", tag = "photos", security(("bearer" = [])), params(SearchQuery),
    responses(
        (status = 200, body = PhotosBody),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "No such event"),
    ))]
pub(crate) async fn search(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Query(query): Query<SearchQuery>,
) -> Result<Json<PhotosBody>> {
    let selection = query.selection_id.clone();
    let Page { photos, total, moments, next_cursor } = photos::search(&app, &owner, query.meant()?).await?;
    let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
    let mut photos = PhotoBody::all(&app, photos).await?;
    if let Some(selection) = selection {
        let mut comments = client_selections::comments(&app, &selection, &ids).await?;
        for (photo, id) in photos.iter_mut().zip(&ids) {
            photo.client_comment = comments.remove(id);
        }
    }
    Ok(Json(PhotosBody { photos, total_count: total, moments, next_cursor }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct CountBody {
    total_count: i64,
}

/// How many photos the caller has.
#[utoipa::path(get, path = "/api/photos/count", tag = "photos", security(("bearer" = [])), responses(
    (status = 200, body = CountBody),
    PhotographersOnly,
))]
pub(crate) async fn count(
    State(app): State<App>,
    Photographer(owner): Photographer,
) -> Result<Json<CountBody>> {
    Ok(Json(CountBody { total_count: photos::count(&app, &owner).await? }))
}

/// Tries again to process one of the caller's photos that failed, and at once. A photo that is ready stays as it is.
#[utoipa::path(post, path = "/api/photos/{id}/retry", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The photo's id")),
    responses(
        (status = 200, body = PhotoBody, description = "The photo as it is now"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such photo"),
    ))]
pub(crate) async fn retry(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<PhotoBody>> {
    let id: PhotoId = id.parse().map_err(|_| Refusal::PhotoNotFound)?;
    let photo = photos::retry(&app, &owner, id).await?;
    Ok(Json(PhotoBody::new(&app, photo).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FileQuery {
    /// `original`, `preview`, `medium` or `thumbnail`.
    #[serde(default)]
    size: String,
}

/// The bytes of one of the caller's photos.
#[utoipa::path(get, path = "/api/photos/{id}/file", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The photo's id"), FileQuery),
    responses(
        (status = 200, description = "The bytes", content_type = "image/*"),
        (status = 206, description = "The range that was asked for", content_type = "image/*"),
        PhotographersOnly,
        (status = 304, description = "The caller has it already"),
        (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "No such photo, or not processed yet"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the file"),
    ))]
pub(crate) async fn file(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Query(query): Query<FileQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let size = Size::parse(&query.size).ok_or(Refusal::SizeUnknown)?;
    let id: PhotoId = id.parse().map_err(|_| Refusal::PhotoNotFound)?;
    let photo = photos::by_id(&app, &owner, id).await?;
    let file = photos::file(&photo, size)?;
    crate::photos::files::send(&app, &file, None, &headers, crate::photos::files::private(OWN_FILE_MAX_AGE))
        .await
}
