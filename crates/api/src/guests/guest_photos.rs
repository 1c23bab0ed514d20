//! Photos that guests have added: what their device is told of them, and what the photographer decides.

use app::App;
use app::events::access;
use app::guests::guest_photos::{self, Added, Waiting};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use domain::accounts::tokens::handle;
use domain::guests::guest_photos::GuestPhoto;
use domain::photos::Size;
use domain::{PhotoId, Refusal, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, Required};
use utoipa::{IntoParams, ToSchema};

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::error::{Error, ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer, Query};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, PinRequired, Unavailable};
use crate::operations::runtime::state::AppState;
use crate::photos::files::{private, send};
use crate::photos::selections::event_id;

/// The header of a device's secret.
const DEVICE: &str = "guest-device";
/// For how many seconds a browser keeps a picture of what waits.
const MAX_AGE: i64 = 3_600;

/// Whoever asks for an event as a guest does, with the secret of their device.
pub(crate) struct Device {
    pub(crate) visitor: access::Visitor,
    /// Empty where there is none.
    pub(crate) secret: String,
}

impl FromRequestParts<AppState> for Device {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let Visitor(visitor) = Visitor::from_request_parts(parts, state).await?;
        let secret = parts.headers.get(DEVICE).and_then(|secret| secret.to_str().ok());
        Ok(Self { visitor, secret: secret.unwrap_or_default().to_owned() })
    }
}

/// [`DEVICE`] in the contract.
pub(crate) enum DeviceHeader {}

impl IntoParams for DeviceHeader {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let header = ParameterBuilder::new()
            .name("Guest-Device")
            .parameter_in(ParameterIn::Header)
            .description(Some(
                "256 random bits that the guest's device has made for itself, as 43 characters of base64url. The server keeps their hash: \
                 whoever\nhas them sees what they have sent, and may take it back.",
            ))
            .required(Required::True)
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        vec![header.build()]
    }
}

/// What became of a photo that a guest has added.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = GuestPhotoState)]
pub(crate) enum StateBody {
    /// It waits for the photographer.
    Waiting,
    /// It was let in, and is a photo of the event.
    In,
}

/// A photo that this device has added.
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnPhotoBody {
    id: String,
    state: StateBody,
    width: i64,
    height: i64,
    /// RFC 3339.
    sent_at: String,
    /// When it goes unless the photographer lets it in before, RFC 3339; null once it is in.
    goes_at: Option<String>,
}

impl OwnPhotoBody {
    fn new(added: GuestPhoto, now: Timestamp) -> Self {
        let is_waiting = added.became.is_none();
        Self {
            id: added.photo.id.to_string(),
            state: if is_waiting { StateBody::Waiting } else { StateBody::In },
            width: added.photo.width,
            height: added.photo.height,
            sent_at: added.photo.created_at.to_rfc3339(),
            goes_at: is_waiting.then(|| added.goes_at(now).to_rfc3339()),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OwnPhotosBody {
    /// The newest first. What was declined is not listed any more.
    photos: Vec<OwnPhotoBody>,
    /// Whether the event takes photos from guests.
    taken: bool,
    /// How many photos this device may add.
    limit: u32,
}

/// What the guest's device has added to an event: what waits, and what was let in.
#[utoipa::path(get, path = "/api/face/guest-photos/{slug}", tag = "faces",
    params(("slug" = String, Path, description = "The event's name in links"), DeviceHeader, ProofHeader),
    responses(
        (status = 200, body = OwnPhotosBody),
        (status = 400, body = ErrorBody, description = "The device's secret is missing or bad"),
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event"),
        Unavailable,
    ))]
pub(crate) async fn own_guest_photos(
    State(app): State<App>,
    Device { visitor, secret: device }: Device,
    Path(slug): Path<String>,
) -> Result<Json<OwnPhotosBody>> {
    let guest = guest_photos::guest(&app, &visitor, &slug, &device).await?;
    let Added { photos, is_taken, limit } = guest_photos::added(&app, &guest).await?;
    let photos = photos.into_iter().map(|added| OwnPhotoBody::new(added, app.now())).collect();
    Ok(Json(OwnPhotosBody { photos, taken: is_taken, limit }))
}

/// The thumbnail of a photo that the guest's device has added and that waits.
#[utoipa::path(get, path = "/api/face/guest-photos/{slug}/{id}/thumbnail", tag = "faces",
    params(
        ("slug" = String, Path, description = "The event's name in links"),
        ("id" = String, Path, description = "The photo's id"),
        DeviceHeader, ProofHeader,
    ),
    responses(
        (status = 200, description = "The bytes", content_type = "image/*"),
        (status = 206, description = "The range that was asked for", content_type = "image/*"),
        (status = 304, description = "The caller has it already"),
        (status = 400, body = ErrorBody, description = "The device's secret is missing or bad"),
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event, or no such photo of this device that waits"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the file"),
        Unavailable,
    ))]
