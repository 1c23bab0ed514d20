//! Errors as HTTP: the one place that maps a refusal's kind to a status.

use app::Failure;
use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::Refusal;
use domain::refusal::Kind;
use serde::Serialize;
use utoipa::ToSchema;

/// After how many seconds a request that came at a busy moment may be repeated.
const BUSY_SECONDS: u64 = 2;

/// The body of every answer that is not a success.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// A text for a person.
    error: String,
    /// A stable identifier for programs.
    code: String,
}

/// The error of a handler.
pub(crate) struct Error(Failure);

impl<T: Into<Failure>> From<T> for Error {
    fn from(failure: T) -> Self {
        Self(failure.into())
    }
}

/// The result of a handler.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// 460, by the tus protocol.
const CHECKSUM_MISMATCH: u16 = 460;

pub(crate) fn status_of(kind: Kind) -> StatusCode {
    match kind {
        Kind::InvalidInput => StatusCode::BAD_REQUEST,
        Kind::Unauthenticated => StatusCode::UNAUTHORIZED,
        Kind::PaymentRequired => StatusCode::PAYMENT_REQUIRED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        Kind::ChecksumMismatch => StatusCode::from_u16(CHECKSUM_MISMATCH).unwrap_or(StatusCode::BAD_REQUEST),
        Kind::RangeNotSatisfiable => StatusCode::RANGE_NOT_SATISFIABLE,
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Kind::InsufficientStorage => StatusCode::INSUFFICIENT_STORAGE,
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self.0 {
            Failure::Refused(refusal) => refused(&refusal),
            failure => {
                let transient = failure.is_transient();
                tracing::error!(error = failure.chain(), transient, "a request failed");
                if transient { refused(&Refusal::Busy) } else { internal() }
            }
        }
    }
}

pub(crate) fn refused(refusal: &Refusal) -> Response {
    let body = ErrorBody { error: refusal.text().into_owned(), code: refusal.code().to_owned() };
    let mut response = (status_of(refusal.kind()), Json(body)).into_response();
    let retry_after = match refusal {
        Refusal::TooMany { retry_after } => Some(retry_after.as_secs().max(1)),
        Refusal::Busy => Some(BUSY_SECONDS),
        _ => None,
    };
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// 500 with a fixed text; the reason is in the log.
pub(crate) fn internal() -> Response {
    let body = ErrorBody {
        error: String::from("Something went wrong on our side. Please try again."),
        code: String::from("internal"),
    };
    (StatusCode::INTERNAL_SERVER_ERROR, Json(body)).into_response()
}

pub(crate) async fn path_not_found() -> Response {
    refused(&Refusal::PathNotFound)
}

pub(crate) async fn method_not_allowed() -> Response {
    refused(&Refusal::MethodNotAllowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_a_status_of_the_contract() {
        // [ERR004] [ERR005] [ERR006] [ERR007] [ERR008] [ERR009] [ERR010] [ERR011] [ERR012] [ERR013] [ERR014]
        let contract = [400, 401, 402, 403, 404, 405, 409, 412, 413, 415, 416, 422, 429, 460, 503, 507];
        for refusal in Refusal::all() {
            let response = refused(&refusal);
            assert!(contract.contains(&response.status().as_u16()), "{refusal:?}");
            assert_eq!(
                response.headers().contains_key(RETRY_AFTER),
                matches!(refusal, Refusal::TooMany { .. } | Refusal::Busy),
                "{refusal:?}"
            );
        }
        for (refusal, status) in [
            (Refusal::EventNameRequired, 400),
            (Refusal::SignInRequired, 401),
            (Refusal::InsufficientCredits, 402),
            (Refusal::EmailNotVerified, 403),
            (Refusal::EventNotFound, 404),
            (Refusal::EventBeingDeleted, 409),
            (Refusal::UploadVersionUnsupported, 412),
            (Refusal::PhotoTooLarge, 413),
            (Refusal::FormUnreadable, 415),
            (Refusal::NoFace, 422),
            (Refusal::UploadChecksumWrong, 460),
            (Refusal::Busy, 503),
        ] {
            assert_eq!(refused(&refusal).status().as_u16(), status);
        }
    }
}
