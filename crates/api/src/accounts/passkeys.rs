//! The passkeys of the caller's account.

use app::App;
use app::accounts::passkeys::{self, Passkey};
use app::accounts::second_factors;
use app::accounts::webauthn::{Assertion, Attestation, Question};
use axum::extract::State;
use axum::http::StatusCode;
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, Path, SignedIn};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, RateLimited, Unauthenticated, done};

/// What to ask passkeys (`navigator.credentials.get`).
#[derive(Serialize, ToSchema)]
#[schema(as = PasskeyQuestion)]
pub(crate) struct QuestionBody {
    /// In base64url; good for five minutes and one answer.
    challenge: String,
    /// The name that the passkeys are bound to.
    rp_id: String,
    /// The credential ids of the account's passkeys, in base64url.
    credentials: Vec<String>,
}

impl From<Question> for QuestionBody {
    fn from(question: Question) -> Self {
        let Question { challenge, rp_id, credentials } = question;
        Self { challenge, rp_id, credentials }
    }
}

/// What a passkey has answered (`AuthenticatorAssertionResponse`), each part in base64url.
#[derive(Deserialize, ToSchema)]
#[schema(as = PasskeyAnswer)]
pub(crate) struct AssertionBody {
    /// The credential's id.
    #[serde(default)]
    id: String,
    #[serde(default)]
    client_data_json: String,
    #[serde(default)]
    authenticator_data: String,
    #[serde(default)]
    signature: String,
    /// Left out where the authenticator does not say so.
    #[serde(default)]
    user_handle: String,
}

impl From<AssertionBody> for Assertion {
    fn from(body: AssertionBody) -> Self {
        let AssertionBody { id, client_data_json, authenticator_data, signature, user_handle } = body;
        Self { id, client_data_json, authenticator_data, signature, user_handle }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PasskeyBody {
    id: String,
    name: String,
    /// RFC 3339.
    created_at: String,
    /// RFC 3339; null when it was never used.
    last_used_at: Option<String>,
}

impl From<Passkey> for PasskeyBody {
    fn from(passkey: Passkey) -> Self {
        Self {
            id: passkey.id.to_string(),
            name: passkey.name,
            created_at: passkey.created_at.to_rfc3339(),
            last_used_at: passkey.last_used_at.map(Timestamp::to_rfc3339),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PasskeysBody {
    /// Whether one can be added: the service's address has https, or is of the machine itself, and has a name.
    available: bool,
    passkeys: Vec<PasskeyBody>,
}

/// The passkeys of the caller's account, the newest first.
#[utoipa::path(get, path = "/api/auth/passkeys", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = PasskeysBody),
    Unauthenticated,
))]
pub(crate) async fn list_passkeys(
    State(app): State<App>,
    SignedIn(user): SignedIn,
) -> Result<Json<PasskeysBody>> {
    let passkeys = passkeys::list(&app, &user).await?.into_iter().map(PasskeyBody::from).collect();
    Ok(Json(PasskeysBody { available: passkeys::are_available(&app), passkeys }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordBody {
    /// The account's password.
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
}

/// What to make a passkey of (`navigator.credentials.create`).
#[derive(Serialize, ToSchema)]
pub(crate) struct NewPasskeyQuestion {
    /// In base64url; good for five minutes and one passkey.
    challenge: String,
    /// The name that it is bound to.
    rp_id: String,
    /// By which it knows the account, in base64url.
    user_handle: String,
    /// What it calls the account.
    user_name: String,
    /// The credential ids of the account's passkeys, in base64url, whose authenticators make no second one.
    excluded: Vec<String>,
}

/// Asks for a new passkey, which is none before it is confirmed.
#[utoipa::path(post, path = "/api/auth/passkeys", tag = "accounts", security(("bearer" = [])),
    request_body = PasswordBody, responses(
        (status = 200, body = NewPasskeyQuestion),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password is wrong"),
        Unauthenticated,
        (status = 409, body = ErrorBody, description = "The account has 10 already, or the service's address can have none"),
    ))]
pub(crate) async fn begin_passkey(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<PasswordBody>,
) -> Result<Json<NewPasskeyQuestion>> {
    let begun = passkeys::begin(&app, &user, &token, body.password).await?;
    Ok(Json(NewPasskeyQuestion {
        challenge: begun.challenge,
        rp_id: begun.rp_id,
        user_handle: begun.user_handle,
        user_name: user.email.to_string(),
        excluded: begun.excluded,
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPasskeyBody {
    #[serde(default)]
    #[schema(max_length = 100)]
    name: String,
    /// Of the `AuthenticatorAttestationResponse`, in base64url.
    #[serde(default)]
    client_data_json: String,
    /// The same.
    #[serde(default)]
    attestation_object: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct NewPasskeyAnswer {
    passkey: PasskeyBody,
    /// Ten codes, each of which takes the place of a second factor once; empty where the account had a second factor before. No
    /// other answer has them.
    recovery_codes: Vec<String>,
}

/// Adds a passkey: logins and administration ask for a second factor. A mail tells of it.
#[utoipa::path(post, path = "/api/auth/passkeys/confirm", tag = "accounts", security(("bearer" = [])),
    request_body = NewPasskeyBody, responses(
        (status = 201, body = NewPasskeyAnswer),
        InvalidBody,
        (status = 400, body = ErrorBody, description = "A bad name, or no answer to the question"),
        Unauthenticated,
        (status = 409, body = ErrorBody, description = "It was added before, or the account has 10 already"),
    ))]
pub(crate) async fn confirm_passkey(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<NewPasskeyBody>,
) -> Result<(StatusCode, Json<NewPasskeyAnswer>)> {
    let NewPasskeyBody { name, client_data_json, attestation_object } = body;
    let attestation = Attestation { client_data_json, attestation_object };
    let added = passkeys::confirm(&app, &user, &token, &name, &attestation).await?;
    let answer = NewPasskeyAnswer { passkey: added.passkey.into(), recovery_codes: added.recovery_codes };
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Removes a passkey. A mail tells of it.
#[utoipa::path(delete, path = "/api/auth/passkeys/{id}", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path)), request_body = PasswordBody, responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password is wrong"),
        Unauthenticated,
        (status = 404, body = ErrorBody, description = "The account has no such passkey"),
    ))]
pub(crate) async fn remove_passkey(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Path(id): Path<String>,
    Json(body): Json<PasswordBody>,
) -> Result<Json<DoneBody>> {
    passkeys::remove(&app, &user, &token, &id, body.password).await?;
    Ok(done())
}

/// What to ask the account's passkeys for a session that is to give its second factor again.
#[utoipa::path(post, path = "/api/auth/second-factor/passkey", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = QuestionBody),
    Unauthenticated,
    (status = 409, body = ErrorBody, description = "The account has no passkey, or the service's address can have none"),
))]
pub(crate) async fn ask_passkey(
    State(app): State<App>,
    SignedIn(user): SignedIn,
) -> Result<Json<QuestionBody>> {
    Ok(Json(second_factors::ask_passkey(&app, &user).await?.into()))
}
