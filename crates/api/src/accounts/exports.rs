//! All that the caller's account has, as one ZIP.

use app::App;
use app::accounts::exports;
use app::guests::archives::admission;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use domain::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::profiles::PasswordBody;
use crate::guests::archives;
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, Path, SignedIn};
use crate::operations::runtime::responses::{InvalidBody, RateLimited, Unauthenticated, Unavailable};

/// An export that can be fetched.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportBody {
    /// `/api/auth/export/{download_token}.zip` is the ZIP, which a browser saves without holding it in memory.
    download_token: String,
    /// RFC 3339. The link ends earlier with the session that asked, with a new password, and with the next export.
    expires_at: String,
    /// The size of the ZIP.
    size_bytes: u64,
    /// How many photos are in it.
    photos: usize,
    /// How many photos of the account are not, because they are being deleted or the server has lost them; `data.json` says
    /// which and why.
    missing: usize,
}

/// Gathers what the account has: `data.json`, and the originals byte for byte in folders by event.
#[utoipa::path(post, path = "/api/auth/export", tag = "accounts", security(("bearer" = [])),
    request_body = PasswordBody, responses(
        (status = 201, body = ExportBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password is wrong"),
        Unauthenticated,
        Unavailable,
    ))]
pub(crate) async fn create_export(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(session): BearerToken,
    Json(body): Json<PasswordBody>,
) -> Result<(StatusCode, Json<ExportBody>)> {
    let created = exports::create(&app, &user, &session, body.password).await?;
    let body = ExportBody {
        download_token: created.token,
        expires_at: created.expires_at.to_rfc3339(),
        size_bytes: created.size,
        photos: created.photos,
        missing: created.missing,
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// The ZIP. Streamed; an interrupted download is resumed with a range. The same bytes each time, unless photos were deleted
/// since: these are left out then, and `deleted-since.json` names them.
#[utoipa::path(get, path = "/api/auth/export/{file}", tag = "accounts",
    params(("file" = String, Path, description = "`{download_token}.zip`; the token is good for a day")),
    responses(
        RateLimited,
        (status = 200, description = "The ZIP", content_type = "application/zip"),
        (status = 206, description = "The range that was asked for", content_type = "application/zip"),
        (status = 304, description = "The caller has it already"),
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or its session has ended"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the ZIP"),
        Unavailable,
    ))]
pub(crate) async fn export_zip(
    State(app): State<App>,
    client: ClientIp,
    Path(file): Path<String>,
    request: HeaderMap,
) -> Result<Response> {
    let token = file.strip_suffix(".zip").ok_or(Refusal::ExportNotFound)?;
    let admission = admission::admit(&app, client.address()).await?;
    let archive = exports::archive(&app, token).await?;
    archives::send(&archive, &request, Some(admission.laid_out()))
}
