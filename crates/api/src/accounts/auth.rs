//! Accounts: registering, verifying, logging in.

use app::App;
use app::accounts::email_changes::Progress;
use app::accounts::registrations::Registration;
use app::accounts::second_factors::{Asked, Given};
use app::accounts::{self, LoggedIn, mail_requests};
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use axum::http::header::USER_AGENT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::Refusal;
use domain::accounts::devices::Device;
use domain::accounts::{RequestedMail, User};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::accounts::languages;
use crate::accounts::passkeys::{AssertionBody, QuestionBody};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Holder, Json, Query, SignedIn};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, RateLimited, Unauthenticated, done};

/// An account as its owner sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct UserBody {
    id: String,
    name: String,
    /// The current address.
    email: String,
    /// An address that was asked for and is not in force yet.
    pending_email: Option<String>,
    /// Whether the pending address needs the agreement of the current one, by the link that was mailed there.
    pending_email_needs_agreement: bool,
    email_verified: bool,
    is_photographer: bool,
    /// Whether it may do what concerns the whole service; the first account may.
    is_admin: bool,
    /// Whether uploads of this account cost nothing.
    premium: bool,
    /// RFC 3339.
    created_at: String,
}

impl From<User> for UserBody {
    fn from(user: User) -> Self {
        Self {
            id: user.id.to_string(),
            name: user.name,
            email: user.email.to_string(),
            pending_email_needs_agreement: user.pending_email.is_some() && user.pending_needs_agreement,
            pending_email: user.pending_email.map(|email| email.to_string()),
            email_verified: user.email_verified_at.is_some(),
            is_photographer: user.is_photographer,
            is_admin: user.is_admin,
            premium: user.premium_since.is_some(),
            created_at: user.created_at.to_rfc3339(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RegisterBody {
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    #[serde(default)]
    #[schema(min_length = 6, max_length = 128, format = Password)]
    password: String,
    #[serde(default)]
    #[schema(max_length = 200)]
    name: String,
    /// Every account is a photographer's, whatever is sent.
    #[serde(default)]
    #[allow(dead_code, reason = "part of the contract, and decided by the server")]
    is_photographer: Option<bool>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct RegisteredBody {
    /// Whether the verification mail is on its way; false when its address was refused for good.
    email_sent: bool,
    user: UserBody,
}

/// Creates a photographer's account with its free credit. Its mails are in the language that `Accept-Language` prefers of those of
/// `/api/auth/language`.
#[utoipa::path(post, path = "/api/auth/register", tag = "accounts", request_body = RegisterBody,
    params(("Accept-Language" = Option<String>, Header, description = "The language of the page of the registration")), responses(
    (status = 200, body = RegisteredBody),
    InvalidBody,
    RateLimited,
    (status = 409, body = ErrorBody, description = "The address has an account"),
))]
pub(crate) async fn register(
    State(app): State<App>,
    client: ClientIp,
    headers: HeaderMap,
    Json(body): Json<RegisterBody>,
) -> Result<Json<RegisteredBody>> {
    let RegisterBody { email, password, name, is_photographer: _ } = body;
    // A mistyped form costs nothing.
    let language = languages::of_request(&headers);
    let account = Registration { name, email, password }.parse()?.written_to_in(language);
    client.check_rate_limit(&app, Limit::Registrations).await?;
    client.check_rate_limit(&app, Limit::Mails).await?;
    let registered = accounts::register(&app, account).await?;
    Ok(Json(RegisteredBody { email_sent: registered.email_sent, user: registered.user.into() }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct LoginBody {
    #[serde(default)]
    email: String,
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
    /// A code of the authenticator app, or a recovery code; only of an account with a second factor, whose login is refused with
    /// `second_factor_required` without it.
    #[serde(default)]
    code: String,
    /// What a passkey has answered to the challenge of such a refusal, in place of a code.
    #[serde(default)]
    passkey: Option<AssertionBody>,
}

/// What a login is asked for after the right password. A recovery code is taken in any case.
#[derive(Serialize, ToSchema)]
pub(crate) struct SecondFactorAsked {
    /// Whether a code of an authenticator app is taken.
    authenticator_app: bool,
    /// What to ask the account's passkeys; null where it has none, or the service's address can have none.
    passkey: Option<QuestionBody>,
}

/// The answer to a login that is refused. `second_factor` is there where the code is `second_factor_required`.
#[derive(Serialize, ToSchema)]
pub(crate) struct LoginRefusedBody {
    /// A text for a person.
    error: String,
    /// A stable identifier for programs.
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_factor: Option<SecondFactorAsked>,
}

pub(crate) fn ask_second_factor(asked: Asked) -> Response {
    let refusal = Refusal::SecondFactorRequired;
    let body = LoginRefusedBody {
        error: refusal.text().into_owned(),
        code: refusal.code().to_owned(),
        second_factor: Some(SecondFactorAsked {
            authenticator_app: asked.authenticator_app,
            passkey: asked.passkey.map(QuestionBody::from),
        }),
    };
    (StatusCode::FORBIDDEN, Json(body)).into_response()
}

#[derive(Serialize, ToSchema)]
pub(crate) struct LoggedInBody {
    /// The bearer token, good for 30 days without use unless the operator has set less, and for 90 days at most.
    pub(crate) token: String,
    pub(crate) user: UserBody,
}

/// What a request says of the device that it comes from.
pub(crate) fn device(headers: &HeaderMap) -> Device {
    let user_agent = headers.get(USER_AGENT).and_then(|header| header.to_str().ok()).unwrap_or_default();
    Device::from_user_agent(user_agent)
}

/// Opens a session.
#[utoipa::path(post, path = "/api/auth/login", tag = "accounts", request_body = LoginBody, responses(
    (status = 200, body = LoggedInBody),
    InvalidBody,
    RateLimited,
    (status = 401, body = ErrorBody, description = "Address or password is wrong"),
    (status = 403, body = LoginRefusedBody, description = "The address is not verified, the account is locked, or its second factor is asked for"),
))]
pub(crate) async fn log_in(
    State(app): State<App>,
    client: ClientIp,
    headers: HeaderMap,
    Json(body): Json<LoginBody>,
) -> Result<Response> {
    client.check_rate_limit(&app, Limit::Logins).await?;
    let (address, device) = (client.address(), device(&headers));
    let assertion = body.passkey.map(Into::into);
    let given = Given { code: &body.code, passkey: assertion.as_ref() };
    Ok(match accounts::log_in(&app, &body.email, body.password, given, address, device).await? {
        LoggedIn::Session(token, user) => {
            Json(LoggedInBody { token: token.reveal(), user: user.into() }).into_response()
        }
        LoggedIn::SecondFactor(asked) => ask_second_factor(asked),
    })
}

/// Ends the session it is called with.
#[utoipa::path(post, path = "/api/auth/logout", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = DoneBody),
    Unauthenticated,
))]
pub(crate) async fn log_out(
    State(app): State<App>,
    _caller: SignedIn,
    BearerToken(token): BearerToken,
) -> Result<Json<DoneBody>> {
    accounts::log_out(&app, &token).await?;
    Ok(done())
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MeBody {
    pub(crate) user: UserBody,
}

/// The caller's account.
#[utoipa::path(get, path = "/api/auth/me", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = MeBody),
    Unauthenticated,
))]
pub(crate) async fn me(Holder(user): Holder) -> Json<MeBody> {
    Json(MeBody { user: user.into() })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatusQuery {
    /// The token of a verification link.
    #[serde(default)]
    token: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct VerificationStatusBody {
    /// Whether the link's address is verified already.
    already_verified: bool,
}

/// Whether the address of a verification link is verified already.
#[utoipa::path(get, path = "/api/auth/check-verification-status", tag = "accounts", params(StatusQuery), responses(
    (status = 200, body = VerificationStatusBody),
    (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
))]
pub(crate) async fn check_verification_status(
    State(app): State<App>,
    Query(query): Query<StatusQuery>,
) -> Result<Json<VerificationStatusBody>> {
    let already_verified = accounts::is_verified(&app, &query.token).await?;
    Ok(Json(VerificationStatusBody { already_verified }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct VerifyBody {
    /// The token of a verification link.
    #[serde(default)]
    token: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct VerifiedBody {
    verified: bool,
    /// Whether the address is in force only once the account's current one agrees to it.
    needs_agreement: bool,
    message: String,
}

/// Verifies the address a link was mailed to; a used link answers the same again.
#[utoipa::path(post, path = "/api/auth/verify-email", tag = "accounts", request_body = VerifyBody, responses(
    (status = 200, body = VerifiedBody),
    InvalidBody,
    (status = 409, body = ErrorBody, description = "Another account verified the address first"),
))]
pub(crate) async fn verify_email(
    State(app): State<App>,
    Json(body): Json<VerifyBody>,
) -> Result<Json<VerifiedBody>> {
    let needs_agreement = accounts::verify_email(&app, &body.token).await? == Progress::Waiting;
    let message = String::from(if needs_agreement {
        "Your new email is confirmed. It takes effect once you agree to it by the link in the mail to your current email."
    } else {
        "Email verified successfully! You can now log in."
    });
    Ok(Json(VerifiedBody { verified: true, needs_agreement, message }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct ResendBody {
    #[serde(default)]
    pub(crate) email: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ResentBody {
    /// The same whether or not the address is registered.
    pub(crate) email_sent: bool,
}

/// Mails another verification link, if the address belongs to an account that needs one.
#[utoipa::path(post, path = "/api/auth/resend-verification", tag = "accounts", request_body = ResendBody, responses(
    (status = 200, body = ResentBody),
    InvalidBody,
    RateLimited,
))]
pub(crate) async fn resend_verification(
    State(app): State<App>,
    client: ClientIp,
    Json(body): Json<ResendBody>,
) -> Result<Json<ResentBody>> {
    client.check_mail(&app, &body.email).await?;
    mail_requests::create(&app, RequestedMail::Verification, &body.email).await?;
    Ok(Json(ResentBody { email_sent: true }))
}
