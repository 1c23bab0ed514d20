//! The two ceremonies of WebAuthn, which the library performs (decision 0077), and what it leaves to its caller: frames, keys as
//! they are stored, a bound for ids, and that nobody vouches for authenticators. What is about accounts and challenges is in the
//! module above.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_cbor_2::Value;
use storage::accounts::passkeys::Passkey;
use tracing::debug;
use tracing::subscriber::{NoSubscriber, with_default};
use webauthn_rs_core::error::WebauthnError;
use webauthn_rs_core::proto::{
    AttestationConveyancePreference, AttestationFormat, AuthenticationState,
    AuthenticatorAssertionResponseRaw, AuthenticatorAttestationResponseRaw, COSEAlgorithm,
    CollectedClientData, Credential, ParsedAttestation, PublicKeyCredential, RegisterPublicKeyCredential,
    RegisteredExtensions, RegistrationState, UserVerificationPolicy,
};

use super::encoding::encode;
use super::keys;
use super::party::RelyingParty;
use crate::{Failure, Result};

/// What new passkeys may sign with: of what the web app asks for, what the library verifies.
const ALGORITHMS: [COSEAlgorithm; 2] = [COSEAlgorithm::ES256, COSEAlgorithm::RS256];
/// Longest credential id (6.5.1). The library takes four times as much, which PostgreSQL has no room for in an index.
const CREDENTIAL_ID: usize = 1023;
/// Where the flags stand in authenticator data, and the one of a passkey that can be on several devices (6.1).
const FLAGS: usize = 32;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const KIND: &str = "public-key";

/// A question that was just drawn.
pub(super) struct Drawn {
    /// In base64url.
    pub(super) challenge: String,
    /// What the library keeps until the answer; it never leaves the server.
    pub(super) state: String,
}

/// A credential that was just made.
#[derive(Debug)]
pub(crate) struct NewCredential {
    /// As its authenticator has named it.
    pub(crate) id: Vec<u8>,
    /// A COSE_Key.
    pub(crate) public_key: Vec<u8>,
    /// What its authenticator has counted.
    pub(crate) sign_count: u32,
}

/// What a passkey has answered.
pub(super) struct Answer<'a> {
    pub(super) client_data: &'a [u8],
    pub(super) authenticator_data: &'a [u8],
    pub(super) signature: &'a [u8],
}

/// What an answer is worth.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    Wrong,
    /// It is signed, and its authenticator has not counted on: there are two of it.
    Copied,
    /// It is right, and its authenticator has counted so far.
    Right(u32),
}

/// Draws a question for a new passkey. The browser is asked by the web app, which needs the challenge alone of what the library
/// proposes.
pub(super) fn draw_registration(party: &RelyingParty, user_handle: &[u8]) -> Result<Drawn> {
    let library = party.library();
    let builder = library
        .new_challenge_register_builder(user_handle, &party.id, &party.id)
        .map_err(internal)?
        .attestation(AttestationConveyancePreference::None)
        .user_verification_policy(UserVerificationPolicy::Preferred)
        .credential_algorithms(ALGORITHMS.to_vec());
    let (question, state) = library.generate_challenge_register(builder).map_err(internal)?;
    Ok(Drawn { challenge: encode(&question.public_key.challenge), state: write(&state)? })
}

/// Draws a question for passkeys that there are. Which these are is looked up when one answers, so that none that was removed
/// meanwhile counts.
pub(super) fn draw(party: &RelyingParty) -> Result<Drawn> {
    let library = party.library();
    let builder = library
        .new_challenge_authenticate_builder(Vec::new(), Some(UserVerificationPolicy::Preferred))
        .map_err(internal)?;
    let (question, state) = library.generate_challenge_authenticate(builder).map_err(internal)?;
    Ok(Drawn { challenge: encode(&question.public_key.challenge), state: write(&state)? })
}

/// The challenge that was answered, in base64url.
pub(super) fn challenge_of(client_data: &[u8]) -> Option<String> {
    read_client_data(client_data).map(|said| encode(&said.challenge))
}

/// Whether a passkey can be asked: one that a version before has stored may have a key that the library does not verify.
pub(super) fn can_answer(passkey: &Passkey) -> bool {
    keys::read(&passkey.public_key).is_some()
}

