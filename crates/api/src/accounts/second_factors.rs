//! The second factors of the caller's account.

use app::App;
use app::accounts::second_factors::{self, Asks, Given};
use axum::extract::State;
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::passkeys::AssertionBody;
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
    /// The second factor: none was given in this session within 12 hours.
    Code,
    /// A second factor has to be set up.
    SetUp,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SecondFactorBody {
    /// Since when logins take a code of an authenticator app, RFC 3339; null while there is none.
    since: Option<String>,
    /// When a code was taken last, RFC 3339.
    last_used_at: Option<String>,
    /// How many passkeys there are. Logins ask for a second factor where there is one, or an authenticator app.
    passkeys: i64,
    /// Whether a passkey can be added: the service's address has https, or is of the machine itself, and has a name.
    passkeys_available: bool,
    /// How many recovery codes were not used yet.
    recovery_codes: i64,
    /// What administration would ask this session for; it says nothing of whether the account is an administrator's.
    administration: AsksBody,
}

/// The second factors of the caller's account.
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
        passkeys: shown.passkeys,
        passkeys_available: shown.passkeys_available,
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
    BearerToken(token): BearerToken,
    Json(body): Json<BeginBody>,
) -> Result<Json<BegunBody>> {
    let begun = second_factors::begin(&app, &user, &token, body.password).await?;
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
    /// Ten codes, each of which takes the place of a second factor once; empty where the account had passkeys before. No other answer
    /// has them.
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

#[derive(Deserialize, ToSchema)]
pub(crate) struct CheckBody {
    /// A code of the authenticator app, or a recovery code.
    #[serde(default)]
    code: String,
    /// What a passkey has answered, in place of a code.
    #[serde(default)]
    passkey: Option<AssertionBody>,
}

/// Takes a second factor: administration is open to this session for 12 hours.
#[utoipa::path(post, path = "/api/auth/second-factor/check", tag = "accounts", security(("bearer" = [])),
    request_body = CheckBody, responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The code is wrong, or was used before, or the passkey is not accepted"),
        (status = 409, body = ErrorBody, description = "There is no second factor"),
        Unauthenticated,
    ))]
pub(crate) async fn check_second_factor(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<CheckBody>,
) -> Result<Json<DoneBody>> {
    let assertion = body.passkey.map(Into::into);
    let given = Given { code: &body.code, passkey: assertion.as_ref() };
    second_factors::prove(&app, &user, &token, given).await?;
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

/// Removes the authenticator app; without passkeys logins ask for the password alone then. A mail tells of it.
#[utoipa::path(delete, path = "/api/auth/second-factor", tag = "accounts", security(("bearer" = [])),
    request_body = RemovalBody, responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password or the code is wrong"),
        (status = 409, body = ErrorBody, description = "There is no authenticator app"),
        Unauthenticated,
    ))]
pub(crate) async fn remove_second_factor(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<RemovalBody>,
) -> Result<Json<DoneBody>> {
    second_factors::remove(&app, &user, &token, body.password, &body.code).await?;
    Ok(done())
}