pub(crate) async fn own_guest_photo_thumbnail(
    State(app): State<App>,
    Device { visitor, secret: device }: Device,
    Path((slug, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response> {
    let guest = guest_photos::guest(&app, &visitor, &slug, &device).await?;
    let file = guest_photos::own_thumbnail(&app, &guest, photo_id(&id)?).await?;
    send(&app, &file, None, &headers, private(MAX_AGE)).await
}

/// Takes back a photo that the guest's device has added and that waits: it goes for good.
#[utoipa::path(delete, path = "/api/face/guest-photos/{slug}/{id}", tag = "faces",
    params(
        ("slug" = String, Path, description = "The event's name in links"),
        ("id" = String, Path, description = "The photo's id"),
        DeviceHeader, ProofHeader,
    ),
    responses(
        (status = 204, description = "It is gone"),
        (status = 400, body = ErrorBody, description = "The device's secret is missing or bad"),
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event, or no such photo of this device"),
        (status = 409, body = ErrorBody, description = "It was let in already"),
        Unavailable,
    ))]
pub(crate) async fn take_back_guest_photo(
    State(app): State<App>,
    Device { visitor, secret: device }: Device,
    Path((slug, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let guest = guest_photos::guest(&app, &visitor, &slug, &device).await?;
    guest_photos::take_back(&app, &guest, photo_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A photo that waits for the photographer.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingPhotoBody {
    id: String,
    /// The same for all photos of one guest's device in this event, and for no other's. It leads to no device.
    guest: String,
    /// What the guest is called; null where they did not say.
    guest_name: Option<String>,
    original_filename: String,
    width: i64,
    height: i64,
    size_bytes: i64,
    /// The average color of the picture, `#rrggbb`; null where it is not known.
    average_color: Option<String>,
    /// RFC 3339.
    sent_at: String,
    /// When it goes unless it is let in before; RFC 3339.
    goes_at: String,
}

impl WaitingPhotoBody {
    fn new(added: GuestPhoto, now: Timestamp) -> Self {
        let goes_at = added.goes_at(now).to_rfc3339();
        Self {
            guest: handle(&added.device),
            guest_name: added.name,
            id: added.photo.id.to_string(),
            original_filename: added.photo.original_filename,
            width: added.photo.width,
            height: added.photo.height,
            size_bytes: added.photo.size_bytes,
            average_color: added.photo.average_color.map(|color| color.to_string()),
            sent_at: added.photo.created_at.to_rfc3339(),
            goes_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingPhotosBody {
    /// The oldest first.
    photos: Vec<WaitingPhotoBody>,
    /// Rupees that each of them costs, let in.
    price: f64,
}

/// The photos that guests have added to an event and that wait for its photographer.
#[utoipa::path(get, path = "/api/events/{event}/guest-photos", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's id")),
    responses(
        (status = 200, body = WaitingPhotosBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn list_guest_photos(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(event): Path<String>,
) -> Result<Json<WaitingPhotosBody>> {
    let Waiting { photos, price } = guest_photos::waiting(&app, &caller, event_id(&event)?).await?;
    let photos = photos.into_iter().map(|added| WaitingPhotoBody::new(added, app.now())).collect();
    Ok(Json(WaitingPhotosBody { photos, price: price.as_rupees() }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RenditionQuery {
    /// `preview`, `medium` or `thumbnail`, which is the default.
    size: Option<String>,
}

/// A rendition of a photo that waits for the photographer.
#[utoipa::path(get, path = "/api/events/{event}/guest-photos/{id}/file", tag = "events", security(("bearer" = [])),
    params(
        ("event" = String, Path, description = "The event's id"),
        ("id" = String, Path, description = "The photo's id"),
        RenditionQuery,
    ),
    responses(
        (status = 200, description = "The bytes", content_type = "image/*"),
        (status = 206, description = "The range that was asked for", content_type = "image/*"),
        (status = 304, description = "The caller has it already"),
        (status = 400, body = ErrorBody, description = "There is no such size"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such photo that waits"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the file"),
    ))]
pub(crate) async fn guest_photo_file(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, id)): Path<(String, String)>,
    Query(query): Query<RenditionQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let size = match query.size.as_deref() {
        None => Size::Thumbnail,
        Some(name) => Size::parse(name).filter(|size| *size != Size::Original).ok_or(Refusal::SizeUnknown)?,
    };
    let file = guest_photos::file(&app, &caller, event_id(&event)?, photo_id(&id)?, size).await?;
    send(&app, &file, None, &headers, private(MAX_AGE)).await
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct DecidedPhotosBody {
    /// The photos' ids, at most 200.
    ids: Vec<String>,
}

impl DecidedPhotosBody {
    fn parse(&self) -> Result<Vec<PhotoId>> {
        self.ids.iter().map(|id| photo_id(id)).collect()
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct DecidedBody {
    /// How many of them waited until now.
    photos: usize,
}

/// Lets photos of guests in: each is a photo of the event from then on, is charged as an upload and found by selfie. A repeat charges
/// nothing. Where the credits do not suffice for all of them, none is let in.
#[utoipa::path(post, path = "/api/events/{event}/guest-photos/let-in", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's id")),
    request_body = DecidedPhotosBody,
    responses(
        (status = 200, body = DecidedBody),
        InvalidBody,
        PhotographersOnly,
        (status = 402, body = ErrorBody, description = "Not enough credit: none is let in"),
        (status = 404, body = ErrorBody, description = "No such event of the caller, or a photo was declined or taken back"),
        (status = 409, body = ErrorBody, description = "The event is being deleted, or takes no photos"),
        Unavailable,
    ))]
pub(crate) async fn let_guest_photos_in(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(event): Path<String>,
    Json(body): Json<DecidedPhotosBody>,
) -> Result<Json<DecidedBody>> {
    let photos = guest_photos::let_in(&app, &caller, event_id(&event)?, &body.parse()?).await?;
    Ok(Json(DecidedBody { photos }))
}

/// Declines photos of guests: they go for good. A repeat changes nothing.
#[utoipa::path(post, path = "/api/events/{event}/guest-photos/decline", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's id")),
    request_body = DecidedPhotosBody,
    responses(
        (status = 200, body = DecidedBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        Unavailable,
    ))]
pub(crate) async fn decline_guest_photos(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(event): Path<String>,
    Json(body): Json<DecidedPhotosBody>,
) -> Result<Json<DecidedBody>> {
    let photos = guest_photos::decline(&app, &caller, event_id(&event)?, &body.parse()?).await?;
    Ok(Json(DecidedBody { photos }))
}

fn photo_id(text: &str) -> Result<PhotoId> {
    text.parse().map_err(|_| Refusal::PhotoNotFound.into())
}
