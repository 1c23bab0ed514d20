//! The API tokens of the caller's account.

use app::App;
use app::accounts::api_tokens::{self, ApiToken};
use axum::extract::State;
use axum::http::StatusCode;
use domain::Timestamp;
use domain::accounts::api_tokens::{Lifetime, Scope};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, Path, SignedIn};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, RateLimited, Unauthenticated, done};

/// What a token opens.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ApiTokenScope)]
pub(crate) enum ScopeBody {
    /// The calls that an upload needs.
    Upload,
    /// What its photographer can do, but for what asks for a login.
    All,
}

/// A token, without its text.
#[derive(Serialize, ToSchema)]
pub(crate) struct ApiTokenBody {
    id: String,
    name: String,
    scope: ScopeBody,
    /// RFC 3339.
    created_at: String,
    /// RFC 3339; null when it is good until it is revoked.
    expires_at: Option<String>,
    /// RFC 3339, to a minute; null when it was never used.
    last_used_at: Option<String>,
}

impl From<ApiToken> for ApiTokenBody {
    fn from(token: ApiToken) -> Self {
        Self {
            id: token.id.to_string(),
            name: token.name,
            scope: match token.scope {
                Scope::Upload => ScopeBody::Upload,
                Scope::All => ScopeBody::All,
            },
            created_at: token.created_at.to_rfc3339(),
            expires_at: token.expires_at.map(Timestamp::to_rfc3339),
            last_used_at: token.last_used_at.map(Timestamp::to_rfc3339),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ApiTokensBody {
    api_tokens: Vec<ApiTokenBody>,
}

/// The API tokens of the caller's account, the newest first, with those that have expired.
#[utoipa::path(get, path = "/api/auth/tokens", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = ApiTokensBody),
    Unauthenticated,
))]
pub(crate) async fn list_api_tokens(
    State(app): State<App>,
    SignedIn(user): SignedIn,
) -> Result<Json<ApiTokensBody>> {
    let tokens = api_tokens::list(&app, &user).await?;
    Ok(Json(ApiTokensBody { api_tokens: tokens.into_iter().map(ApiTokenBody::from).collect() }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewApiTokenBody {
    #[serde(default)]
    #[schema(max_length = 100)]
    name: String,
    /// `upload` or `all`.
    #[serde(default)]
    scope: String,
    /// For how many days it is good; left out, for a year, and null, until it is revoked.
    #[serde(default, deserialize_with = "lifetime")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 3650)]
    lifetime_days: Lifetime,
    /// The account's password.
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
}

/// Tells null from what is left out.
pub(crate) fn lifetime<'de, D: Deserializer<'de>>(value: D) -> std::result::Result<Lifetime, D::Error> {
    Ok(Option::deserialize(value)?.map_or(Lifetime::Endless, Lifetime::Days))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct NewApiTokenAnswer {
    #[serde(flatten)]
    api_token: ApiTokenBody,
    /// Its text, which no other answer has. It begins with `afterglow_` and is sent as `Authorization: Bearer`.
    token: String,
}

/// Makes an API token. Its owner is told by mail.
#[utoipa::path(post, path = "/api/auth/tokens", tag = "accounts", security(("bearer" = [])),
    request_body = NewApiTokenBody, responses(
        (status = 201, body = NewApiTokenAnswer),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "A bad value, or the password is wrong"),
        Unauthenticated,
        (status = 409, body = ErrorBody, description = "The account has 50 already"),
    ))]
pub(crate) async fn create_api_token(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(session): BearerToken,
    Json(body): Json<NewApiTokenBody>,
) -> Result<(StatusCode, Json<NewApiTokenAnswer>)> {
    let NewApiTokenBody { name, scope, lifetime_days, password } = body;
    let wanted = api_tokens::Wanted { name, scope, lifetime: lifetime_days, password };
    let created = api_tokens::create(&app, &user, &session, wanted).await?;
    let answer = NewApiTokenAnswer { api_token: created.token.into(), token: created.text };
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Revokes an API token; it opens nothing from then on.
#[utoipa::path(delete, path = "/api/auth/tokens/{id}", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path)), responses(
        (status = 200, body = DoneBody),
        Unauthenticated,
        (status = 404, body = ErrorBody, description = "The account has no such token"),
    ))]
pub(crate) async fn revoke_api_token(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    api_tokens::revoke(&app, &user, &id).await?;
    Ok(done())
}
