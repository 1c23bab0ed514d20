//! Endpoints of webhooks: those of the installation, for administrators, and in `own` those of photographers.

pub(crate) mod own;

use app::App;
use app::webhooks::endpoints::{self, Entered, Page, Revealed, Shown};
use app::webhooks::keepers::Keeper;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Timestamp;
use domain::webhooks::{Attempt, Delivery, Endpoint};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Administrator, Json, Path, Query};
use crate::operations::runtime::responses::{AdministratorsOnly, DoneBody, InvalidBody, Unavailable, done};

/// Since when and why a webhook is switched off.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookDisabledBody {
    #[schema(format = DateTime)]
    at: String,
    /// `administrator` or `photographer`, who has switched it off; `failures` when it failed for days; `gone` when it answered 410.
    by: &'static str,
}

/// An attempt at a message.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookAttemptBody {
    #[schema(format = DateTime)]
    at: String,
    /// How long it took, in milliseconds.
    duration_ms: i64,
    /// The status of the answer; null without one.
    status: Option<i64>,
    /// The beginning of the answer in one line, or why there was none.
    answer: String,
}

impl From<Attempt> for WebhookAttemptBody {
    fn from(Attempt { at, took_ms, status, answer }: Attempt) -> Self {
        Self { at: at.to_rfc3339(), duration_ms: took_ms, status, answer }
    }
}

/// A message to a webhook.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookDeliveryBody {
    id: String,
    /// The header `webhook-id` of each of its attempts.
    message_id: String,
    event_type: &'static str,
    /// The body, byte for byte as it is sent.
    payload: String,
    /// `waiting`, `delivered`, `failed`, or `dropped` when its webhook was switched off meanwhile.
    state: &'static str,
    /// How often it was tried.
    attempts: i64,
    #[schema(format = DateTime)]
    created_at: String,
    /// Null when it is not tried any more.
    #[schema(format = DateTime)]
    next_attempt_at: Option<String>,
    /// Null before the first attempt.
    last_attempt: Option<WebhookAttemptBody>,
}

impl From<Delivery> for WebhookDeliveryBody {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            message_id: delivery.message_id(),
            event_type: delivery.event_type.as_str(),
            payload: delivery.payload,
            state: delivery.state.as_str(),
            attempts: delivery.attempts,
            created_at: delivery.created_at.to_rfc3339(),
            next_attempt_at: delivery.next_attempt_at.map(Timestamp::to_rfc3339),
            last_attempt: delivery.last.map(WebhookAttemptBody::from),
        }
    }
}

/// A webhook, without its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookBody {
    id: String,
    url: String,
    description: String,
    event_types: Vec<String>,
    /// Null while it is switched on.
    disabled: Option<WebhookDisabledBody>,
    /// Since when no message has come through; null when the last one did.
    #[schema(format = DateTime)]
    failing_since: Option<String>,
    /// Until when the secret before signs too; null when there is none.
    #[schema(format = DateTime)]
    former_secret_until: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    /// The newest message; null when there is none.
    newest: Option<WebhookDeliveryBody>,
}

impl WebhookBody {
    fn new(endpoint: Endpoint, newest: Option<Delivery>, now: Timestamp) -> Self {
        let until = endpoint.former_secret.as_ref().map(|(_, until)| *until).filter(|until| now < *until);
        let disabled = endpoint.disabled;
        Self {
            id: endpoint.id.to_string(),
            url: endpoint.url,
            description: endpoint.description,
            event_types: endpoint.event_types.names().into_iter().map(str::to_owned).collect(),
            disabled: disabled.map(|disabled| WebhookDisabledBody {
                at: disabled.at.to_rfc3339(),
                by: disabled.by.as_str(),
            }),
            failing_since: endpoint.failing_since.map(Timestamp::to_rfc3339),
            former_secret_until: until.map(Timestamp::to_rfc3339),
            created_at: endpoint.created_at.to_rfc3339(),
            newest: newest.map(WebhookDeliveryBody::from),
        }
    }

