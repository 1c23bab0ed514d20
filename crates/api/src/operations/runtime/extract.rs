//! Extractors: authorised callers, and inputs whose rejections are the contract's errors.
//!
//! Which callers an API token can be is said by the extractor: [`Uploader`] and [`EventLister`] take each,
//! [`Photographer`], [`Holder`] and [`MaybeSignedIn`] those for everything, and the others a session alone.

use axum::body::{Body, Bytes};
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use domain::Refusal;
use domain::accounts::User;
use domain::accounts::api_tokens::Reach;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::operations::runtime::error::{Error, status_of};
use crate::operations::runtime::state::AppState;

/// A photographer with a session or an API token for everything; any other caller is refused before the handler runs.
pub(crate) struct Photographer(pub(crate) User);

impl FromRequestParts<AppState> for Photographer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        Ok(Self(photographer(caller(parts, state, Reach::All).await?)?))
    }
}

/// A photographer with a session or any API token, for what an upload needs.
pub(crate) struct Uploader(pub(crate) User);

impl FromRequestParts<AppState> for Uploader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        Ok(Self(photographer(caller(parts, state, Reach::Upload).await?)?))
    }
}

/// A photographer with a session, for what a program must not do with a token: payments, and logins of cameras.
pub(crate) struct PhotographerWithSession(pub(crate) User);

impl FromRequestParts<AppState> for PhotographerWithSession {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        Ok(Self(photographer(caller(parts, state, Reach::Session).await?)?))
    }
}

fn photographer(user: User) -> Result<User, Error> {
    if user.is_photographer { Ok(user) } else { Err(Refusal::PhotographersOnly.into()) }
}

/// A signed-in administrator, whose session has given its second factor within 12 hours.
pub(crate) struct Administrator(pub(crate) User);

impl FromRequestParts<AppState> for Administrator {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        let AdministratorAtSetup(user) = AdministratorAtSetup::from_request_parts(parts, state).await?;
        let BearerToken(token) = BearerToken::from_request_parts(parts, state).await?;
        app::accounts::second_factors::check_administration(&state.app, &user, &token).await?;
        Ok(Self(user))
    }
}

/// A signed-in administrator, for the end of the set-up alone, at which nobody can have a second factor yet.
pub(crate) struct AdministratorAtSetup(pub(crate) User);

impl FromRequestParts<AppState> for AdministratorAtSetup {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        let SignedIn(user) = SignedIn::from_request_parts(parts, state).await?;
        if user.is_admin { Ok(Self(user)) } else { Err(Refusal::AdministratorsOnly.into()) }
    }
}

/// An account with a session.
pub(crate) struct SignedIn(pub(crate) User);

impl FromRequestParts<AppState> for SignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        Ok(Self(caller(parts, state, Reach::Session).await?))
    }
}

/// An account with a session or an API token, for what tells no more than whose events there are.
pub(crate) struct EventLister(pub(crate) User);

impl FromRequestParts<AppState> for EventLister {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        Ok(Self(caller(parts, state, Reach::Upload).await?))
    }
}

/// An account with a session or an API token for everything, photographer's or not.
pub(crate) struct Holder(pub(crate) User);

impl FromRequestParts<AppState> for Holder {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        Ok(Self(caller(parts, state, Reach::All).await?))
    }
}

/// The account of a call that asks for `reach`.
async fn caller(parts: &Parts, state: &AppState, reach: Reach) -> Result<User, Error> {
    let token = account_token(parts, state).ok_or(Refusal::SignInRequired)?;
    if app::accounts::api_tokens::is_one(token) {
        return Ok(app::accounts::api_tokens::authorize(&state.app, token, reach).await?);
    }
    match app::accounts::authenticate(&state.app, token).await? {
        Some(user) => Ok(user),
        None => Err(app::accounts::reason_of_ended_session(&state.app, token).await?.into()),
    }
}

/// The account, if the request is signed in or has an API token for everything; any other token counts as none.
pub(crate) struct MaybeSignedIn(pub(crate) Option<User>);

impl FromRequestParts<AppState> for MaybeSignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        Ok(Self(match account_token(parts, state) {
            None => None,
            Some(token) if app::accounts::api_tokens::is_one(token) => {
                app::accounts::api_tokens::recognize(&state.app, token, Reach::All).await?
            }
            Some(token) => app::accounts::authenticate(&state.app, token).await?,
        }))
    }
}

