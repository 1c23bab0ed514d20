//! Public settings of the service.

use app::App;
use app::studio::hosts;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Query};

/// What the public pages show of the operator's choices.
#[derive(Serialize, ToSchema)]
pub(crate) struct SiteBody {
    /// Scheme and host of links and QR codes, without a slash at the end.
    public_url: String,
    /// The address on the legal pages and on /contact.
    support_email: String,
    /// Days that photos are kept after their event's date or last upload, unless their photographer has chosen others; 0 keeps
    /// them for ever.
    retention_days: u32,
    /// Days that a photographer can choose for an event, shortest first; 0, for ever, is the longest.
    retention_options: Vec<u32>,
    /// Whether people log in with passwords; false where single sign-on takes their place.
    passwords: bool,
    /// What the button of single sign-on says; null where there is none.
    single_sign_on: Option<String>,
    social: SocialBody,
}

/// The operator's pages on social networks.
#[derive(Serialize, ToSchema)]
pub(crate) struct SocialBody {
    facebook: String,
    instagram: String,
    x: String,
    linkedin: String,
}

/// What the public pages show of the operator's choices.
#[utoipa::path(get, path = "/api/site", tag = "operation", responses((status = 200, body = SiteBody)))]
pub(crate) async fn site(State(app): State<App>) -> Json<SiteBody> {
    let settings = app.settings();
    let social = &settings.social;
    Json(SiteBody {
        public_url: settings.public_url.clone(),
        support_email: settings.support_email.to_string(),
        retention_days: settings.keeping.default_days(),
        retention_options: settings.keeping.options(),
        passwords: settings.has_passwords(),
        single_sign_on: settings.single_sign_on.as_ref().map(|provider| provider.label.clone()),
        social: SocialBody {
            facebook: social.facebook.clone(),
            instagram: social.instagram.clone(),
            x: social.x.clone(),
            linkedin: social.linkedin.clone(),
        },
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AskedHost {
    /// The name of the host.
    host: Option<String>,
    /// The same, as Caddy's on-demand TLS calls it.
    domain: Option<String>,
}

/// For a proxy, before it gets a certificate: whether this service answers at a host, its own or a studio's.
#[utoipa::path(get, path = "/api/site/host-allowed", tag = "operation", params(AskedHost), responses(
    (status = 204, description = "It answers there"),
    (status = 404, description = "It does not", body = ErrorBody),
))]
pub(crate) async fn host_allowed(
    State(app): State<App>,
    Query(asked): Query<AskedHost>,
) -> Result<StatusCode> {
    let host = asked.host.or(asked.domain).unwrap_or_default();
    if hosts::is_allowed(&app, &host).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refusal::HostMissing.into())
    }
}