    fn of(app: &App, Shown { endpoint, newest }: Shown) -> Self {
        Self::new(endpoint, newest, app.now())
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WebhooksBody {
    /// Oldest first.
    webhooks: Vec<WebhookBody>,
    /// What a webhook can be told of.
    event_types: Vec<&'static str>,
}

impl WebhooksBody {
    async fn of(app: &App, keeper: Keeper<'_>) -> Result<Self> {
        let webhooks = endpoints::list(app, keeper).await?;
        Ok(Self {
            webhooks: webhooks.into_iter().map(|shown| WebhookBody::of(app, shown)).collect(),
            event_types: keeper.choices().iter().map(|each| each.as_str()).collect(),
        })
    }
}

/// The webhooks of this service.
#[utoipa::path(get, path = "/api/administration/webhooks", tag = "administration", security(("bearer" = [])), responses(
    (status = 200, body = WebhooksBody),
    AdministratorsOnly,
    Unavailable,
))]
pub(crate) async fn list_webhooks(
    State(app): State<App>,
    Administrator(user): Administrator,
) -> Result<Json<WebhooksBody>> {
    Ok(Json(WebhooksBody::of(&app, Keeper::Administrator(&user)).await?))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct WebhookRequest {
    /// Begins with https://; an administrator's with http:// too where the service is tried out on this machine, or to private
    /// networks that an operator has allowed.
    #[serde(default)]
    #[schema(max_length = 500)]
    url: String,
    /// What it is for.
    #[serde(default)]
    #[schema(max_length = 200)]
    description: String,
    /// One or more of those that the list of webhooks has.
    #[serde(default)]
    event_types: Vec<String>,
}

impl From<WebhookRequest> for Entered {
    fn from(WebhookRequest { url, description, event_types }: WebhookRequest) -> Self {
        Self { url, description, event_types }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookSecretBody {
    #[serde(flatten)]
    webhook: WebhookBody,
    /// What its messages are signed with: `whsec_` and base64. No other answer has it.
    secret: String,
}

impl WebhookSecretBody {
    fn new(app: &App, Revealed { endpoint, secret }: Revealed) -> Self {
        Self { webhook: WebhookBody::new(endpoint, None, app.now()), secret }
    }
}

/// Adds a webhook.
#[utoipa::path(post, path = "/api/administration/webhooks", tag = "administration", security(("bearer" = [])),
    request_body = WebhookRequest,
    responses(
        (status = 201, body = WebhookSecretBody),
        InvalidBody,
        AdministratorsOnly,
        (status = 409, body = ErrorBody, description = "There are 20 already"),
        Unavailable,
    ))]
pub(crate) async fn add_webhook(
    State(app): State<App>,
    Administrator(user): Administrator,
    Json(body): Json<WebhookRequest>,
) -> Result<(StatusCode, Json<WebhookSecretBody>)> {
    let revealed = endpoints::create(&app, Keeper::Administrator(&user), None, &body.into()).await?;
    Ok((StatusCode::CREATED, Json(WebhookSecretBody::new(&app, revealed))))
}

/// Changes a webhook.
#[utoipa::path(put, path = "/api/administration/webhooks/{id}", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    request_body = WebhookRequest,
    responses(
        (status = 200, body = WebhookBody),
        InvalidBody,
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn change_webhook(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
    Json(body): Json<WebhookRequest>,
) -> Result<Json<WebhookBody>> {
    let shown = endpoints::change(&app, Keeper::Administrator(&user), &id, &body.into()).await?;
    Ok(Json(WebhookBody::of(&app, shown)))
}

/// Deletes a webhook and its messages.
#[utoipa::path(delete, path = "/api/administration/webhooks/{id}", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 200, body = DoneBody),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn delete_webhook(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    endpoints::delete(&app, Keeper::Administrator(&user), &id).await?;
    Ok(done())
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct WebhookSwitchRequest {
    /// Whether it is to be on.
    on: bool,
}

/// Switches a webhook on or off. What waits is given up when it is switched off, and what happens until it is on again is not
/// reported.
#[utoipa::path(put, path = "/api/administration/webhooks/{id}/switch", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    request_body = WebhookSwitchRequest,
    responses(
        (status = 200, body = WebhookBody),
        InvalidBody,
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn switch_webhook(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
    Json(WebhookSwitchRequest { on }): Json<WebhookSwitchRequest>,
) -> Result<Json<WebhookBody>> {
    let shown = endpoints::switch(&app, Keeper::Administrator(&user), None, &id, on).await?;
    Ok(Json(WebhookBody::of(&app, shown)))
}

/// Makes a new secret. The one before signs too for a day, so that the receiver can be changed meanwhile.
#[utoipa::path(post, path = "/api/administration/webhooks/{id}/secret", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 200, body = WebhookSecretBody),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn rotate_webhook_secret(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<Json<WebhookSecretBody>> {
    let revealed = endpoints::rotate(&app, Keeper::Administrator(&user), &id).await?;
    Ok(Json(WebhookSecretBody::new(&app, revealed)))
}

/// Sends a message that tries a webhook out, once, also to one that is switched off. The deliveries say what came of it.
#[utoipa::path(post, path = "/api/administration/webhooks/{id}/test", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id")),
    responses(
        (status = 202, body = WebhookDeliveryBody),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn test_webhook(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<WebhookDeliveryBody>)> {
    let delivery = endpoints::test(&app, Keeper::Administrator(&user), &id).await?;
    Ok((StatusCode::ACCEPTED, Json(delivery.into())))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WebhookDeliveriesQuery {
    /// Messages a page, 20 when left out, at most 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookDeliveriesBody {
    /// Newest first.
    deliveries: Vec<WebhookDeliveryBody>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

impl WebhookDeliveriesBody {
    async fn of(app: &App, keeper: Keeper<'_>, id: &str, query: &WebhookDeliveriesQuery) -> Result<Self> {
        let WebhookDeliveriesQuery { limit, cursor } = query;
        let Page { deliveries, next_cursor } =
            endpoints::deliveries(app, keeper, id, *limit, cursor.as_deref()).await?;
        Ok(Self { deliveries: deliveries.into_iter().map(WebhookDeliveryBody::from).collect(), next_cursor })
    }
}

/// The messages to a webhook of the last 30 days.
#[utoipa::path(get, path = "/api/administration/webhooks/{id}/deliveries", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The webhook's id"), WebhookDeliveriesQuery),
    responses(
        (status = 200, body = WebhookDeliveriesBody),
        AdministratorsOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "There is no such webhook"),
        Unavailable,
    ))]
pub(crate) async fn webhook_deliveries(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
    Query(query): Query<WebhookDeliveriesQuery>,
) -> Result<Json<WebhookDeliveriesBody>> {
    Ok(Json(WebhookDeliveriesBody::of(&app, Keeper::Administrator(&user), &id, &query).await?))
}