/// The token of a session or of a program. At a studio's own host none counts: nobody logs in there.
fn account_token<'a>(parts: &'a Parts, state: &AppState) -> Option<&'a str> {
    bearer(parts).filter(|_| state.app.operator_url().is_none())
}

/// The bearer token of a request, if it carries one (RFC 6750, 2.1).
pub(crate) fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}

/// The bearer token itself, for ending its session.
pub(crate) struct BearerToken(pub(crate) String);

impl FromRequestParts<AppState> for BearerToken {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        account_token(parts, state)
            .map(|token| Self(token.to_owned()))
            .ok_or_else(|| Refusal::SignInRequired.into())
    }
}

/// A JSON body, of a request or of a response.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

impl<T: DeserializeOwned> FromRequest<AppState> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        let body = match Bytes::from_request(Request::from_parts(parts.clone(), body), state).await {
            Ok(body) => body,
            Err(rejection) if rejection.status() == status_of(Refusal::BodyTooLarge.kind()) => {
                return Err(Refusal::BodyTooLarge.into());
            }
            Err(_) => return Err(Refusal::Malformed(String::from("The request was interrupted.")).into()),
        };
        if has_nul(&body) {
            return Err(nul_character());
        }
        match axum::Json::<T>::from_request(Request::from_parts(parts, Body::from(body)), state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Refusal::FormUnreadable.into()),
            Err(JsonRejection::JsonDataError(rejection)) => {
                Err(malformed("The request", &rejection.body_text()))
            }
            Err(rejection) => Err(malformed("The request is not valid JSON", &rejection.body_text())),
        }
    }
}

/// Query parameters.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        if parts.uri.query().is_some_and(|query| query.contains(NUL_IN_URL)) {
            return Err(nul_character());
        }
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(query)) => Ok(Self(query)),
            Err(QueryRejection::FailedToDeserializeQueryString(rejection)) => {
                Err(malformed("The query", &rejection.body_text()))
            }
            Err(rejection) => Err(malformed("The query", &rejection.body_text())),
        }
    }
}

/// Path parameters; a path whose parameters cannot be parsed is not found.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Error> {
        if parts.uri.path().contains(NUL_IN_URL) {
            return Err(Refusal::PathNotFound.into());
        }
        axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(path)| Self(path))
            .map_err(|_: PathRejection| Refusal::PathNotFound.into())
    }
}

/// A percent-encoded NUL.
const NUL_IN_URL: &str = "%00";

/// Whether a JSON text has a NUL in one of its strings, which PostgreSQL cannot store.
fn has_nul(json: &[u8]) -> bool {
    const ESCAPED: &[u8] = b"\\u0000";
    let mut found = json.windows(ESCAPED.len()).enumerate().filter(|(_, window)| *window == ESCAPED);
    found.any(|(at, _)| {
        let backslashes = json[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        // After an odd number this backslash is itself escaped, and what follows is literal.
        backslashes % 2 == 0
    })
}

/// The refusal of a NUL character.
pub(crate) fn nul_character() -> Error {
    Refusal::Malformed(String::from("The request contains a NUL character, which cannot be kept.")).into()
}

/// A refusal that says which part of a request cannot be parsed, in one line of bounded length.
fn malformed(what: &str, why: &str) -> Error {
    // The framework's text begins with its own sentence; what follows the colon is the reason.
    let reason = why.split_once(": ").map_or(why, |(_, reason)| reason);
    // The names of the program's types mean nothing to a client.
    let reason = match reason.split_once("expected struct ") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            format!("{before}expected an object{after}")
        }
        None => reason.to_owned(),
    };
    let reason: String = reason.chars().filter(|c| !c.is_control()).take(200).collect();
    Refusal::Malformed(format!("{what}: {reason}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_is_found_where_json_has_one() {
        for (text, has) in [
            (r#"{"a":"b\u0000"}"#, true),
            (r#"{"a":"\\\u0000"}"#, true),
            (r#"{"a":"\\u0000"}"#, false),
            (r#"{"a":"\u00000"}"#, true),
            (r#"{"a":"u0000"}"#, false),
        ] {
            assert_eq!(has_nul(text.as_bytes()), has, "{text}");
        }
    }
}
