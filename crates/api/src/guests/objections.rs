//! Guests who object to being found: 'Remove me'.

use app::App;
use app::faces::{consents, search};
use app::guests::objections::decisions::{self, Request};
use app::guests::objections::live_captures::{self, Challenge};
use app::guests::objections::requests::{self, NewObjection, Outcome, Preview};
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use axum::http::StatusCode;
use domain::guests::objections::Objection;
use domain::photos::Photo;
use domain::{EventId, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::events::IndexingBody;
use crate::events::access::{ProofHeader, Visitor};
use crate::faces::{self, FaceBody, FoundPhotoBody, Search};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{Error, ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{
    InvalidBody, PhotographersOnly, PinRequired, RateLimited, Unavailable,
};
use crate::uploads::forms::Form;

#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectionPreviewBody {
    /// Exactly the photos that would be hidden, best first.
    photos: Vec<FoundPhotoBody>,
    /// How many more photos the photographer has decided to show, when they were hidden before.
    overruled: usize,
    /// The faces of the first picture, largest and most central first.
    faces: Vec<FaceBody>,
    indexing: IndexingBody,
    /// For 15 minutes, `/api/face/objections` takes it. Only the server can read it.
    token: String,
    /// Whether the pictures were a live capture. Without one whatever is asked waits for the photographer, and changes nothing until
    /// then.
    live: bool,
}

/// The form by which a guest looks for photos that could be hidden.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the form in the contract")]
pub(crate) struct ObjectionForm {
    /// One to three pictures of the same person, each at most 20 MB. Of a live capture one, straight into the camera: others do not
    /// count.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1, max_items = 3)]
    image: Vec<Vec<u8>>,
    /// Of a live capture the second picture, with the head turned to the side of the challenge; at most 20 MB, and not mirrored.
    #[schema(value_type = Option<String>, format = Binary)]
    turned_image: Option<Vec<u8>>,
    /// The `challenge` of `/api/face/objections/{slug}/challenge`. With `turned_image` it makes the pictures a live capture; where
    /// either is missing they are none.
    challenge: Option<String>,
    /// Without a live capture, which of the faces of the first picture, counted from 0 as `faces` counts; the first when left out.
    face: Option<u32>,
    /// The version of the notice about selfies that the person was shown and agreed to, as the page has it.
    notice_version: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ChallengeBody {
    /// `left` or `right`: the side of the person to which the head is to be turned, which on a mirrored preview is the same side of
    /// the screen.
    side: String,
    /// Goes with the pictures. Only the server can read it.
    challenge: String,
    /// RFC 3339.
    expires_at: String,
}

/// Draws the side to which a guest turns the head in the second picture of a live capture. It is good for 5 minutes, and for this
/// event.
#[utoipa::path(post, path = "/api/face/objections/{slug}/challenge", tag = "faces",
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 200, body = ChallengeBody),
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event"),
        Unavailable,
    ))]
pub(crate) async fn challenge(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
) -> Result<Json<ChallengeBody>> {
    let event = app::events::access::by_slug(&app, &visitor, &slug).await?;
    let Challenge { side, token, expires_at } = live_captures::challenge(&app, &event).await?;
    Ok(Json(ChallengeBody {
        side: side.as_str().to_owned(),
        challenge: token,
        expires_at: expires_at.to_rfc3339(),
    }))
}

impl From<Preview> for ObjectionPreviewBody {
    fn from(Preview { photos, overruled, faces, indexing, token, live }: Preview) -> Self {
        Self {
            photos: photos.into_iter().map(FoundPhotoBody::from).collect(),
            overruled,
            faces: faces.into_iter().map(FaceBody::from).collect(),
            indexing: indexing.into(),
            token,
            live,
        }
    }
}

