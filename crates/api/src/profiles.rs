//! Changing an account, and closing it.

use app::limits::Limit;
use app::{App, profiles};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::MeBody;
use crate::client_ip::ClientIp;
use crate::error::{ErrorBody, Result};
use crate::extract::{Json, SignedIn};
use crate::responses::{DoneBody, InvalidBody, RateLimited, Unauthenticated, done};

/// Either a name or an address.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ProfileBody {
    #[serde(default)]
    #[schema(max_length = 200)]
    name: Option<String>,
    /// Stays pending until the link mailed to it is followed.
    #[serde(default)]
    #[schema(max_length = 254)]
    email: Option<String>,
}

/// Changes the caller's name, or asks for another address.
#[utoipa::path(put, path = "/api/auth/update-profile", tag = "accounts", security(("bearer" = [])),
    request_body = ProfileBody, responses(
        (status = 200, body = MeBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "Both or neither, a bad value, or an address that has an account"),
        Unauthenticated,
    ))]
pub(crate) async fn update(
    State(app): State<App>,
    client: ClientIp,
    SignedIn(user): SignedIn,
    Json(body): Json<ProfileBody>,
) -> Result<Json<MeBody>> {
    if body.email.is_some() {
        // One to the new address, one to the old.
        client.check_rate_limit_times(&app, Limit::Mails, 2)?;
    }
    let change = profiles::Change { name: body.name, email: body.email };
    let user = profiles::change(&app, &user, change).await?;
    Ok(Json(MeBody { user: user.into() }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordBody {
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
}

/// Closes the caller's account: every event, photo and face goes.
#[utoipa::path(delete, path = "/api/auth/me", tag = "accounts", security(("bearer" = [])), request_body = PasswordBody,
    responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        (status = 400, body = ErrorBody, description = "The password is wrong; nothing is deleted"),
        Unauthenticated,
    ))]
pub(crate) async fn close(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    Json(body): Json<PasswordBody>,
) -> Result<Json<DoneBody>> {
    profiles::close(&app, &user, body.password).await?;
    Ok(done())
}
