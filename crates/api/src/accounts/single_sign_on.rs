//! Logging in at a provider of OpenID Connect. Browsers come to the first two calls by themselves, so that what goes wrong there
//! leads to a page, which says it.

use app::accounts::second_factors::Given;
use app::accounts::single_sign_on::{self, Answer, Landing, LoggedIn};
use app::operations::runtime::limits::{self, Limit, Subject};
use app::{App, Failure};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::Refusal;
use domain::accounts::tokens::Token;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::accounts::auth::{LoginRefusedBody, UserBody, ask_second_factor, device};
use crate::accounts::languages;
use crate::accounts::passkeys::AssertionBody;
use crate::accounts::profiles::PasswordBody;
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{BearerToken, Json, Query, SignedIn};
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, RateLimited, Unauthenticated, Unavailable, done,
};

/// What a browser keeps while somebody is at the provider.
const COOKIE_NAME: &str = "afterglow_single_sign_on";
/// The calls that read it.
const COOKIE_PATH: &str = "/api/auth/oidc";
/// The page that goes on with a login, or says why it cannot. What follows is in the fragment, which is logged nowhere.
const LOGIN_PAGE: &str = "/login";
/// The page on which accounts are linked.
const ACCOUNT_PAGE: &str = "/admin/account";

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StartQuery {
    /// The path of this site to which the login leads; any other address leads to /admin/overview.
    #[serde(default)]
    next: String,
}

/// Sends a browser to the provider. Where that is not possible it goes to `/login#refused=CODE`.
#[utoipa::path(get, path = "/api/auth/oidc/start", tag = "accounts", params(StartQuery), responses(
    (status = 302, description = "To the provider, with a cookie; or to /login, with the code of a refusal in the fragment"),
    (status = 404, body = ErrorBody, description = "The operator has set up no single sign-on"),
))]
pub(crate) async fn start_single_sign_on(
    State(app): State<App>,
    client: ClientIp,
    Query(query): Query<StartQuery>,
) -> Result<Response> {
    // Whoever is turned away is told so by the page as well.
    let limited = limits::check(&app, Limit::Logins, &[(Subject::Address(client.address()), 1)]).await;
    let begun = match limited {
        Ok(()) => single_sign_on::begin(&app, &query.next).await,
        Err(failure) => Err(failure),
    };
    match begun {
        Ok(begun) => Ok(redirect(&begun.url, Some(cookie(&app, Some(&begun.browser))))),
        Err(Failure::Refused(refusal)) if refusal != Refusal::SingleSignOnOff => {
            Ok(refused(LOGIN_PAGE, &refusal))
        }
        Err(failure) => Err(failure.into()),
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AnswerQuery {
    /// Which login it answers.
    #[serde(default)]
    state: String,
    /// What proves it; missing where the provider has refused.
    #[serde(default)]
    code: String,
}

/// Where the provider sends a browser back to. It goes on to `/login#ticket=TICKET`, whose page makes a session of that, once; or
/// to `/login#refused=CODE`. Where an account was to be linked, it is `/admin/account#linked` or `/admin/account#refused=CODE`.
#[utoipa::path(get, path = "/api/auth/oidc/callback", tag = "accounts", params(AnswerQuery), responses(
    (status = 302, description = "To a page, with a ticket or the code of a refusal in the fragment"),
    (status = 404, body = ErrorBody, description = "The operator has set up no single sign-on"),
))]
pub(crate) async fn finish_single_sign_on(
    State(app): State<App>,
    headers: HeaderMap,
    Query(query): Query<AnswerQuery>,
) -> Result<Response> {
    let language = languages::of_request(&headers);
    let answer = Answer { state: &query.state, code: &query.code, browser: kept(&headers), language };
    match single_sign_on::finish(&app, answer).await {
        Ok(Landing::Known(ticket)) => Ok(redirect(&format!("{LOGIN_PAGE}#ticket={}", ticket.reveal()), None)),
        Ok(Landing::Linked) => Ok(redirect(&format!("{ACCOUNT_PAGE}#linked"), Some(cookie(&app, None)))),
        Ok(Landing::NotLinked(refusal)) => Ok(refused(ACCOUNT_PAGE, &refusal)),
        Err(Failure::Refused(refusal)) if refusal != Refusal::SingleSignOnOff => {
            Ok(refused(LOGIN_PAGE, &refusal))
        }
        Err(failure) => Err(failure.into()),
    }
}

fn refused(page: &str, refusal: &Refusal) -> Response {
    redirect(&format!("{page}#refused={}", refusal.code()), None)
}

fn redirect(to: &str, cookie: Option<String>) -> Response {
    let mut response = StatusCode::FOUND.into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(to) = HeaderValue::from_str(to) {
        headers.insert(LOCATION, to);
    }
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        headers.insert(SET_COOKIE, cookie);
    }
    response
}

