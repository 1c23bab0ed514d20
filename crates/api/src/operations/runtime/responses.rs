//! Responses that operations share, for the contract. In an operation's list they come first: a later response with
//! the same status replaces theirs.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::operations::runtime::extract::Json;

/// The body of an operation that has nothing to return.
#[derive(Serialize, ToSchema)]
pub(crate) struct DoneBody {
    /// Always true.
    success: bool,
}

/// The response of an operation that has nothing to return.
pub(crate) const fn done() -> Json<DoneBody> {
    Json(DoneBody { success: true })
}

/// Of an operation with a body: 400, 413 and 415.
pub(crate) enum InvalidBody {}

/// Of an operation for a signed-in account: 401 and 403.
pub(crate) enum Unauthenticated {}

/// Of an operation for photographers: 401 and 403.
pub(crate) enum PhotographersOnly {}

/// Of an operation for administrators: 401 and 403.
pub(crate) enum AdministratorsOnly {}

/// Of an operation with a rate limit: 429.
pub(crate) enum RateLimited {}

/// Of an operation with the photos of an event that may ask for a PIN: 403.
pub(crate) enum PinRequired {}

/// Of an operation by which guests save photos: 403.
pub(crate) enum GuestRefused {}

/// Of an operation that may fail for a while: 503.
pub(crate) enum Unavailable {}

impl IntoResponses for InvalidBody {
    fn responses() -> Responses {
        refusals(&[
            ("400", "Something in the body is missing or bad, and the text says what"),
            ("413", "The body is larger than such a call may be"),
            ("415", "The body is not of the type that the call takes"),
        ])
    }
}

impl IntoResponses for Unauthenticated {
    fn responses() -> Responses {
        refusals(&[
            ("401", "The token is missing, wrong or expired"),
            ("403", "An API token that may not do this, or whose account is locked"),
        ])
    }
}

impl IntoResponses for PhotographersOnly {
    fn responses() -> Responses {
        let mut responses = Unauthenticated::responses();
        responses.extend(refusals(&[(
            "403",
            "The account is not a photographer's, or the API token may not do this",
        )]));
        responses
    }
}

impl IntoResponses for AdministratorsOnly {
    fn responses() -> Responses {
        let mut responses = Unauthenticated::responses();
        responses.extend(refusals(&[(
            "403",
            "The account is not an administrator's, it is called with an API token, or its second factor is asked for",
        )]));
        responses
    }
}

impl IntoResponses for RateLimited {
    fn responses() -> Responses {
        refusals(&[("429", "Too often, from this address, of this account or to this recipient")])
    }
}

impl IntoResponses for PinRequired {
    fn responses() -> Responses {
        refusals(&[("403", "The event asks for a PIN, and the proof is missing or of an earlier one")])
    }
}

impl IntoResponses for GuestRefused {
    fn responses() -> Responses {
        refusals(&[(
            "403",
            "The event asks for a PIN, and the proof is missing or of an earlier one; or its photographer offers no downloads",
        )])
    }
}

impl IntoResponses for Unavailable {
    fn responses() -> Responses {
        refusals(&[("503", "Temporarily unavailable; a retry may succeed")])
    }
}

type Responses = BTreeMap<String, RefOr<Response>>;

fn refusals(list: &[(&str, &str)]) -> Responses {
    let body = || ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    list.iter()
        .map(|(status, description)| {
            let response =
                ResponseBuilder::new().description(*description).content("application/json", body());
            ((*status).to_owned(), response.build().into())
        })
        .collect()
}
