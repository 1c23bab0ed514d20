//! Accounts, for administrators.

use app::App;
use app::operations::administration::Administration;
use app::operations::administration::accounts::{self, Page, Shown};
use app::operations::administration::credits::{self, Change};
use axum::extract::State;
use domain::accounts::User;
use domain::operations::administration::Reason;
use domain::{Refusal, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Administrator, Json, Path, Query};
use crate::operations::runtime::responses::{AdministratorsOnly, InvalidBody, Unavailable};

/// An open account as administrators see it.
#[derive(Serialize, ToSchema)]
pub struct AccountBody {
    id: String,
    email: String,
    name: String,
    /// Whether the address is.
    verified: bool,
    administrator: bool,
    premium: bool,
    /// Null while it is not.
    locked: Option<LockBody>,
    /// The balance, in rupees.
    credits: f64,
    events: i64,
    /// In events and in none.
    photos: i64,
    /// Of the originals of these.
    bytes: i64,
    #[schema(format = DateTime)]
    created_at: String,
    /// Null where it is not known.
    #[schema(format = DateTime)]
    last_login_at: Option<String>,
}

/// That an account is locked.
#[derive(Serialize, ToSchema)]
pub(crate) struct LockBody {
    #[schema(format = DateTime)]
    at: String,
    reason: String,
}

impl From<Shown> for AccountBody {
    fn from(Shown { account, events }: Shown) -> Self {
        let user = account.user;
        let reason = account.lock_reason.unwrap_or_default();
        Self {
            id: user.id.to_string(),
            email: user.email.to_string(),
            name: user.name,
            verified: user.email_verified_at.is_some(),
            administrator: user.is_admin,
            premium: user.premium_since.is_some(),
            locked: user.locked_at.map(|at| LockBody { at: at.to_rfc3339(), reason }),
            credits: user.credits.as_rupees(),
            events: events.events,
            photos: events.photos + account.library_photos,
            bytes: events.bytes + account.library_bytes,
            created_at: user.created_at.to_rfc3339(),
            last_login_at: account.last_login_at.map(|at| at.to_rfc3339()),
        }
    }
}

/// The account that something belongs to.
#[derive(Serialize, ToSchema)]
pub(crate) struct HolderBody {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) name: String,
}

impl From<User> for HolderBody {
    fn from(user: User) -> Self {
        Self { id: user.id.to_string(), email: user.email.to_string(), name: user.name }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AccountsQuery {
    /// A part of the address or the name, whatever its case; a whole address is found at once.
    #[param(max_length = 200)]
    query: Option<String>,
    /// Accounts a page, 50 when left out, at most 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct AccountPageBody {
    /// Newest first.
    accounts: Vec<AccountBody>,
    /// Null on the last page. With `query` one call looks at 5,000 accounts: a page may have fewer than the limit, or none,
    /// while others follow.
    next_cursor: Option<String>,
}

/// The open accounts, or those of them that are looked for.
#[utoipa::path(get, path = "/api/administration/accounts", tag = "administration", security(("bearer" = [])),
    params(AccountsQuery),
    responses(
        (status = 200, body = AccountPageBody),
        AdministratorsOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        Unavailable,
    ))]
pub(crate) async fn list_accounts(
    State(app): State<App>,
    Administrator(user): Administrator,
    Query(AccountsQuery { query, limit, cursor }): Query<AccountsQuery>,
) -> Result<Json<AccountPageBody>> {
    let query = accounts::Query { text: query, limit, cursor };
    let Page { accounts, next_cursor } = accounts::page(&Administration::of(&app, &user), query).await?;
    let accounts = accounts.into_iter().map(AccountBody::from).collect();
    Ok(Json(AccountPageBody { accounts, next_cursor }))
}

pub(super) fn account_id(text: &str) -> Result<UserId> {
    text.parse().map_err(|_| Refusal::AccountNotFound.into())
}

