//! The steps that a relying party takes with an answer (W3C Web Authentication, Level 3, 7.1 and 7.2). Those about accounts and
//! challenges are its caller's.

use minicbor::Decoder;
use ring::digest::{SHA256, digest};
use serde::Deserialize;

use super::keys::PublicKey;
use super::party::RelyingParty;

/// The flags of authenticator data (6.1).
mod flags {
    pub(super) const USER_PRESENT: u8 = 1;
    pub(super) const BACKUP_ELIGIBLE: u8 = 1 << 3;
    pub(super) const BACKUP_STATE: u8 = 1 << 4;
    pub(super) const CREDENTIAL: u8 = 1 << 6;
    pub(super) const EXTENSIONS: u8 = 1 << 7;
}

const HASH: usize = 32;
/// The length of the id of an authenticator's model.
const AAGUID: usize = 16;
/// Longest credential id (6.5.1).
const CREDENTIAL_ID: usize = 1023;

/// What a browser says of a question (5.8.1).
#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(rename = "crossOrigin", default)]
    is_cross_origin: bool,
    #[serde(rename = "topOrigin")]
    top_origin: Option<String>,
}

impl ClientData {
    fn read(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok()
    }

    /// Whether it was asked by a page of this service, which no other page frames, for this.
    fn is_of(&self, party: &RelyingParty, kind: &str) -> bool {
        self.kind == kind && self.origin == party.origin && !self.is_cross_origin && self.top_origin.is_none()
    }
}

/// The challenge that was answered.
pub(super) fn challenge_of(client_data: &[u8]) -> Option<String> {
    ClientData::read(client_data).map(|data| data.challenge)
}

/// A credential that was just made.
pub(crate) struct NewCredential {
    /// As its authenticator has named it.
    pub(crate) id: Vec<u8>,
    /// A COSE_Key.
    pub(crate) public_key: Vec<u8>,
    /// What its authenticator has counted.
    pub(crate) sign_count: u32,
}

/// What an authenticator says of itself (6.1).
struct AuthenticatorData {
    rp_id_hash: [u8; HASH],
    flags: u8,
    sign_count: u32,
    /// The id and the public key of a new credential.
    credential: Option<(Vec<u8>, Vec<u8>)>,
}

impl AuthenticatorData {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (rp_id_hash, rest) = bytes.split_first_chunk::<HASH>()?;
        let (flags, rest) = rest.split_first()?;
        let (sign_count, rest) = rest.split_first_chunk::<4>()?;
        let (credential, rest) = if flags & flags::CREDENTIAL == 0 {
            (None, rest)
        } else {
            let (_, rest) = rest.split_first_chunk::<AAGUID>()?;
            let (length, rest) = rest.split_first_chunk::<2>()?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (id, rest) = rest.split_at_checked(length).filter(|_| length <= CREDENTIAL_ID)?;
            let mut decoder = Decoder::new(rest);
            PublicKey::read(&mut decoder)?;
            let (key, rest) = rest.split_at_checked(decoder.position())?;
            (Some((id.to_vec(), key.to_vec())), rest)
        };
        let rest = if flags & flags::EXTENSIONS == 0 {
            rest
        } else {
            let mut decoder = Decoder::new(rest);
            decoder.map().ok()?;
            decoder.set_position(0);
            decoder.skip().ok()?;
            rest.get(decoder.position()..)?
        };
        let sign_count = u32::from_be_bytes(*sign_count);
        rest.is_empty().then_some(Self { rp_id_hash: *rp_id_hash, flags: *flags, sign_count, credential })
    }

    /// Whether it was made for this service, by somebody who was there. That it was this person is not asked for: they have given
    /// their password.
    fn is_for(&self, party: &RelyingParty) -> bool {
        let has = |flag: u8| self.flags & flag != 0;
        digest(&SHA256, party.id.as_bytes()).as_ref() == self.rp_id_hash
            && has(flags::USER_PRESENT)
            && (has(flags::BACKUP_ELIGIBLE) || !has(flags::BACKUP_STATE))
    }
}

/// The authenticator data of an attestation object (6.5.4). What vouches for the authenticator's model is not asked for and not
/// looked at, but where there is to be nothing, there is nothing.
fn authenticator_data_of(object: &[u8]) -> Option<&[u8]> {
    let mut decoder = Decoder::new(object);
    let (mut format, mut statement, mut data) = (None, None, None);
    for _ in 0..decoder.map().ok()?? {
        match decoder.str().ok()? {
            "fmt" => format = Some(decoder.str().ok()?),
            "attStmt" => {
                let start = decoder.position();
                statement = decoder.map().ok()?;
                decoder.set_position(start);
                decoder.skip().ok()?;
            }
            "authData" => data = Some(decoder.bytes().ok()?),
            _ => decoder.skip().ok()?,
        }
    }
    let is_whole = decoder.position() == object.len();
    let is_nothing = statement? == 0;
    data.filter(|_| is_whole && format.is_some_and(|format| format != "none" || is_nothing))
}

/// The credential of an answer to a question for a new one.
pub(super) fn new_credential(
    party: &RelyingParty,
    client_data: &[u8],
    object: &[u8],
) -> Option<NewCredential> {
    if !ClientData::read(client_data)?.is_of(party, "webauthn.create") {
        return None;
    }
    let data = AuthenticatorData::read(authenticator_data_of(object)?)?;
    if !data.is_for(party) {
        return None;
    }
    let (id, public_key) = data.credential?;
    Some(NewCredential { id, public_key, sign_count: data.sign_count })
}

/// What a passkey has answered.
pub(super) struct Answer<'a> {
    pub(super) client_data: &'a [u8],
    pub(super) authenticator_data: &'a [u8],
    pub(super) signature: &'a [u8],
}

/// What the authenticator has counted, of an answer that the passkey with this public key has signed.
pub(super) fn sign_count_of(party: &RelyingParty, public_key: &[u8], answer: &Answer<'_>) -> Option<u32> {
    if !ClientData::read(answer.client_data)?.is_of(party, "webauthn.get") {
        return None;
    }
    let data = AuthenticatorData::read(answer.authenticator_data)?;
    if !data.is_for(party) {
        return None;
    }
    let key = PublicKey::read(&mut Decoder::new(public_key))?;
    let mut message = answer.authenticator_data.to_vec();
    message.extend_from_slice(digest(&SHA256, answer.client_data).as_ref());
    key.verifies(&message, answer.signature).then_some(data.sign_count)
}
