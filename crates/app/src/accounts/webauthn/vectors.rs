//! The test vectors of the standard: browsers and authenticators of another make.

use std::collections::HashMap;

use data_encoding::HEXLOWER;

use super::encode;
use super::party::RelyingParty;
use super::verification::{Answer, challenge_of, new_credential, sign_count_of};

/// Of W3C Web Authentication, Level 3, 16.
const VECTORS: &str = include_str!("vectors.txt");

struct Vector(HashMap<&'static str, Vec<u8>>);

impl Vector {
    fn named(name: &str) -> Self {
        let mut parts = HashMap::new();
        for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
            let [of, part, hex] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
            if of == name {
                parts.insert(part, HEXLOWER.decode(hex.as_bytes()).unwrap());
            }
        }
        Self(parts)
    }

    fn part(&self, name: &str) -> &[u8] {
        &self.0[name]
    }

    fn new_credential(&self, party: &RelyingParty) -> Option<super::NewCredential> {
        let (client_data, object) =
            (self.part("registration.clientDataJSON"), self.part("registration.attestationObject"));
        new_credential(party, client_data, object)
    }

    fn answer(&self) -> Answer<'_> {
        Answer {
            client_data: self.part("authentication.clientDataJSON"),
            authenticator_data: self.part("authentication.authenticatorData"),
            signature: self.part("authentication.signature"),
        }
    }
}

fn party() -> RelyingParty {
    RelyingParty::of("https://example.org").unwrap()
}

#[test]
fn passkeys_of_the_three_algorithms_are_taken_whatever_vouches_for_them() {
    // [AUTH213]
    for name in [
        "none-es256",
        "packed-self-es256",
        "none-es256-long-credential-id",
        "packed-es256",
        "packed-rs256",
        "packed-eddsa",
        "tpm-es256",
        "apple-es256",
        "fido-u2f-es256",
    ] {
        let vector = Vector::named(name);
        let made = vector.new_credential(&party()).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(made.id, vector.part("credential_id"), "{name}");
        for part in ["registration", "authentication"] {
            let challenge = challenge_of(vector.part(&format!("{part}.clientDataJSON"))).unwrap();
            assert_eq!(challenge, encode(vector.part(&format!("{part}.challenge"))), "{name}");
        }
        let count = sign_count_of(&party(), &made.public_key, &vector.answer());
        assert_eq!((count, made.sign_count), (Some(0), 0), "{name}");
    }
}

#[test]
fn what_another_page_or_another_algorithm_has_made_is_refused() {
    // [AUTH213]
    for name in ["none-es256-crossOrigin", "none-es256-topOrigin", "packed-es384"] {
        assert!(Vector::named(name).new_credential(&party()).is_none(), "{name}");
    }
    let vector = Vector::named("none-es256");
    let key = vector.new_credential(&party()).unwrap().public_key;
    for url in ["https://example.com", "https://example.org:8443", "https://www.example.org"] {
        let other = RelyingParty::of(url).unwrap();
        assert!(vector.new_credential(&other).is_none(), "{url}");
        assert_eq!(sign_count_of(&other, &key, &vector.answer()), None, "{url}");
    }
    // The page is right, and the passkey is bound to another name.
    let other = RelyingParty { id: String::from("example.com"), ..party() };
    assert!(vector.new_credential(&other).is_none());
    assert_eq!(sign_count_of(&other, &key, &vector.answer()), None);
    for name in ["none-es256-crossOrigin", "none-es256-topOrigin", "packed-self-es256"] {
        assert_eq!(sign_count_of(&party(), &key, &Vector::named(name).answer()), None, "{name}");
    }
}

#[test]
fn an_answer_with_any_bit_changed_or_any_byte_missing_is_refused() {
    // [AUTH213]
    let vector = Vector::named("none-es256");
    let key = vector.new_credential(&party()).unwrap().public_key;
    let Answer { client_data, authenticator_data, signature } = vector.answer();
    let count = |client_data: &[u8], authenticator_data: &[u8], signature: &[u8]| {
        sign_count_of(&party(), &key, &Answer { client_data, authenticator_data, signature })
    };
    assert_eq!(count(client_data, authenticator_data, signature), Some(0));
    let changed = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1;
        bytes
    };
    for at in 0..client_data.len() {
        assert_eq!(count(&changed(client_data, at), authenticator_data, signature), None, "{at}");
    }
    for at in 0..authenticator_data.len() {
        assert_eq!(count(client_data, &changed(authenticator_data, at), signature), None, "{at}");
        assert_eq!(count(client_data, &authenticator_data[..at], signature), None, "{at}");
    }
    for at in 0..signature.len() {
        assert_eq!(count(client_data, authenticator_data, &changed(signature, at)), None, "{at}");
    }
    // A new credential in two halves, and with something behind it.
    let (made_of, object) =
        (vector.part("registration.clientDataJSON"), vector.part("registration.attestationObject"));
    for at in 0..object.len() {
        assert!(new_credential(&party(), made_of, &object[..at]).is_none(), "{at}");
    }
    assert!(new_credential(&party(), made_of, &[object, &[0]].concat()).is_none());
    // The answer to one question is none to another.
    assert!(new_credential(&party(), client_data, object).is_none());
    assert_eq!(count(made_of, authenticator_data, signature), None);
}
