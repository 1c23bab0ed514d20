//! The contract as the document that is published: what the handlers declare, completed and without repetition.

use std::collections::BTreeMap;

use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::server::ServerBuilder;
use utoipa::openapi::{OpenApi, Ref, RefOr, Response};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Afterglow",
        description = "Event photos, found by a selfie. Errors of every call are `{\"error\": text for a person, \"code\": stable_snake_case}`.",
        license(name = "AGPL-3.0-or-later", identifier = "AGPL-3.0-or-later"),
    ),
    modifiers(&BearerScheme),
    tags(
        (name = "accounts", description = "Registering, verifying, logging in"),
        (name = "events", description = "A photographer's events"),
        (name = "photos", description = "A photographer's photos, and links to bytes"),
        (name = "faces", description = "Finding a person's photos by a selfie"),
        (name = "credits", description = "A photographer's credits"),
        (name = "payments", description = "Buying credits and the premium plan"),
        (name = "contact", description = "Messages to support"),
        (name = "operation", description = "Health of the service"),
        (name = "administration", description = "What administrators look after"),
    ),
)]
pub(crate) struct Contract;

struct BearerScheme;

impl utoipa::Modify for BearerScheme {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
        let components = openapi.components.get_or_insert_with(Default::default);
        components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    }
}

/// OpenAPI 3.1 as pretty JSON with a newline at the end.
pub(crate) fn document(mut contract: OpenApi) -> String {
    describe_successes(&mut contract);
    share_refusals(&mut contract);
    open_the_rest(&mut contract);
    // Wherever the document is read, its paths are those of the server that it comes from.
    contract.servers = Some(vec![ServerBuilder::new().url("/").description(Some("This server")).build()]);
    let mut text = contract.to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

/// OpenAPI 3.1 requires a description of every response; that of a success is mostly said by its operation.
fn describe_successes(contract: &mut OpenApi) {
    for (status, response) in responses(contract) {
        if let (RefOr::T(response), true) = (response, status.starts_with('2'))
            && response.description.is_empty()
        {
            "Done".clone_into(&mut response.description);
        }
    }
}

/// Says of operations that need no token that they need none, for readers that take silence for an omission.
fn open_the_rest(contract: &mut OpenApi) {
    for operation in contract.paths.paths.values_mut().flat_map(operations) {
        operation.security.get_or_insert_default();
    }
}

/// Makes a component of each refusal that several operations have, and lets them refer to it.
fn share_refusals(contract: &mut OpenApi) {
    let mut uses: BTreeMap<String, (usize, Response)> = BTreeMap::new();
    for (status, response) in responses(contract) {
        if let (RefOr::T(response), false) = (response, status.starts_with('2')) {
            uses.entry(name(status, response)).or_insert_with(|| (0, response.clone())).0 += 1;
        }
    }
    uses.retain(|_, (count, _)| *count > 1);
    for (status, response) in responses(contract) {
        if let RefOr::T(refusal) = response
            && let name = name(status, refusal)
            && uses.get(&name).is_some_and(|(_, shared)| shared == refusal)
        {
            *response = RefOr::Ref(Ref::from_response_name(name));
        }
    }
    let components = contract.components.get_or_insert_default();
    components.responses.extend(uses.into_iter().map(|(name, (_, response))| (name, RefOr::T(response))));
}

/// `404-no-such-event`: of the characters that a component's name may have.
fn name(status: &str, response: &Response) -> String {
    let words =
        response.description.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(status.to_owned(), |name, word| format!("{name}-{}", word.to_ascii_lowercase()))
}

/// The responses of all operations, with their statuses.
fn responses(contract: &mut OpenApi) -> impl Iterator<Item = (&str, &mut RefOr<Response>)> {
    let operations = contract.paths.paths.values_mut().flat_map(operations);
    operations
        .flat_map(|operation| &mut operation.responses.responses)
        .map(|(status, response)| (status.as_str(), response))
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, head, options, post, put, patch, delete, .. } = path;
    [get, head, options, post, put, patch, delete].into_iter().flatten()
}
