//! Changing an account, and closing it.

use app::App;
use app::accounts::email_changes::{self, Progress};
use app::accounts::profiles;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::auth::MeBody;
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, SignedIn};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, RateLimited, Unauthenticated, done};

/// Either a name or an address.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ProfileBody {
    #[serde(default)]
    #[schema(max_length = 200)]
    name: Option<String>,
    /// Stays pending until the link mailed to it is followed, and the one mailed to the current address too unless the
    /// password comes along.
    #[serde(default)]
    #[schema(max_length = 254)]
    email: Option<String>,
    /// The password, with which a new address needs no agreement of the current one.
    #[serde(default)]
    #[schema(format = Password)]
    current_password: Option<String>,
}

/// Changes the caller's name, or asks for another address.
#[utoipa::path(put, path = "/api/auth/update-profile", tag = "accounts", security(("bearer" = [])),
    request_body = ProfileBody, responses(
        (status = 200, body = MeBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "Both or neither, a bad value, a wrong password, or an address that has an account"),
        Unauthenticated,
    ))]
pub(crate) async fn update(
    State(app): State<App>,
    client: ClientIp,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<ProfileBody>,
) -> Result<Json<MeBody>> {
    if let Some(email) = &body.email {
        client.check_email_change(&app, user.id, email).await?;
    }
    let ProfileBody { name, email, current_password } = body;
    let change = profiles::Change { name, email, current_password };
    let user = profiles::change(&app, &user, &token, change).await?;
    Ok(Json(MeBody { user: user.into() }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AgreeBody {
    /// The token of a link that was mailed to the current address.
    #[serde(default)]
    token: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct AgreedBody {
    success: bool,
    /// Whether the new address is in force; false while it has not confirmed by its own link.
    in_force: bool,
}

/// Agrees to another address, for the current one; again and again with the same answer.
#[utoipa::path(post, path = "/api/auth/agree-email-change", tag = "accounts", request_body = AgreeBody, responses(
    (status = 200, body = AgreedBody),
    InvalidBody,
    (status = 409, body = ErrorBody, description = "The new address has become another account's"),
))]
pub(crate) async fn agree_email_change(
    State(app): State<App>,
    Json(body): Json<AgreeBody>,
) -> Result<Json<AgreedBody>> {
    let progress = email_changes::agree(&app, &body.token).await?;
    Ok(Json(AgreedBody { success: true, in_force: progress != Progress::Waiting }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RevokeBody {
    /// The token of a link that was mailed to the old address.
    #[serde(default)]
    token: String,
}

/// Takes a change of address back: the address that the link was mailed to is in force, every session ends, and the
/// password has to be set anew by a link that is mailed.
#[utoipa::path(post, path = "/api/auth/revoke-email-change", tag = "accounts", request_body = RevokeBody, responses(
    (status = 200, body = DoneBody),
    InvalidBody,
    (status = 409, body = ErrorBody, description = "The address has become another account's"),
))]
pub(crate) async fn revoke_email_change(
    State(app): State<App>,
    Json(body): Json<RevokeBody>,
) -> Result<Json<DoneBody>> {
    email_changes::revoke(&app, &body.token).await?;
    Ok(done())
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordBody {
    #[serde(default)]
    #[schema(format = Password)]
    pub(crate) password: String,
}

/// Closes the caller's account: every event, photo and face goes.
#[utoipa::path(delete, path = "/api/auth/me", tag = "accounts", security(("bearer" = [])), request_body = PasswordBody,
    responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password is wrong; nothing is deleted"),
        (status = 409, body = ErrorBody, description = "There are other accounts, and no other administrator; nothing is deleted"),
        Unauthenticated,
    ))]
pub(crate) async fn close(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<PasswordBody>,
) -> Result<Json<DoneBody>> {
    profiles::close(&app, &user, &token, body.password).await?;
    Ok(done())
}
