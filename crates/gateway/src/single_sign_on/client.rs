//! The client of the crate `openidconnect`, with every claim that a provider sends, and what is read of them.

use chrono::DateTime;
use domain::Timestamp;
use domain::accounts::single_sign_on::Person;
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreClientAuthMethod, CoreErrorResponseType, CoreGenderClaim,
    CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata,
    CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalClaims, AuthType, ClaimsVerificationError, ClientId, ClientSecret, EmptyExtraTokenFields,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, IdTokenClaims, IdTokenFields, Nonce, RedirectUrl,
    SignatureVerificationError, StandardErrorResponse, StandardTokenResponse, SubjectIdentifier,
    TokenResponse as _, UserInfoClaims,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The claims that OpenID Connect does not name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Others {
    #[serde(flatten)]
    all: Map<String, Value>,
}

impl AdditionalClaims for Others {}

/// What a provider gives for a code.
pub(super) type Tokens = StandardTokenResponse<
    IdTokenFields<
        Others,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

pub(super) type Client = openidconnect::Client<
    Others,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// How ID tokens may be signed: with a key that nobody but the provider has.
const SIGNED_BY: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

pub(super) fn of(
    metadata: CoreProviderMetadata,
    id: ClientId,
    secret: ClientSecret,
    redirect_url: RedirectUrl,
) -> Client {
    let methods = metadata.token_endpoint_auth_methods_supported();
    let takes = |method| methods.is_some_and(|methods| methods.contains(&method));
    // Without a list it is the header (OpenID Connect Discovery 1.0, 3).
    let only_in_the_body =
        takes(CoreClientAuthMethod::ClientSecretPost) && !takes(CoreClientAuthMethod::ClientSecretBasic);
    let auth = if only_in_the_body { AuthType::RequestBody } else { AuthType::BasicAuth };
    Client::from_provider_metadata(metadata, id, Some(secret))
        .set_auth_type(auth)
        .set_redirect_uri(redirect_url)
}

/// Why an ID token proves nobody.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unproved {
    #[error("it is signed with a key that the provider has not published")]
    UnknownKey,
    #[error("there is no ID token in the answer")]
    Missing,
    #[error("the ID token is not good: {0}")]
    Bad(ClaimsVerificationError),
}

/// Checks signature, issuer, audience, end and nonce of the ID token, and reads it.
pub(super) fn verify(
    client: &Client,
    tokens: &Tokens,
    nonce: &str,
    now: Timestamp,
) -> Result<Facts, Unproved> {
    let token = tokens.id_token().ok_or(Unproved::Missing)?;
    let verifier = client
        .id_token_verifier()
        .set_allowed_algs(SIGNED_BY)
        .set_time_fn(move || DateTime::from_timestamp_millis(now.as_millis()).unwrap_or_default());
    let claims = token.claims(&verifier, &Nonce::new(nonce.to_owned())).map_err(|error| match error {
        ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey) => {
            Unproved::UnknownKey
        }
        error => Unproved::Bad(error),
    })?;
    Ok(Facts::of(claims))
}

/// What a provider says of a person.
#[derive(Debug)]
pub(super) struct Facts {
    subject: SubjectIdentifier,
    email: Option<String>,
    is_email_verified: bool,
    name: Option<String>,
    methods: Vec<String>,
    others: Map<String, Value>,
}

impl Facts {
    fn of(claims: &IdTokenClaims<Others, CoreGenderClaim>) -> Self {
        let context = claims.auth_context_ref().map(|context| context.to_string());
        let methods = claims.auth_method_refs().into_iter().flatten().map(|method| method.to_string());
        Self {
            subject: claims.subject().clone(),
            email: claims.email().map(|email| email.to_string()),
            is_email_verified: claims.email_verified().unwrap_or_default(),
            name: claims.name().and_then(|name| name.get(None)).map(|name| name.to_string()),
            methods: methods.chain(context).collect(),
            others: claims.additional_claims().all.clone(),
        }
    }

    pub(super) fn subject(&self) -> SubjectIdentifier {
        self.subject.clone()
    }

    /// Whether the provider may have more to say.
    pub(super) fn lacks(&self, role_claim: Option<&str>) -> bool {
        self.email.is_none() || role_claim.is_some_and(|claim| at(&self.others, claim).is_none())
    }

    /// Adds what is not known yet. An address comes with whether it is verified.
    pub(super) fn add(&mut self, more: &UserInfoClaims<Others, CoreGenderClaim>) {
        if self.email.is_none() {
            self.email = more.email().map(|email| email.to_string());
            self.is_email_verified = more.email_verified().unwrap_or_default();
        }
        if self.name.is_none() {
            self.name = more.name().and_then(|name| name.get(None)).map(|name| name.to_string());
        }
        for (name, value) in &more.additional_claims().all {
            self.others.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }

    pub(super) fn person(self, role_claim: Option<&str>) -> Person {
        let roles = role_claim.and_then(|claim| at(&self.others, claim)).map(texts).unwrap_or_default();
        Person {
            subject: self.subject.to_string(),
            email: self.email,
            is_email_verified: self.is_email_verified,
            name: self.name,
            roles,
            methods: self.methods,
        }
    }
}

/// The claim of this name, or the one that is nested in others by dots. Names may have dots themselves.
fn at<'a>(claims: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if let Some(value) = claims.get(name) {
        return Some(value);
    }
    name.match_indices('.').find_map(|(dot, _)| {
        let inner = claims.get(&name[..dot])?.as_object()?;
        at(inner, &name[dot + 1..])
    })
}

/// A claim as texts: one, or a list.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Bool(value) => vec![value.to_string()],
        Value::Number(value) => vec![value.to_string()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Null | Value::Object(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_claim_is_found_by_its_name_or_its_way() {
        // [AUTH232]
        let claims = json!({
            "groups": ["staff", "admins"], "admin": true, "https://studio.example/roles": "admins",
            "realm_access": {"roles": ["owner", 7, null, {"a": "b"}]}, "a.b": "flat", "a": {"b": "nested"},
        });
        let claims = claims.as_object().unwrap();
        let found = |name: &str| at(claims, name).map(texts);
        let list = |values: &[&str]| Some(values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>());
        assert_eq!(found("groups"), list(&["staff", "admins"]));
        assert_eq!(found("admin"), list(&["true"]));
        assert_eq!(found("https://studio.example/roles"), list(&["admins"]));
        assert_eq!(found("realm_access.roles"), list(&["owner", "7"]));
        assert_eq!(found("a.b"), list(&["flat"]));
        assert_eq!(found("realm_access"), list(&[]));
        for missing in ["realm_access.groups", "groups.0", "nothing", "", "."] {
            assert_eq!(found(missing), None, "{missing}");
        }
    }
}
