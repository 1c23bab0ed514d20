//! Changing a password, and setting a new one by mail.

use app::App;
use app::accounts::{self, mail_requests, passwords};
use axum::extract::State;
use domain::accounts::RequestedMail;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::auth::{ResendBody, ResentBody};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, SignedIn};
use crate::operations::runtime::responses::{InvalidBody, RateLimited, Unauthenticated};

#[derive(Deserialize, ToSchema)]
pub(crate) struct ChangePasswordBody {
    #[serde(default)]
    #[schema(format = Password)]
    current_password: String,
    #[serde(default)]
    #[schema(min_length = 6, max_length = 128, format = Password)]
    new_password: String,
    /// Whether the account's API tokens and the logins of its cameras go on; they end when it is left out.
    #[serde(default)]
    keep_api_tokens: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MessageBody {
    /// A text for a person.
    message: String,
}

/// Sets a new password; every other session of the caller ends, and so does every API token and login of a camera unless they
/// are kept.
#[utoipa::path(post, path = "/api/auth/change-password", tag = "accounts", security(("bearer" = [])),
    request_body = ChangePasswordBody, responses(
        (status = 200, body = MessageBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The current password is wrong, or the new one is not good"),
        Unauthenticated,
    ))]
pub(crate) async fn change(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<ChangePasswordBody>,
) -> Result<Json<MessageBody>> {
    let change = passwords::Change {
        current: body.current_password,
        new: body.new_password,
        keeps_api_tokens: body.keep_api_tokens,
    };
    passwords::change(&app, &user, &token, change).await?;
    Ok(Json(MessageBody { message: String::from("Password changed successfully!") }))
}

/// Mails a link that sets a new password, if the address has an account.
#[utoipa::path(post, path = "/api/auth/forgot-password", tag = "accounts", request_body = ResendBody, responses(
    (status = 200, body = ResentBody),
    InvalidBody,
    RateLimited,
))]
pub(crate) async fn forgot(
    State(app): State<App>,
    client: ClientIp,
    Json(body): Json<ResendBody>,
) -> Result<Json<ResentBody>> {
    client.check_mail(&app, &body.email).await?;
    mail_requests::create(&app, RequestedMail::PasswordReset, &body.email).await?;
    Ok(Json(ResentBody { email_sent: true }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ResetPasswordBody {
    /// The token of a reset link.
    #[serde(default)]
    token: String,
    #[serde(default)]
    #[schema(min_length = 6, max_length = 128, format = Password)]
    password: String,
}

/// Sets the password of whoever was mailed the link, once; every session and API token ends.
#[utoipa::path(post, path = "/api/auth/reset-password", tag = "accounts", request_body = ResetPasswordBody, responses(
    (status = 200, body = MessageBody),
    InvalidBody,
))]
pub(crate) async fn reset(
    State(app): State<App>,
    client: ClientIp,
    Json(body): Json<ResetPasswordBody>,
) -> Result<Json<MessageBody>> {
    accounts::reset_password(&app, &body.token, body.password, client.address()).await?;
    Ok(Json(MessageBody { message: String::from("Password changed successfully! You can now log in.") }))
}