/// The credential of an answer to a question for a new one.
pub(super) fn new_credential(
    party: &RelyingParty,
    state: &str,
    client_data: &[u8],
    object: &[u8],
) -> Result<Option<NewCredential>> {
    let state: RegistrationState = read(state)?;
    let Some(object) = without_statement(object).filter(|_| !is_framed(client_data)) else {
        return Ok(None);
    };
    let made = RegisterPublicKeyCredential {
        // The library takes the id from the attestation object.
        id: String::new(),
        raw_id: Vec::new(),
        response: AuthenticatorAttestationResponseRaw {
            attestation_object: object,
            client_data_json: client_data.to_vec(),
            transports: None,
        },
        type_: KIND.to_owned(),
        extensions: Default::default(),
    };
    match quietly(|| party.library().register_credential(&made, &state, None)) {
        Ok(made) if made.cred_id.len() > CREDENTIAL_ID => Ok(None),
        Ok(made) => {
            let public_key = keys::write(&made.cred);
            Ok(public_key.map(|public_key| NewCredential {
                id: made.cred_id,
                public_key,
                sign_count: made.counter,
            }))
        }
        Err(error) => {
            debug!(%error, "a new passkey was refused");
            Ok(None)
        }
    }
}

/// What an answer of this passkey is worth.
pub(super) fn verdict(
    party: &RelyingParty,
    state: &str,
    passkey: &Passkey,
    answer: &Answer<'_>,
) -> Result<Verdict> {
    let state: AuthenticationState = read(state)?;
    let Some(credential) = credential_of(passkey, answer) else { return Ok(Verdict::Wrong) };
    // The library asks for it at registration alone.
    if is_framed(answer.client_data) {
        return Ok(Verdict::Wrong);
    }
    let given = PublicKeyCredential {
        id: encode(&passkey.credential_id),
        raw_id: passkey.credential_id.clone(),
        response: AuthenticatorAssertionResponseRaw {
            authenticator_data: answer.authenticator_data.to_vec(),
            client_data_json: answer.client_data.to_vec(),
            signature: answer.signature.to_vec(),
            user_handle: None,
        },
        extensions: Default::default(),
        type_: KIND.to_owned(),
    };
    let result = quietly(|| party.library().authenticate_single_credential(&given, &state, &credential));
    Ok(match result {
        Ok(result) => Verdict::Right(result.counter()),
        Err(WebauthnError::CredentialPossibleCompromise) => Verdict::Copied,
        Err(error) => {
            debug!(%error, "the answer of a passkey was refused");
            Verdict::Wrong
        }
    })
}

/// The library's form of a stored passkey, of whichever version. Two things that it can hold against an answer are not stored:
///
/// - whether the passkey can be on several devices is what the answer says of it, so that the library compares nothing but the
///   answer with itself;
/// - whether its owner was verified when it was made would make verification a must from then on, where their password is the
///   other factor, and a laptop with its lid closed has no fingerprint reader.
fn credential_of(passkey: &Passkey, answer: &Answer<'_>) -> Option<Credential> {
    let flags = answer.authenticator_data.get(FLAGS)?;
    Some(Credential {
        cred_id: passkey.credential_id.clone(),
        cred: keys::read(&passkey.public_key)?,
        counter: u32::try_from(passkey.sign_count).ok()?,
        transports: None,
        user_verified: false,
        backup_eligible: flags & BACKUP_ELIGIBLE != 0,
        backup_state: false,
        registration_policy: UserVerificationPolicy::Preferred,
        extensions: RegisteredExtensions::none(),
        attestation: ParsedAttestation::default(),
        attestation_format: AttestationFormat::None,
    })
}

/// An attestation object (6.5.4) as it would be if nothing vouched for the authenticator's model. Nothing follows from what does,
/// and so the certificates of strangers do not reach the parsers of the library.
fn without_statement(object: &[u8]) -> Option<Vec<u8>> {
    let Value::Map(mut members) = serde_cbor_2::from_slice(object).ok()? else { return None };
    let text = |text: &str| Value::Text(text.to_owned());
    members.insert(text("fmt"), text("none"));
    members.insert(text("attStmt"), Value::Map(Default::default()));
    serde_cbor_2::to_vec(&Value::Map(members)).ok()
}

fn read_client_data(json: &[u8]) -> Option<CollectedClientData> {
    serde_json::from_slice(json).ok()
}

/// Whether a page of another origin had the asking page in a frame (5.8.1).
fn is_framed(client_data: &[u8]) -> bool {
    read_client_data(client_data)
        .is_none_or(|said| said.cross_origin == Some(true) || said.unknown_keys.contains_key("topOrigin"))
}

/// The library logs what it cannot read, as an error and with all its bytes, and strangers have sent them.
fn quietly<T>(verify: impl FnOnce() -> T) -> T {
    with_default(NoSubscriber::default(), verify)
}

fn write(state: &impl Serialize) -> Result<String> {
    serde_json::to_string(state).map_err(internal)
}

fn read<T: DeserializeOwned>(state: &str) -> Result<T> {
    serde_json::from_str(state).map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(format!("a question for passkeys cannot be drawn or read: {error}"))
}
