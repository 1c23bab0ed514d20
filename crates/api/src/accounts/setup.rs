//! The set-up of an installation: its administrator, and what its administrator should look at then.

use app::App;
use app::accounts::registrations::Registration;
use app::accounts::setup;
use app::operations::mail_tests;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::auth::{LoggedInBody, device};
use crate::accounts::languages;
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{AdministratorAtSetup, Json};
use crate::operations::runtime::responses::{AdministratorsOnly, InvalidBody, RateLimited};

#[derive(Deserialize, ToSchema)]
pub(crate) struct SetupLinkBody {
    /// The token of a set-up link.
    #[serde(default)]
    token: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ValidLinkBody {
    /// Whether anybody has an account by now, which the link can make an administrator's.
    has_accounts: bool,
}

/// Whether a set-up link can be used.
#[utoipa::path(post, path = "/api/setup/link", tag = "accounts", request_body = SetupLinkBody, responses(
    (status = 200, body = ValidLinkBody),
    InvalidBody,
    (status = 409, body = ErrorBody, description = "There is an administrator already"),
))]
pub(crate) async fn check_link(
    State(app): State<App>,
    Json(body): Json<SetupLinkBody>,
) -> Result<Json<ValidLinkBody>> {
    Ok(Json(ValidLinkBody { has_accounts: setup::check_link(&app, &body.token).await? }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SetupBody {
    /// The token of a set-up link.
    #[serde(default)]
    token: String,
    #[serde(default)]
    #[schema(max_length = 200)]
    name: String,
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    #[serde(default)]
    #[schema(min_length = 6, max_length = 128, format = Password)]
    password: String,
}

/// Makes an administrator and opens a session of it: a new account with a verified address, or the one that has this address and
/// password. A link works once.
#[utoipa::path(post, path = "/api/setup", tag = "accounts", request_body = SetupBody, responses(
    (status = 200, body = LoggedInBody),
    InvalidBody,
    (status = 409, body = ErrorBody, description = "There is an administrator already, or the address is another's"),
))]
pub(crate) async fn set_up(
    State(app): State<App>,
    client: ClientIp,
    headers: HeaderMap,
    Json(body): Json<SetupBody>,
) -> Result<Json<LoggedInBody>> {
    let SetupBody { token, name, email, password } = body;
    let form = Registration { name, email, password };
    let language = languages::of_request(&headers);
    let (session, user) =
        setup::create(&app, &token, form, language, client.address(), device(&headers)).await?;
    Ok(Json(LoggedInBody { token: session.reveal(), user: user.into() }))
}

/// What an administrator should look at before anybody else uses the service. All of it is set where the service is started.
#[derive(Serialize, ToSchema)]
pub(crate) struct SetupSettingsBody {
    /// Scheme and host of links, mails and QR codes, without a slash at the end.
    public_url: String,
    /// Days that photos are kept after their event's date or last upload; 0 keeps them for ever.
    retention_days: u32,
    /// The most days that a photographer can choose for an event; 0 for ever.
    longest_retention_days: u32,
    mail: MailSettingsBody,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MailSettingsBody {
    /// Whether mails go to the people that they are addressed to, and not into a folder of this machine.
    reaches_people: bool,
    /// Host and port of the mail server, or the folder.
    place: String,
    /// The sender's address.
    from: String,
}

/// What an administrator should look at before anybody else uses the service.
#[utoipa::path(get, path = "/api/setup/settings", tag = "operation", security(("bearer" = [])), responses(
    (status = 200, body = SetupSettingsBody),
    AdministratorsOnly,
))]
pub(crate) async fn settings(
    State(app): State<App>,
    _caller: AdministratorAtSetup,
) -> Json<SetupSettingsBody> {
    let settings = app.settings();
    let (reaches_people, place) = mail_tests::transport(&app);
    Json(SetupSettingsBody {
        public_url: settings.public_url.clone(),
        retention_days: settings.keeping.default_days(),
        longest_retention_days: settings.keeping.longest_days(),
        mail: MailSettingsBody { reaches_people, place, from: settings.mail_from.to_string() },
    })
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TestedMailBody {
    /// `sent` to the mail server, `written` to the folder, or what stood in the way: `unreachable`, `encryption`, `login`,
    /// `refused`, `later`, `folder` or `address`.
    outcome: String,
    /// What the mail server said, or the file.
    answer: String,
    /// The recipient.
    to: String,
}

/// Sends a test mail to the caller's address, and says what became of it.
#[utoipa::path(post, path = "/api/setup/mail", tag = "operation", security(("bearer" = [])), responses(
    (status = 200, body = TestedMailBody),
    AdministratorsOnly,
    RateLimited,
))]
pub(crate) async fn test_mail(
    State(app): State<App>,
    client: ClientIp,
    AdministratorAtSetup(user): AdministratorAtSetup,
) -> Result<Json<TestedMailBody>> {
    client.check_mail(&app, user.email.as_str()).await?;
    let (outcome, answer) = match mail_tests::send_to(&app, &user).await? {
        Ok(answer) if mail_tests::transport(&app).0 => ("sent", answer),
        Ok(file) => ("written", file),
        Err(undelivered) => (undelivered.obstacle.as_str(), undelivered.error.reason().to_owned()),
    };
    Ok(Json(TestedMailBody { outcome: outcome.to_owned(), answer, to: user.email.to_string() }))
}
