//! What handlers take: callers who are allowed, and inputs that refuse in the form of the contract.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use domain::Refusal;
use domain::accounts::User;
use serde::de::DeserializeOwned;

use crate::State;
use crate::error::{Error, status_of};

/// A signed-in photographer; a handler that takes one is allowed to go on.
pub(crate) struct Photographer(pub(crate) User);

impl FromRequestParts<State> for Photographer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let SignedIn(user) = SignedIn::from_request_parts(parts, state).await?;
        if user.is_photographer { Ok(Self(user)) } else { Err(Refusal::PhotographersOnly.into()) }
    }
}

/// Anybody who is signed in.
pub(crate) struct SignedIn(pub(crate) User);

impl FromRequestParts<State> for SignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        let MaybeSignedIn(user) = MaybeSignedIn::from_request_parts(parts, state).await?;
        user.map(Self).ok_or_else(|| Refusal::SignInRequired.into())
    }
}

/// Whoever it is; a stale or wrong token counts as none.
pub(crate) struct MaybeSignedIn(pub(crate) Option<User>);

impl FromRequestParts<State> for MaybeSignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        match bearer(parts) {
            Some(token) => Ok(Self(app::accounts::authenticate(&state.app, token).await?)),
            None => Ok(Self(None)),
        }
    }
}

/// The bearer token of a request, if it carries one (RFC 6750, 2.1).
pub(crate) fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}

/// The bearer token itself, for ending its session.
pub(crate) struct BearerToken(pub(crate) String);

impl FromRequestParts<State> for BearerToken {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &State) -> Result<Self, Error> {
        bearer(parts).map(|token| Self(token.to_owned())).ok_or_else(|| Refusal::SignInRequired.into())
    }
}

/// A JSON body.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<State> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &State) -> Result<Self, Error> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Refusal::FormUnreadable.into()),
            Err(JsonRejection::BytesRejection(rejection))
                if rejection.status() == status_of(Refusal::BodyTooLarge.kind()) =>
            {
                Err(Refusal::BodyTooLarge.into())
            }
            Err(JsonRejection::JsonDataError(rejection)) => {
                Err(malformed("The request", &rejection.body_text()))
            }
            Err(rejection) => Err(malformed("The request is not valid JSON", &rejection.body_text())),
        }
    }
}

/// Query parameters.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<State> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(query)) => Ok(Self(query)),
            Err(QueryRejection::FailedToDeserializeQueryString(rejection)) => {
                Err(malformed("The query", &rejection.body_text()))
            }
            Err(rejection) => Err(malformed("The query", &rejection.body_text())),
        }
    }
}

/// Path parameters; one that cannot be read names nothing that is there.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<State> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Error> {
        axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(path)| Self(path))
            .map_err(|_: PathRejection| Refusal::PathNotFound.into())
    }
}

/// A refusal that says which part of a request cannot be read, in one line of bounded length.
fn malformed(what: &str, why: &str) -> Error {
    // The framework's text begins with its own sentence; what follows the colon is the reason.
    let reason = why.split_once(": ").map_or(why, |(_, reason)| reason);
    let reason: String = reason.chars().filter(|c| !c.is_control()).take(200).collect();
    Refusal::Malformed(format!("{what}: {reason}")).into()
}