/// Shows a guest which photos of an event could be hidden: the search is always strict. The pictures are held in memory until
/// the answer is made, and nowhere else. A live capture is two frames of a camera: it shows that a person of that face was probably
/// there, and does not prove it.
#[utoipa::path(post, path = "/api/face/objections/{slug}", tag = "faces",
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    request_body(content = ObjectionForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = ObjectionPreviewBody),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event, or the challenge is unknown or expired"),
        (status = 413, body = ErrorBody, description = "Larger than 20 MB"),
        (status = 422, body = ErrorBody, description = "No face, or one that is too small, blurry or dark; or the pictures are no live capture: of two people, the same picture, or with the head turned too little or to the other side"),
        Unavailable,
    ))]
pub(crate) async fn preview(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    form: Form,
) -> Result<Json<ObjectionPreviewBody>> {
    let event = faces::countable_event(&app, client, &visitor, &slug).await?;
    let (preview, notice) = search::within_deadline(&app, async {
        let Search { selfies, notice, capture } = faces::receive(&app, client, form).await?;
        let notice = notice.ok_or(Refusal::ConsentRequired)?;
        Ok::<_, Error>((requests::preview(&app, &event, selfies, capture).await?, notice))
    })
    .await?;
    consents::record(&app, Some(notice)).await;
    Ok(Json(preview.into()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ObjectBody {
    /// The `token` of the search whose photos the guest has seen.
    token: String,
    /// `hide`: nobody finds these photos any more. `stop_finding`: nobody finds this person any more, in later uploads of the
    /// event neither; for that alone the template of the face is kept, encrypted, until the event is closed.
    choice: String,
    /// The version of the notice that the guest has agreed to. Without it nothing is done.
    #[serde(default)]
    notice_version: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectedBody {
    /// How many photos it is about. 0 also when the same was asked before.
    photos: usize,
    /// Whether the photographer decides first. A request to hide more than 20 photos and more than 5 % of the event: until then
    /// nothing is hidden, and the person alone is found no more. Any request without a live capture: until then nothing changes.
    waits: bool,
    /// The signed receipt of the descriptions of the guest's face that were removed; left out where none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
}

/// Hides the photos that a guest was shown, or makes that the guest is not found any more, at once, unless so many would be hidden that
/// the photographer decides, or the pictures were no live capture. The photographer is told,
/// can undo it, and it then does not hold for the same faces when it is asked for again.
#[utoipa::path(post, path = "/api/face/objections", tag = "faces", request_body = ObjectBody, params(ProofHeader),
    responses(
        (status = 201, body = ObjectedBody, description = "It is in force, or waits"),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or the event is gone"),
        (status = 409, body = ErrorBody, description = "There is nothing to hide, or the photographer has decided against it"),
        Unavailable,
    ))]
pub(crate) async fn object(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Json(body): Json<ObjectBody>,
) -> Result<(StatusCode, Json<ObjectedBody>)> {
    let ObjectBody { token, choice, notice_version } = body;
    let confirmed =
        requests::validate(&app, &visitor, &NewObjection { token, choice, notice_version }).await?;
    // What is not complete does not count.
    client.check_rate_limit(&app, Limit::Objections).await?;
    let Outcome { photos, waits, receipt } = requests::object(&app, confirmed).await?;
    Ok((StatusCode::CREATED, Json(ObjectedBody { photos, waits, receipt })))
}

/// A guest's request without its photos.
#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectionSummaryBody {
    id: String,
    event_id: String,
    /// `hide` or `stop_finding`.
    choice: String,
    /// RFC 3339.
    created_at: String,
    /// Whether the photographer has seen it.
    seen: bool,
    /// Whether it waits for the photographer's decision, and hides nothing until then.
    waits: bool,
    /// Whether it was made without a live capture, so that nobody has shown to be the person. What waits for that reason has no effect
    /// at all. False for requests that were made before there were live captures.
    without_capture: bool,
}

impl From<&Objection> for ObjectionSummaryBody {
    fn from(objection: &Objection) -> Self {
        Self {
            id: objection.id.to_string(),
            event_id: objection.event.to_string(),
            choice: objection.choice.as_str().to_owned(),
            created_at: objection.created_at.to_rfc3339(),
            seen: !objection.is_new(),
            waits: objection.waits,
            without_capture: objection.without_capture,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectionSummariesBody {
    /// Newest first.
    objections: Vec<ObjectionSummaryBody>,
}

/// The requests of guests in all events of the caller.
#[utoipa::path(get, path = "/api/objections", tag = "events", security(("bearer" = [])),
    responses((status = 200, body = ObjectionSummariesBody), PhotographersOnly, Unavailable))]
pub(crate) async fn list_objections(
    State(app): State<App>,
    Photographer(owner): Photographer,
) -> Result<Json<ObjectionSummariesBody>> {
    let objections = decisions::of_owner(&app, &owner).await?;
    Ok(Json(ObjectionSummariesBody { objections: objections.iter().map(Into::into).collect() }))
}

/// A photo of a request.
#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectedPhotoBody {
    photo_id: String,
    filename: String,
    /// Whether the request holds for it: whether it is hidden, or the guest is not found in it.
    in_force: bool,
    /// Whether no guest finds it; also because of another guest's request.
    hidden: bool,
    /// A signed link to the preview, or to the original while there is none.
    url: String,
    /// A signed link to the thumbnail; null while that is not made.
    thumbnail_url: Option<String>,
    /// Pixels, upright.
    width: i64,
    /// Pixels, upright.
    height: i64,
}

/// A guest's request.
#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectionBody {
    #[serde(flatten)]
    summary: ObjectionSummaryBody,
    /// False once it is undone as a whole.
    in_force: bool,
    /// Those that are still there, oldest first.
    photos: Vec<ObjectedPhotoBody>,
}