/// The header that makes a browser keep this, or nothing any more. Other sites' pages cannot send it along with their requests,
/// but the provider's redirect does.
fn cookie(app: &App, value: Option<&Token>) -> String {
    let (value, seconds) = value.map_or((String::new(), 0), |token| (token.reveal(), 600));
    let secure = if app.settings().public_url.starts_with("https://") { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={value}; Path={COOKIE_PATH}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

/// What the browser has kept.
fn kept(headers: &HeaderMap) -> &str {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
    let mut pairs = cookies.flat_map(|header| header.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| name.trim() == COOKIE_NAME).map_or("", |(_, value)| value.trim())
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct TicketBody {
    /// From the fragment of the page's address.
    #[serde(default)]
    ticket: String,
    /// As in a login with a password, where the account has a second factor.
    #[serde(default)]
    code: String,
    /// What a passkey has answered, in place of a code.
    #[serde(default)]
    passkey: Option<AssertionBody>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TicketUsedBody {
    /// The bearer token, as after a login with a password.
    token: String,
    user: UserBody,
    /// The path of this site to which the login leads.
    next: String,
}

/// Opens a session with a ticket that single sign-on, or the operator, has given to this browser. It is good once, and stays good
/// while a second factor is asked for.
#[utoipa::path(post, path = "/api/auth/oidc/login", tag = "accounts", request_body = TicketBody, responses(
    (status = 200, body = TicketUsedBody),
    InvalidBody,
    (status = 400, body = ErrorBody, description = "The ticket was used, has expired, or is another browser's; or the second factor is wrong"),
    (status = 403, body = LoginRefusedBody, description = "The account is locked, or its second factor is asked for"),
    RateLimited,
))]
pub(crate) async fn log_in_with_ticket(
    State(app): State<App>,
    client: ClientIp,
    headers: HeaderMap,
    Json(body): Json<TicketBody>,
) -> Result<Response> {
    let assertion = body.passkey.map(Into::into);
    let given = Given { code: &body.code, passkey: assertion.as_ref() };
    let (address, device) = (client.address(), device(&headers));
    let used = single_sign_on::log_in(&app, &body.ticket, kept(&headers), given, address, device).await?;
    Ok(match used {
        LoggedIn::Session { token, user, path } => {
            let body = TicketUsedBody { token: token.reveal(), user: user.into(), next: path };
            ([(SET_COOKIE, cookie(&app, None))], Json(body)).into_response()
        }
        LoggedIn::SecondFactor(asked) => ask_second_factor(asked),
    })
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SingleSignOnBody {
    /// What the provider is called here.
    label: String,
    /// Whether it opens the account.
    linked: bool,
    /// Whether it can be unlinked: people log in with passwords too.
    can_unlink: bool,
    /// RFC 3339.
    linked_at: Option<String>,
    /// RFC 3339; null while it was not used.
    last_used_at: Option<String>,
}

/// Whether single sign-on opens the caller's account.
#[utoipa::path(get, path = "/api/auth/oidc/link", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = SingleSignOnBody),
    Unauthenticated,
    (status = 404, body = ErrorBody, description = "The operator has set up no single sign-on"),
))]
pub(crate) async fn show_single_sign_on(
    State(app): State<App>,
    SignedIn(user): SignedIn,
) -> Result<Json<SingleSignOnBody>> {
    let shown = single_sign_on::show(&app, &user).await?;
    Ok(Json(SingleSignOnBody {
        label: shown.label,
        linked: shown.linked_at.is_some(),
        can_unlink: shown.has_passwords,
        linked_at: shown.linked_at.map(|at| at.to_rfc3339()),
        last_used_at: shown.last_used_at.map(|at| at.to_rfc3339()),
    }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct LinkBegunBody {
    /// Where this browser is to go, within 10 minutes.
    url: String,
}

/// Begins to let single sign-on open the caller's account; the browser ends it at the provider. A mail tells of it.
#[utoipa::path(post, path = "/api/auth/oidc/link", tag = "accounts", security(("bearer" = [])),
    request_body = PasswordBody, responses(
        (status = 200, body = LinkBegunBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password is wrong"),
        Unauthenticated,
        (status = 404, body = ErrorBody, description = "The operator has set up no single sign-on"),
        (status = 409, body = ErrorBody, description = "It opens the account already"),
        Unavailable,
    ))]
pub(crate) async fn link_single_sign_on(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<PasswordBody>,
) -> Result<Response> {
    let begun = single_sign_on::begin_link(&app, &user, &token, body.password).await?;
    let cookie = cookie(&app, Some(&begun.browser));
    Ok(([(SET_COOKIE, cookie)], Json(LinkBegunBody { url: begun.url })).into_response())
}

/// Lets single sign-on open the caller's account no more. A mail tells of it.
#[utoipa::path(delete, path = "/api/auth/oidc/link", tag = "accounts", security(("bearer" = [])),
    request_body = PasswordBody, responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 400, body = ErrorBody, description = "The password is wrong"),
        Unauthenticated,
        (status = 404, body = ErrorBody, description = "The operator has set up no single sign-on"),
        (status = 409, body = ErrorBody, description = "It does not open the account, or is its only way in"),
    ))]
pub(crate) async fn unlink_single_sign_on(
    State(app): State<App>,
    SignedIn(user): SignedIn,
    BearerToken(token): BearerToken,
    Json(body): Json<PasswordBody>,
) -> Result<Json<DoneBody>> {
    single_sign_on::unlink(&app, &user, &token, body.password).await?;
    Ok(done())
}
