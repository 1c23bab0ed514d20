//! Searches that guests' devices hold.

use app::App;
use app::faces::missed;
use app::faces::search::{self, Repeated};
use app::guests::kept_searches;
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use domain::faces::{REJECTED_FACES, Strictness};
use domain::{EventId, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::events::access::{ProofHeader, Visitor};
use crate::faces::{FaceBody, FoundBody, MatchBody};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, PhotographersOnly, PinRequired, RateLimited, Unavailable, done,
};

#[derive(Deserialize, ToSchema)]
pub(crate) struct RepeatedSearchBody {
    /// The `search_token` of an earlier search in this event, or the `key` that the device keeps.
    token: String,
    /// `strict`, `normal` or `loose`; that of the earlier search when left out.
    strictness: Option<String>,
    /// As in the search by selfie.
    #[serde(default)]
    not_me: Vec<String>,
    /// Whether this device has found photos in the event before: it is not counted as another guest who was helped.
    #[serde(default)]
    found_before: bool,
}

/// Repeats a search of one event without the pictures, by what an earlier one has answered.
#[utoipa::path(post, path = "/api/face/search/{slug}/again", tag = "faces", request_body = RepeatedSearchBody,
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 200, body = FoundBody),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event; or the token is unknown, expired or revoked"),
        Unavailable,
    ))]
pub(crate) async fn search_again(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Json(body): Json<RepeatedSearchBody>,
) -> Result<Json<FoundBody>> {
    let event = app::events::access::by_slug(&app, &visitor, &slug).await?;
    client.check_guest(&app, Limit::RepeatedSearches, event.id).await?;
    let parse = |text: String| Strictness::parse(text.trim()).ok_or(Refusal::StrictnessUnknown);
    // A page must not fail because a face is not there any more.
    let rejected = body.not_me.iter().filter_map(|id| id.trim().parse().ok());
    let repeated = Repeated {
        token: body.token,
        strictness: body.strictness.map(parse).transpose()?,
        rejected: rejected.take(REJECTED_FACES).collect(),
        found_before: body.found_before,
    };
    let again = search::again(&app, &event, &visitor, repeated);
    let found = search::within_deadline::<_, app::Failure>(&app, again).await?;
    Ok(Json(found.into()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct MissedPhotoBody {
    /// The `search_token` of an earlier search in this event, or the `key` that the device keeps.
    token: String,
    photo_id: String,
    /// Whether the guest has seen the face that an earlier call has answered, and it is theirs.
    #[serde(default)]
    confirmed: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MissedFaceBody {
    /// The face in the photo that is most like the guest's.
    face: FaceBody,
    /// The photo as a search would have answered it; null until it is confirmed.
    #[serde(rename = "match")]
    matched: Option<MatchBody>,
    /// Downloads the photo, as that of a search does; null until it is confirmed.
    download_token: Option<String>,
}

/// Looks for the guest's face in a photo that their search has not found, where guests may look at all photos. What the guest
/// confirms is a match, and counted for the photographer once.
#[utoipa::path(post, path = "/api/face/search/{slug}/missed", tag = "faces", request_body = MissedPhotoBody,
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 200, body = MissedFaceBody),
        InvalidBody,
        RateLimited,
        (status = 403, body = ErrorBody, description = "The event asks for a PIN, and the proof is missing or of an earlier one; \
            or its photographer shows guests the photos alone that they are in"),
        (status = 404, body = ErrorBody, description = "No such event or photo; or the token is unknown, expired or revoked"),
        (status = 422, body = ErrorBody, description = "No face in the photo is like the guest's"),
        Unavailable,
    ))]
pub(crate) async fn find_missed(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Json(MissedPhotoBody { token, photo_id, confirmed }): Json<MissedPhotoBody>,
) -> Result<Json<MissedFaceBody>> {
    let event = app::events::access::by_slug(&app, &visitor, &slug).await?;
    client.check_guest(&app, Limit::RepeatedSearches, event.id).await?;
    let missed = missed::find(&app, &visitor, &event, &photo_id, &token, confirmed);
    let missed = search::within_deadline::<_, app::Failure>(&app, missed).await?;
    let (matched, download_token) = missed.added.unzip();
    Ok(Json(MissedFaceBody {
        face: missed.face.into(),
        matched: matched.map(MatchBody::from),
        download_token: download_token.flatten(),
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct KeepSearchBody {
    /// The `search_token` of a search.
    token: String,
    /// The version of the notice that the guest has agreed to: a consent of its own, besides that of the search.
    #[serde(default)]
    notice_version: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct KeptSearchBody {
    /// What the device keeps. It is the description of a face, encrypted with a key of the event: it repeats the search until the event
    /// ends or its photographer revokes what all devices keep, and is no use for anything else. The service stores nothing of it.
    key: String,
}

/// Answers what the guest's device keeps to bring the photos back without another selfie.
#[utoipa::path(post, path = "/api/face/search/{slug}/keep", tag = "faces", request_body = KeepSearchBody,
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 200, body = KeptSearchBody),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event; or the token is unknown, expired or revoked"),
        Unavailable,
    ))]
pub(crate) async fn keep_search(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Json(KeepSearchBody { token, notice_version }): Json<KeepSearchBody>,
) -> Result<Json<KeptSearchBody>> {
    client.check_rate_limit(&app, Limit::Results).await?;
    let key = kept_searches::keep(&app, &visitor, &slug, &token, &notice_version).await?;
    Ok(Json(KeptSearchBody { key }))
}

/// Revokes what guests' devices keep of searches of an event: each needs another selfie then. Idempotent.
#[utoipa::path(delete, path = "/api/events/{event}/kept-searches", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller's"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
    ))]
pub(crate) async fn revoke_kept_searches(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    let event: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    kept_searches::revoke(&app, &caller, event).await?;
    Ok(done())
}