async fn body_of(app: &App, request: Request) -> Result<ObjectionBody> {
    let mut photos = Vec::with_capacity(request.photos.len());
    for (photo, in_force) in request.photos {
        let links = app::photos::files::photo_links(app, &photo).await?;
        let Photo { id, original_filename, hidden, width, height, .. } = photo;
        photos.push(ObjectedPhotoBody {
            photo_id: id.to_string(),
            filename: original_filename,
            in_force,
            hidden,
            url: links.url,
            thumbnail_url: links.thumbnail_url,
            width,
            height,
        });
    }
    Ok(ObjectionBody { summary: (&request.objection).into(), in_force: request.is_in_force, photos })
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectionsBody {
    /// Newest first.
    objections: Vec<ObjectionBody>,
}

/// The requests of guests in one of the caller's events, with their photos.
#[utoipa::path(get, path = "/api/events/{event}/objections", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = ObjectionsBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn of_event(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<ObjectionsBody>> {
    let event: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let mut objections = Vec::new();
    for request in decisions::of_event(&app, &owner, event).await? {
        objections.push(body_of(&app, request).await?);
    }
    Ok(Json(ObjectionsBody { objections }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct DecisionBody {
    /// False undoes it; true hides photos again that were shown, or makes a request hold that waits.
    in_force: bool,
    /// Which photos are meant; all when left out. A request not to be found is undone as a whole. Of a request that waits the others
    /// are decided the other way.
    photo_ids: Option<Vec<String>>,
}

/// Decides about a guest's request. What is undone does not hold for the same faces when it is asked for again.
#[utoipa::path(put, path = "/api/objections/{id}", tag = "events", security(("bearer" = [])), request_body = DecisionBody,
    params(("id" = String, Path, description = "The request's id")),
    responses(
        (status = 200, body = ObjectionBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such request, another photographer's, or a photo that it is not about"),
        (status = 409, body = ErrorBody, description = "It was undone, and the template is deleted"),
        Unavailable,
    ))]
pub(crate) async fn decide(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(DecisionBody { in_force, photo_ids }): Json<DecisionBody>,
) -> Result<Json<ObjectionBody>> {
    let request = decisions::decide(&app, &owner, &id, photo_ids.as_deref(), in_force).await?;
    Ok(Json(body_of(&app, request).await?))
}

/// Records that the photographer has seen a guest's request, and with it those of the same event before it.
#[utoipa::path(put, path = "/api/objections/{id}/seen", tag = "events", security(("bearer" = [])),
    params(("id" = String, Path, description = "The request's id")),
    responses(
        (status = 204, description = "It is not new any more"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such request, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn see(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    decisions::see(&app, &owner, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
