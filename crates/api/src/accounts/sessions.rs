//! The sessions of the caller's account.

use app::App;
use app::accounts::sessions;
use axum::extract::State;
use domain::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, Path, SignedIn};
use crate::operations::runtime::responses::{DoneBody, Unauthenticated, done};

/// A session.
#[derive(Serialize, ToSchema)]
pub(crate) struct SessionBody {
    /// The name by which it is ended; not its token.
    id: String,
    /// Such as `Chrome`; null where it is not known.
    browser: Option<String>,
    /// Such as `Windows` or `iPhone`; null where it is not known.
    system: Option<String>,
    /// RFC 3339.
    created_at: String,
    /// RFC 3339, to some minutes.
    last_used_at: String,
    /// When the second factor was given in it, RFC 3339; null while it was not.
    second_factor_at: Option<String>,
    /// Whether it is the one that asks.
    current: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SessionsBody {
    sessions: Vec<SessionBody>,
}

/// The sessions of the caller's account, the last used first.
#[utoipa::path(get, path = "/api/auth/sessions", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = SessionsBody),
    Unauthenticated,
))]
pub(crate) async fn list_sessions(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
) -> Result<Json<SessionsBody>> {
    let listed = sessions::list(&app, &user, &token).await?.into_iter();
    let sessions = listed.map(|listed| SessionBody {
        id: listed.id,
        browser: listed.session.device.browser,
        system: listed.session.device.system,
        created_at: listed.session.created_at.to_rfc3339(),
        last_used_at: listed.session.last_used_at.to_rfc3339(),
        second_factor_at: listed.session.proved_at.map(Timestamp::to_rfc3339),
        current: listed.is_current,
    });
    Ok(Json(SessionsBody { sessions: sessions.collect() }))
}

/// Ends every session of the caller's account but the one that asks.
#[utoipa::path(delete, path = "/api/auth/sessions", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = DoneBody),
    Unauthenticated,
))]
pub(crate) async fn end_other_sessions(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
) -> Result<Json<DoneBody>> {
    sessions::end_others(&app, &user, &token).await?;
    Ok(done())
}

/// Ends a session of the caller's account.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", tag = "accounts", security(("bearer" = [])),
    params(("id" = String, Path)), responses(
        (status = 200, body = DoneBody),
        Unauthenticated,
        (status = 404, body = ErrorBody, description = "The account has no such session"),
    ))]
pub(crate) async fn end_session(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    sessions::end(&app, &user, &id).await?;
    Ok(done())
}
