//! An authenticator in software: what a browser and a passkey would send. It writes its CBOR by hand, so that the service is not
//! tested with its own reading.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use crate::harness::PUBLIC_URL;

/// Of the specification, 6.1.
const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKUP_STATE: u8 = 1 << 4;
const CREDENTIAL: u8 = 1 << 6;

pub(crate) struct Authenticator {
    pub(super) key: EcdsaKeyPair,
    pub(super) id: [u8; 16],
    /// Where the page is from that asks it.
    pub(crate) origin: String,
    /// What it believes to answer for.
    pub(crate) rp_id: String,
    /// Whether somebody touches it.
    pub(crate) is_touched: bool,
    /// Whether it has a fingerprint reader that is at hand.
    pub(crate) knows_its_owner: bool,
    /// Whether its passkeys are on several devices.
    pub(crate) is_synced: bool,
    /// The page that has the asking one in a frame.
    pub(crate) framed_by: Option<String>,
    pub(crate) counts: bool,
    pub(crate) count: u32,
}

impl Authenticator {
    pub(crate) fn new() -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random).unwrap();
        let mut id = [0; 16];
        random.fill(&mut id).unwrap();
        Self {
            key,
            id,
            origin: PUBLIC_URL.to_owned(),
            rp_id: String::from("localhost"),
            is_touched: true,
            knows_its_owner: false,
            is_synced: false,
            framed_by: None,
            counts: true,
            count: 1,
        }
    }

    /// Its credential's id.
    pub(crate) fn id(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.id)
    }

    fn client_data(&self, kind: &str, question: &Value) -> Vec<u8> {
        let challenge = question["challenge"].as_str().unwrap();
        let is_framed = self.framed_by.is_some();
        let mut data =
            json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": is_framed});
        if let Some(page) = &self.framed_by {
            data["topOrigin"] = json!(page);
        }
        data.to_string().into_bytes()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let mut data = digest(&SHA256, self.rp_id.as_bytes()).as_ref().to_vec();
        let own = [
            (self.is_touched, USER_PRESENT),
            (self.knows_its_owner, USER_VERIFIED),
            (self.is_synced, BACKUP_ELIGIBLE | BACKUP_STATE),
        ];
        data.push(own.iter().filter(|(is_set, _)| *is_set).fold(flags, |flags, (_, own)| flags | own));
        data.extend(self.count.to_be_bytes());
        data
    }

    /// The public key of its credential, as it sends it: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
    pub(super) fn public_key(&self) -> Vec<u8> {
        let point = self.key.public_key().as_ref();
        let mut key = vec![0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
        key.extend(&point[1..33]);
        key.extend([0x22, 0x58, 0x20]);
        key.extend(&point[33..]);
        key
    }

    /// Makes its credential.
    pub(crate) fn create(&self, question: &Value) -> Value {
        let mut data = self.data(CREDENTIAL);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(self.id);
        data.extend(self.public_key());
        // {"fmt": "none", "attStmt": {}, "authData": data}
        let mut object = vec![0xa3];
        object.extend(b"\x63fmt\x64none\x67attStmt\xa0\x68authData");
        object.extend([0x58, u8::try_from(data.len()).unwrap()]);
        object.extend(data);
        json!({
            "client_data_json": URL_SAFE_NO_PAD.encode(self.client_data("webauthn.create", question)),
            "attestation_object": URL_SAFE_NO_PAD.encode(object),
        })
    }

    /// Answers a question.
    pub(crate) fn get(&mut self, question: &Value) -> Value {
        if self.counts {
            self.count += 1;
        }
        let client_data = self.client_data("webauthn.get", question);
        let data = self.data(0);
        let message = [data.as_slice(), digest(&SHA256, &client_data).as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &message).unwrap();
        json!({
            "id": self.id(),
            "client_data_json": URL_SAFE_NO_PAD.encode(client_data),
            "authenticator_data": URL_SAFE_NO_PAD.encode(data),
            "signature": URL_SAFE_NO_PAD.encode(signature.as_ref()),
        })
    }
}
