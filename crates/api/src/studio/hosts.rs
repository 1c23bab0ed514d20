//! A studio's own host name, at which its events answer too.

use app::App;
use app::studio::hosts::{self, Shown};
use axum::extract::State;
use domain::Timestamp;
use domain::studio::hosts::StudioHost;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, PhotographerWithSession};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly};

/// The TXT record that proves a host.
#[derive(Serialize, ToSchema)]
#[schema(as = HostRecord)]
pub(crate) struct RecordBody {
    /// Its name in DNS.
    name: String,
    /// What it says.
    value: String,
}

/// The own host of a studio.
#[derive(Serialize, ToSchema)]
#[schema(as = StudioHost)]
pub(crate) struct HostBody {
    /// Its name, in lower case; international labels are in Punycode.
    name: String,
    record: RecordBody,
    /// Since when it answers, RFC 3339; null while its record has not been seen, and once that is gone for a week.
    #[schema(format = DateTime)]
    proved_at: Option<String>,
    /// When the record was seen last, RFC 3339; null before.
    #[schema(format = DateTime)]
    seen_at: Option<String>,
}

impl From<StudioHost> for HostBody {
    fn from(host: StudioHost) -> Self {
        let record = RecordBody { name: host.name.record_name(), value: host.record_value() };
        Self {
            name: host.name.as_str().to_owned(),
            record,
            proved_at: host.proved_at.map(Timestamp::to_rfc3339),
            seen_at: host.seen_at.map(Timestamp::to_rfc3339),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OwnHostBody {
    /// Whether the operator offers hosts.
    offered: bool,
    /// Null before one is named.
    host: Option<HostBody>,
    /// The host to which an alias (CNAME) of the studio's leads.
    target: String,
}

impl From<Shown> for OwnHostBody {
    fn from(shown: Shown) -> Self {
        Self { offered: shown.is_offered, host: shown.host.map(HostBody::from), target: shown.target }
    }
}

/// The host of the caller's studio.
#[utoipa::path(get, path = "/api/studio/host", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = OwnHostBody),
    PhotographersOnly,
))]
pub(crate) async fn host(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<Json<OwnHostBody>> {
    Ok(Json(hosts::show(&app, &user).await?.into()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NameHostBody {
    /// The name, or the address of its site.
    name: String,
}

/// Names a host for the caller's studio, in place of the one it has. It answers once it is proved.
#[utoipa::path(put, path = "/api/studio/host", tag = "accounts", security(("bearer" = [])), request_body = NameHostBody, responses(
    (status = 200, body = OwnHostBody),
    (status = 404, description = "The operator offers no hosts", body = ErrorBody),
    (status = 409, description = "There is no studio", body = ErrorBody),
    InvalidBody,
    PhotographersOnly,
))]
pub(crate) async fn name_host(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<NameHostBody>,
) -> Result<Json<OwnHostBody>> {
    Ok(Json(hosts::name(&app, &user, &body.name).await?.into()))
}

/// Takes the host from the caller's studio. Links to it lead nowhere from then on.
#[utoipa::path(delete, path = "/api/studio/host", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = OwnHostBody),
    PhotographersOnly,
))]
pub(crate) async fn remove_host(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<Json<OwnHostBody>> {
    Ok(Json(hosts::remove(&app, &user).await?.into()))
}

/// Looks for the TXT record of the caller's host.
#[utoipa::path(post, path = "/api/studio/host/proof", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, description = "The record is there, and the host answers", body = OwnHostBody),
    (status = 404, description = "No host is named", body = ErrorBody),
    (status = 409, description = "The record is not there, or another studio's is too", body = ErrorBody),
    (status = 429, description = "Too many attempts", body = ErrorBody),
    (status = 503, description = "DNS does not answer", body = ErrorBody),
    PhotographersOnly,
))]
pub(crate) async fn prove_host(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<Json<OwnHostBody>> {
    Ok(Json(hosts::prove(&app, &user).await?.into()))
}
