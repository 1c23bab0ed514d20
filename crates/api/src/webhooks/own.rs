//! Endpoints of webhooks of the caller's account, which are told of what happens in the caller's own events (decision 0102). A session
//! alone looks after them, as after API tokens: what is added outlives it.

use app::App;
use app::webhooks::endpoints;
use app::webhooks::keepers::Keeper;
use axum::extract::State;
use axum::http::StatusCode;

use super::{
    WebhookBody, WebhookDeliveriesBody, WebhookDeliveriesQuery, WebhookDeliveryBody, WebhookRequest,
    WebhookSecretBody, WebhookSwitchRequest, WebhooksBody,
};
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, Path, PhotographerWithSession, Query};
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, PhotographersOnly, RateLimited, Unavailable, done,
};

/// The webhooks of the caller's account.
#[utoipa::path(get, path = "/api/auth/webhooks", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = WebhooksBody),
    PhotographersOnly,
    Unavailable,
))]
pub(crate) async fn list_own_webhooks(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<Json<WebhooksBody>> {
    Ok(Json(WebhooksBody::of(&app, Keeper::Photographer(&user)).await?))
}

/// Adds a webhook to the caller's account. Its address begins with https:// and is in the internet.
#[utoipa::path(post, path = "/api/auth/webhooks", tag = "accounts", security(("bearer" = [])),
    request_body = WebhookRequest,
    responses(
        (status = 201, body = WebhookSecretBody),
        InvalidBody,
        PhotographersOnly,
        (status = 409, body = ErrorBody, description = "The account has 5 already"),
        Unavailable,
    ))]
pub(crate) async fn add_own_webhook(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    BearerToken(token): BearerToken,
    Json(body): Json<WebhookRequest>,
) -> Result<(StatusCode, Json<WebhookSecretBody>)> {
    let revealed = endpoints::create(&app, Keeper::Photographer(&user), Some(&token), &body.into()).await?;
    Ok((StatusCode::CREATED, Json(WebhookSecretBody::new(&app, revealed))))
}

/// Changes a webhook of the caller's account. Messages that wait go to the new address.
#[utoipa::path(put, path = "/api/auth/webhooks/{id}", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    request_body = WebhookRequest,
    responses(
        (status = 200, body = WebhookBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "The caller has no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn change_own_webhook(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path(id): Path<String>,
    Json(body): Json<WebhookRequest>,
) -> Result<Json<WebhookBody>> {
    let shown = endpoints::change(&app, Keeper::Photographer(&user), &id, &body.into()).await?;
    Ok(Json(WebhookBody::of(&app, shown)))
}

/// Deletes a webhook of the caller's account and its messages.
#[utoipa::path(delete, path = "/api/auth/webhooks/{id}", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "The caller has no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn delete_own_webhook(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    endpoints::delete(&app, Keeper::Photographer(&user), &id).await?;
    Ok(done())
}

/// Switches a webhook of the caller's account on or off. What waits is given up when it is switched off, and what happens until it is
/// on again is not reported.
#[utoipa::path(put, path = "/api/auth/webhooks/{id}/switch", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    request_body = WebhookSwitchRequest,
    responses(
        (status = 200, body = WebhookBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "The caller has no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn switch_own_webhook(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    BearerToken(token): BearerToken,
    Path(id): Path<String>,
    Json(WebhookSwitchRequest { on }): Json<WebhookSwitchRequest>,
) -> Result<Json<WebhookBody>> {
    let shown = endpoints::switch(&app, Keeper::Photographer(&user), Some(&token), &id, on).await?;
    Ok(Json(WebhookBody::of(&app, shown)))
}

/// Makes a new secret for a webhook of the caller's account. The one before signs too for a day, so that the receiver can be changed
/// meanwhile.
#[utoipa::path(post, path = "/api/auth/webhooks/{id}/secret", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 200, body = WebhookSecretBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "The caller has no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn rotate_own_webhook_secret(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path(id): Path<String>,
) -> Result<Json<WebhookSecretBody>> {
    let revealed = endpoints::rotate(&app, Keeper::Photographer(&user), &id).await?;
    Ok(Json(WebhookSecretBody::new(&app, revealed)))
}

/// Sends a message that tries a webhook of the caller's account out, once, also to one that is switched off. The deliveries say what
/// came of it.
#[utoipa::path(post, path = "/api/auth/webhooks/{id}/test", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 202, body = WebhookDeliveryBody),
        PhotographersOnly,
        RateLimited,
        (status = 404, body = ErrorBody, description = "The caller has no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn test_own_webhook(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<WebhookDeliveryBody>)> {
    let delivery = endpoints::test(&app, Keeper::Photographer(&user), &id).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery.into())))
}

/// The messages to a webhook of the caller's account of the last 30 days.
#[utoipa::path(get, path = "/api/auth/webhooks/{id}/deliveries", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id"), WebhookDeliveriesQuery),
    responses(
        (status = 200, body = WebhookDeliveriesBody),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "The caller has no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn own_webhook_deliveries(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path(id): Path<String>,
    Query(query): Query<WebhookDeliveriesQuery>,
) -> Result<Json<WebhookDeliveriesBody>> {
    Ok(Json(WebhookDeliveriesBody::of(&app, Keeper::Photographer(&user), &id, &query).await?))
}
