//! The second factor of the caller's account.

use app::App;
use app::accounts::second_factors::{self, Asks};
use axum::extract::State;
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, SignedIn};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, RateLimited, Unauthenticated, done};

/// What administration would ask this session for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AdministrationAsks)]
pub(crate) enum AsksBody {
    /// Nothing.
    Nothing,
    /// A code: none was given in this session within 12 hours.
    Code,
    /// A second factor has to be set up.
    SetUp,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SecondFactorBody {
    /// Since when logins ask for a code, RFC 3339; null while they do not.
    since: Option<String>,
    /// When a code was taken last, RFC 3339.
    last_used_at: Option<String>,
    /// How many recovery codes were not used yet.
    recovery_codes: i64,
    /// What administration would ask this session for; it says nothing of whether the account is an administrator's.
    administration: AsksBody,
}

/// The second factor of the caller's account.
#[utoipa::path(get, path = "/api/auth/second-factor", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = SecondFactorBody),
    Unauthenticated,
))]
pub(crate) async fn show_second_factor(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
) -> Result<Json<SecondFactorBody>> {
    let shown = second_factors::show(&app, &user, &token).await?;
    Ok(Json(SecondFactorBody {
        since: shown.since.map(Timestamp::to_rfc3339),
        last_used_at: shown.last_used_at.map(Timestamp::to_rfc3339),
        recovery_codes: shown.recovery_codes,
        administration: match shown.administration {
            Asks::Nothing => AsksBody::Nothing,
            Asks::Code => AsksBody::Code,
            Asks::SetUp => AsksBody::SetUp,
        },
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct BeginBody {
    /// The account's password.
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct BegunBody {
    /// In Base32, as it is typed into an authenticator app. No other answer has it.
    secret: String,
    /// The same as a URI, for a QR code.
    uri: String,
}

/// Makes a secret for an authenticator app. Nothing asks for its codes until one has confirmed it.
#[utoipa::path(post, path = "/api/auth/second-factor", tag = "accounts", security(("bearer" = [])),
    request_body = BeginBody, responses(
        (status = 200, body = BegunBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password is wrong"),
        (status = 409, body = ErrorBody, description = "There is a second factor already"),
        Unauthenticated,
    ))]
pub(crate) async fn begin_second_factor(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    Json(body): Json<BeginBody>,
) -> Result<Json<BegunBody>> {
    let begun = second_factors::begin(&app, &user, body.password).await?;
    Ok(Json(BegunBody { secret: begun.secret, uri: begun.uri }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct CodeBody {
    /// Six digits of the authenticator app.
    #[serde(default)]
    code: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct RecoveryCodesBody {
    /// Ten codes, each of which takes the place of one of the app once. No other answer has them.
    recovery_codes: Vec<String>,
}

/// Turns the second factor on: logins and administration ask for it. A mail tells of it.
#[utoipa::path(post, path = "/api/auth/second-factor/confirm", tag = "accounts", security(("bearer" = [])),
    request_body = CodeBody, responses(
        (status = 200, body = RecoveryCodesBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The code is wrong"),
        (status = 409, body = ErrorBody, description = "It is on already, or was not begun"),
        Unauthenticated,
    ))]
pub(crate) async fn confirm_second_factor(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<CodeBody>,
) -> Result<Json<RecoveryCodesBody>> {
    let recovery_codes = second_factors::confirm(&app, &user, &token, &body.code).await?;
    Ok(Json(RecoveryCodesBody { recovery_codes }))
}

/// Takes a code of the authenticator app, or a recovery code: administration is open to this session for 12 hours.
#[utoipa::path(post, path = "/api/auth/second-factor/check", tag = "accounts", security(("bearer" = [])),
    request_body = CodeBody, responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The code is wrong, or was used before"),
        (status = 409, body = ErrorBody, description = "There is no second factor"),
        Unauthenticated,
    ))]
pub(crate) async fn check_second_factor(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<CodeBody>,
) -> Result<Json<DoneBody>> {
    second_factors::prove(&app, &user, &token, &body.code).await?;
    Ok(done())
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RemovalBody {
    /// The account's password.
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
    /// A code of the authenticator app, or a recovery code.
    #[serde(default)]
    code: String,
}

/// Turns the second factor off. A mail tells of it.
#[utoipa::path(delete, path = "/api/auth/second-factor", tag = "accounts", security(("bearer" = [])),
    request_body = RemovalBody, responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password or the code is wrong"),
        (status = 409, body = ErrorBody, description = "There is no second factor"),
        Unauthenticated,
    ))]
pub(crate) async fn remove_second_factor(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    Json(body): Json<RemovalBody>,
) -> Result<Json<DoneBody>> {
    second_factors::remove(&app, &user, body.password, &body.code).await?;
    Ok(done())
}