/// An open account.
#[utoipa::path(get, path = "/api/administration/accounts/{id}", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The account's id")),
    responses(
        (status = 200, body = AccountBody),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such account, or it is closed"),
        Unavailable,
    ))]
pub(crate) async fn one_account(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<Json<AccountBody>> {
    let account = accounts::by_id(&Administration::of(&app, &user), account_id(&id)?).await?;
    Ok(Json(account.into()))
}

/// Verifies the address of an account without a mail.
#[utoipa::path(post, path = "/api/administration/accounts/{id}/verify", tag = "administration",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The account's id")),
    responses(
        (status = 200, body = AccountBody, description = "It is verified, also when it was before"),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such account, or it is closed"),
        Unavailable,
    ))]
pub(crate) async fn verify_account(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<Json<AccountBody>> {
    let (administration, id) = (Administration::of(&app, &user), account_id(&id)?);
    accounts::verify(&administration, id).await?;
    Ok(Json(accounts::by_id(&administration, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct LockRequest {
    /// Why; administrators read it.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: String,
}

/// Locks an account: its sessions end, and nobody logs in to it. Guests reach its events as before.
#[utoipa::path(post, path = "/api/administration/accounts/{id}/lock", tag = "administration",
    security(("bearer" = [])), request_body = LockRequest,
    params(("id" = String, Path, description = "The account's id")),
    responses(
        (status = 200, body = AccountBody, description = "It is locked; if it was before, the reason is the new one"),
        InvalidBody,
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such account, or it is closed"),
        (status = 409, body = ErrorBody, description = "It is the caller's own, or the last administrator's"),
        Unavailable,
    ))]
pub(crate) async fn lock_account(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
    Json(LockRequest { reason }): Json<LockRequest>,
) -> Result<Json<AccountBody>> {
    let (administration, id) = (Administration::of(&app, &user), account_id(&id)?);
    accounts::lock(&administration, id, &Reason::parse(&reason)?).await?;
    Ok(Json(accounts::by_id(&administration, id).await?.into()))
}

/// Unlocks an account.
#[utoipa::path(post, path = "/api/administration/accounts/{id}/unlock", tag = "administration",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The account's id")),
    responses(
        (status = 200, body = AccountBody, description = "It is not locked"),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such account, or it is closed"),
        Unavailable,
    ))]
pub(crate) async fn unlock_account(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<Json<AccountBody>> {
    let (administration, id) = (Administration::of(&app, &user), account_id(&id)?);
    accounts::unlock(&administration, id).await?;
    Ok(Json(accounts::by_id(&administration, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct CreditsRequest {
    /// A UUID that the client makes for this change; the change happens once, however often it is asked for with it.
    #[serde(default)]
    key: String,
    /// How many credits are given, or taken where it is negative; at most two decimals.
    #[serde(default)]
    rupees: f64,
    /// Why; the photographer reads it in the history.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct CreditsChangedBody {
    account: AccountBody,
    /// Whether this key had done it before: nothing more has happened.
    repeated: bool,
}

/// Gives credits to an account, or takes them.
#[utoipa::path(post, path = "/api/administration/accounts/{id}/credits", tag = "administration",
    security(("bearer" = [])), request_body = CreditsRequest,
    params(("id" = String, Path, description = "The account's id")),
    responses(
        (status = 200, body = CreditsChangedBody),
        InvalidBody,
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such account, or it is closed"),
        (status = 409, body = ErrorBody, description = "It has fewer credits, or the key was another change's"),
        Unavailable,
    ))]
pub(crate) async fn change_credits(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
    Json(CreditsRequest { key, rupees, reason }): Json<CreditsRequest>,
) -> Result<Json<CreditsChangedBody>> {
    let (administration, id) = (Administration::of(&app, &user), account_id(&id)?);
    let change = Change { key: Some(key.parse()?), rupees, reason: Some(Reason::parse(&reason)?) };
    let repeated = credits::change(&administration, id, change).await?;
    let account = accounts::by_id(&administration, id).await?.into();
    Ok(Json(CreditsChangedBody { account, repeated }))
}
