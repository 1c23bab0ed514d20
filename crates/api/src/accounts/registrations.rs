//! Taking back a registration with somebody else's address.

use app::App;
use app::accounts::registrations;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::Json;
use crate::operations::runtime::responses::{DoneBody, InvalidBody, done};

#[derive(Deserialize, ToSchema)]
pub(crate) struct RevokeRegistrationBody {
    /// The token of the link that was mailed to the address.
    #[serde(default)]
    token: String,
}

/// Removes the account that somebody has registered with the address of another person, who has the mail to it. An account
/// whose address is verified stays.
#[utoipa::path(post, path = "/api/auth/revoke-registration", tag = "accounts", request_body = RevokeRegistrationBody,
    responses((status = 200, body = DoneBody), InvalidBody))]
pub(crate) async fn revoke_registration(
    State(app): State<App>,
    Json(body): Json<RevokeRegistrationBody>,
) -> Result<Json<DoneBody>> {
    registrations::revoke(&app, &body.token).await?;
    Ok(done())
}
