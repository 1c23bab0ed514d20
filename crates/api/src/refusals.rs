//! What calls of one kind may answer beside their own, for the contract. In a list of responses these come first: what
//! follows takes the place of one of theirs.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};

/// A call that takes a JSON body or a form: it is bad, too large, or something else.
pub(crate) enum Unreadable {}

/// A call of somebody who is logged in.
pub(crate) enum NotLoggedIn {}

/// A call of a photographer's: nobody is logged in, or not a photographer.
pub(crate) enum NotPhotographer {}

/// A call that one address may make so often and no more.
pub(crate) enum TooOften {}

/// A call that needs something that may be out of reach for a while.
pub(crate) enum Busy {}

impl IntoResponses for Unreadable {
    fn responses() -> Responses {
        refusals(&[
            ("400", "Something in the body is missing or bad, and the text says what"),
            ("413", "The body is larger than such a call may be"),
            ("415", "The body is not of the type that the call takes"),
        ])
    }
}

impl IntoResponses for NotLoggedIn {
    fn responses() -> Responses {
        refusals(&[("401", "The token is missing, wrong or has run out")])
    }
}

impl IntoResponses for NotPhotographer {
    fn responses() -> Responses {
        let mut responses = NotLoggedIn::responses();
        responses.extend(refusals(&[("403", "The account is not a photographer's")]));
        responses
    }
}

impl IntoResponses for TooOften {
    fn responses() -> Responses {
        refusals(&[("429", "Too often from this address")])
    }
}

impl IntoResponses for Busy {
    fn responses() -> Responses {
        refusals(&[("503", "Not now; the same call may succeed in a moment")])
    }
}

type Responses = BTreeMap<String, RefOr<Response>>;

fn refusals(of: &[(&str, &str)]) -> Responses {
    let body = || ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    of.iter()
        .map(|(status, description)| {
            let response =
                ResponseBuilder::new().description(*description).content("application/json", body());
            ((*status).to_owned(), response.build().into())
        })
        .collect()
}
