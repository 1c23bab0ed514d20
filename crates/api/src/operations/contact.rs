//! The contact form.

use app::App;
use app::operations::contact::{self, Submission};
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::Json;
use crate::operations::runtime::responses::{InvalidBody, RateLimited};

#[derive(Deserialize, ToSchema)]
pub(crate) struct ContactBody {
    #[serde(default)]
    #[schema(max_length = 200)]
    name: String,
    /// Where an answer goes.
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    #[serde(default)]
    #[schema(max_length = 200)]
    subject: String,
    #[serde(default)]
    #[schema(max_length = 5000)]
    message: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ContactAnswerBody {
    /// Always true: a failure answers an error.
    success: bool,
    message: String,
}

/// Stores a message and mails it to support.
#[utoipa::path(post, path = "/api/contact/submit", tag = "contact", request_body = ContactBody, responses(
    (status = 200, body = ContactAnswerBody),
    InvalidBody,
    RateLimited,
))]
pub(crate) async fn submit(
    State(app): State<App>,
    client: ClientIp,
    Json(body): Json<ContactBody>,
) -> Result<Json<ContactAnswerBody>> {
    client.check_rate_limit(&app, Limit::Mails).await?;
    let ContactBody { name, email, subject, message } = body;
    contact::submit(&app, Submission { name, email, subject, message }).await?;
    let message = String::from("Thank you for your message! We will get back to you soon.");
    Ok(Json(ContactAnswerBody { success: true, message }))
}
