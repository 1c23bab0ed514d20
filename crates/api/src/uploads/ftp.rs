//! How an event takes photos from cameras, over FTP.

use app::uploads::ftp::{self, FtpLogin};
use app::{App, FtpEncryption, FtpService};
use axum::extract::State;
use domain::Timestamp;
use domain::accounts::api_tokens::Lifetime;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::api_tokens::lifetime;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, Path, Photographer, PhotographerWithSession};
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, PhotographersOnly, RateLimited, Unavailable, done,
};
use crate::photos::selections::event_id;

/// Whether FTP is encrypted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FtpEncryption)]
pub(crate) enum EncryptionBody {
    /// Cameras have to use FTPS (explicit TLS).
    Required,
    /// Cameras may use FTPS (explicit TLS).
    Offered,
    /// Cameras can only use FTP, which anybody on the way can read.
    None,
}

/// Where cameras store photos.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpService)]
pub(crate) struct ServiceBody {
    host: String,
    port: u16,
    encryption: EncryptionBody,
}

impl From<FtpService> for ServiceBody {
    fn from(FtpService { host, port, encryption }: FtpService) -> Self {
        let encryption = match encryption {
            FtpEncryption::Required => EncryptionBody::Required,
            FtpEncryption::Offered => EncryptionBody::Offered,
            FtpEncryption::None => EncryptionBody::None,
        };
        Self { host, port, encryption }
    }
}

/// What cameras log in with, without the password.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpLogin)]
pub(crate) struct LoginBody {
    user_name: String,
    /// RFC 3339.
    created_at: String,
    /// RFC 3339; null when it is good until it is replaced or taken away.
    expires_at: Option<String>,
    /// RFC 3339, to a minute; null when it was never used.
    last_used_at: Option<String>,
}

impl From<FtpLogin> for LoginBody {
    fn from(FtpLogin { name, created_at, expires_at, last_used_at }: FtpLogin) -> Self {
        Self {
            user_name: name,
            created_at: created_at.to_rfc3339(),
            expires_at: expires_at.map(Timestamp::to_rfc3339),
            last_used_at: last_used_at.map(Timestamp::to_rfc3339),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct FtpAccessBody {
    /// Null while the operator has not switched FTP on.
    service: Option<ServiceBody>,
    /// Null while no camera can send photos to the event.
    login: Option<LoginBody>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct NewFtpLoginBody {
    service: ServiceBody,
    login: LoginBody,
    /// 12 small letters and digits, which no other answer has.
    password: String,
}

/// How an event of the caller takes photos over FTP.
#[utoipa::path(get, path = "/api/events/{event}/ftp", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = FtpAccessBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn ftp_access(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<FtpAccessBody>> {
    let access = ftp::of_event(&app, &owner, event_id(&id)?).await?;
    Ok(Json(FtpAccessBody {
        service: access.service.map(ServiceBody::from),
        login: access.login.map(LoginBody::from),
    }))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = NewFtpLogin)]
pub(crate) struct WantedBody {
    /// For how many days it is good; left out, for a year, and null, until it is replaced or taken away.
    #[serde(default, deserialize_with = "lifetime")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 3650)]
    lifetime_days: Lifetime,
    /// The password of the caller's account.
    #[serde(default)]
    #[schema(format = Password)]
    password: String,
}

/// Gives an event of the caller a new login for cameras. The one that it had is good for nothing from then on. The event's owner
/// is told by mail.
#[utoipa::path(put, path = "/api/events/{event}/ftp", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    request_body = WantedBody,
    responses(
        (status = 200, body = NewFtpLoginBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "A bad value, or the password is wrong"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "The operator has not switched FTP on, or the event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn replace_ftp_login(
    State(app): State<App>,
    PhotographerWithSession(caller): PhotographerWithSession,
    BearerToken(session): BearerToken,
    Path(id): Path<String>,
    Json(WantedBody { lifetime_days, password }): Json<WantedBody>,
) -> Result<Json<NewFtpLoginBody>> {
    let wanted = ftp::Wanted { lifetime: lifetime_days, password };
    let made = ftp::replace(&app, &caller, &session, event_id(&id)?, wanted).await?;
    Ok(Json(NewFtpLoginBody {
        service: made.service.into(),
        login: made.login.into(),
        password: made.password,
    }))
}

/// Takes the login from an event of the caller, if it has one.
#[utoipa::path(delete, path = "/api/events/{event}/ftp", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        Unavailable,
    ))]
pub(crate) async fn remove_ftp_login(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<DoneBody>> {
    ftp::remove(&app, &owner, event_id(&id)?).await?;
    Ok(done())
}
