//! Guests who ask to be told of new photos.

use app::App;
use app::guests::subscriptions;
use app::guests::subscriptions::requests::{self, NewSubscription};
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use axum::http::StatusCode;
use domain::guests::subscriptions::ToldGuests;
use domain::{EventId, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, PhotographersOnly, PinRequired, RateLimited, Unavailable, done,
};

#[derive(Deserialize, ToSchema)]
pub(crate) struct SubscribeBody {
    /// The `subscription_token` of a search.
    token: String,
    /// Where the mails go.
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    /// The version of the notice that the guest has agreed to: a consent of its own, besides that of the search. Without it
    /// nothing is stored.
    #[serde(default)]
    notice_version: String,
    /// The language of the mails (BCP 47); English when it is left out, or there are no texts in it.
    #[serde(default)]
    language: String,
}

/// Asks to be told of new photos of the person who was searched for. A link is mailed that confirms it within 24 hours; until
/// then nothing is told. The answer does not tell what is known of the address.
#[utoipa::path(post, path = "/api/face/subscriptions", tag = "faces", request_body = SubscribeBody, params(ProofHeader),
    responses(
        (status = 202, body = DoneBody, description = "A link is mailed"),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or the event is gone"),
        (status = 409, body = ErrorBody, description = "The event does not tell guests of new photos"),
        Unavailable,
    ))]
pub(crate) async fn subscribe(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Json(body): Json<SubscribeBody>,
) -> Result<(StatusCode, Json<DoneBody>)> {
    client.check_mail(&app, &body.email).await?;
    let SubscribeBody { token, email, notice_version, language } = body;
    requests::subscribe(&app, &visitor, NewSubscription { token, email, notice_version, language }).await?;
    Ok((StatusCode::ACCEPTED, done()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ConfirmBody {
    /// The token of the mailed link. In the body, since addresses are logged, and in no GET, since mail programs follow links.
    token: String,
}

/// Confirms the address of a subscription, which takes the place of an earlier one of this address in the event. Idempotent.
#[utoipa::path(post, path = "/api/face/subscriptions/confirm", tag = "faces", request_body = ConfirmBody,
    responses((status = 200, body = DoneBody), InvalidBody, RateLimited, Unavailable))]
pub(crate) async fn confirm(
    State(app): State<App>,
    client: ClientIp,
    Json(ConfirmBody { token }): Json<ConfirmBody>,
) -> Result<Json<DoneBody>> {
    client.check_rate_limit(&app, Limit::Results).await?;
    requests::confirm(&app, &token).await?;
    Ok(done())
}

/// Ends a subscription and deletes what was stored of the face. Idempotent; a body is not read, so that the buttons of mail
/// programs work (RFC 8058).
#[utoipa::path(post, path = "/api/face/unsubscribe/{token}", tag = "faces",
    params(("token" = String, Path, description = "The token of the mailed link")),
    responses(
        (status = 200, body = DoneBody),
        (status = 400, body = ErrorBody, description = "There was no such link"),
        RateLimited,
        Unavailable,
    ))]
pub(crate) async fn unsubscribe(
    State(app): State<App>,
    client: ClientIp,
    Path(token): Path<String>,
) -> Result<Json<DoneBody>> {
    client.check_rate_limit(&app, Limit::Results).await?;
    requests::unsubscribe(&app, &token).await?;
    Ok(done())
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ToldGuestsBody {
    /// Guests who asked to be told of new photos, and confirmed their address.
    total: i64,
    /// Those of them to whom no mail about photos has gone yet.
    waiting: i64,
}

/// How many guests of one of the caller's events are told of new photos. Who they are is told to nobody.
#[utoipa::path(get, path = "/api/events/{event}/subscriptions", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = ToldGuestsBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn told_guests(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
) -> Result<Json<ToldGuestsBody>> {
    let event: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let ToldGuests { total, waiting } = subscriptions::count(&app, &caller, event).await?;
    Ok(Json(ToldGuestsBody { total, waiting }))
}
