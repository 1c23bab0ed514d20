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
        json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false})
            .to_string()
            .into_bytes()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let mut data = digest(&SHA256, self.rp_id.as_bytes()).as_ref().to_vec();
        data.push(flags | if self.is_touched { USER_PRESENT } else { 0 });
        data.extend(self.count.to_be_bytes());
        data
    }

    /// Makes its credential.
    pub(crate) fn create(&self, question: &Value) -> Value {
        let mut data = self.data(CREDENTIAL);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(self.id);
        let point = self.key.public_key().as_ref();
        // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point[33..]);
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
