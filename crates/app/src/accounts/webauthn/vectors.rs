//! The test vectors of the standard: browsers and authenticators of another make.

use std::collections::HashMap;
use std::io::Read as _;

use data_encoding::HEXLOWER;
use domain::Timestamp;
use serde_json::{Value, json};
use storage::accounts::passkeys::Passkey;

use super::ceremonies::{self, Answer, Drawn, NewCredential, Verdict, challenge_of, new_credential, verdict};
use super::encoding::encode;
use super::keys;
use super::party::RelyingParty;

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

    fn new_credential(&self, party: &RelyingParty) -> Option<NewCredential> {
        let (client_data, object) =
            (self.part("registration.clientDataJSON"), self.part("registration.attestationObject"));
        new_credential(party, &self.registration(), client_data, object).unwrap()
    }

    /// The state of a question for a new passkey with the challenge of this vector.
    fn registration(&self) -> String {
        let drawn = ceremonies::draw_registration(&party(), b"somebody").unwrap();
        asking(&drawn, self.part("registration.challenge"))
    }

    /// The state of a question for an answer with the challenge of this vector.
    fn authentication(&self) -> String {
        asking(&ceremonies::draw(&party()).unwrap(), self.part("authentication.challenge"))
    }

    fn answer(&self) -> Answer<'_> {
        Answer {
            client_data: self.part("authentication.clientDataJSON"),
            authenticator_data: self.part("authentication.authenticatorData"),
            signature: self.part("authentication.signature"),
        }
    }

    fn verdict(&self, party: &RelyingParty, public_key: &[u8]) -> Verdict {
        verdict(party, &self.authentication(), &self.passkey(public_key), &self.answer()).unwrap()
    }

    fn passkey(&self, public_key: &[u8]) -> Passkey {
        Passkey {
            id: "0190f1b2-0000-7000-8000-000000000001".parse().unwrap(),
            credential_id: self.part("credential_id").to_vec(),
            public_key: public_key.to_vec(),
            name: String::from("Phone"),
            sign_count: 0,
            created_at: Timestamp::from_millis(0),
            last_used_at: None,
        }
    }

    /// The public key as the authenticator has sent it, which is what the version before has stored: it follows the id.
    fn sent_key(&self) -> &[u8] {
        let (id, object) = (self.part("credential_id"), self.part("registration.attestationObject"));
        let start = object.windows(id.len()).position(|part| part == id).unwrap();
        &object[start + id.len()..]
    }
}

fn asking(drawn: &Drawn, challenge: &[u8]) -> String {
    let mut state: Value = serde_json::from_str(&drawn.state).unwrap();
    assert_eq!(state["challenge"], drawn.challenge);
    state["challenge"] = json!(encode(challenge));
    state.to_string()
}

fn party() -> RelyingParty {
    RelyingParty::of("https://example.org").unwrap()
}

#[test]
fn passkeys_of_both_algorithms_are_taken_whatever_vouches_for_them() {
    // [AUTH213]
    for name in [
        "none-es256",
        "packed-self-es256",
        "none-es256-long-credential-id",
        "packed-es256",
        "none-rs256-2048",
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
        assert_eq!(vector.verdict(&party(), &made.public_key), Verdict::Right(0), "{name}");
        assert_eq!(made.sign_count, 0, "{name}");
    }
}

#[test]
fn keys_as_a_version_before_has_stored_them_are_read() {
    // [AUTH213]
    for name in ["none-es256", "packed-self-es256", "none-rs256-2048", "fido-u2f-es256"] {
        let vector = Vector::named(name);
        let (sent, made) = (vector.sent_key(), vector.new_credential(&party()).unwrap());
        assert_eq!(vector.verdict(&party(), sent), Verdict::Right(0), "{name}");
        assert!(ceremonies::can_answer(&vector.passkey(sent)), "{name}");
        // What is stored now is what the authenticator has sent, too.
        assert_eq!(HEXLOWER.encode(&made.public_key), HEXLOWER.encode(sent), "{name}");
    }
    // The library does not verify Ed25519, nor RSA of other lengths: such passkeys are not asked for, and do not answer.
    for name in ["packed-eddsa", "packed-rs256"] {
        let vector = Vector::named(name);
        assert!(!ceremonies::can_answer(&vector.passkey(vector.sent_key())), "{name}");
        assert_eq!(vector.verdict(&party(), vector.sent_key()), Verdict::Wrong, "{name}");
    }
    assert!(keys::read(b"no key").is_none());
}

#[test]
fn what_another_page_or_another_algorithm_has_made_is_refused() {
    // [AUTH213]
    for name in
        ["none-es256-crossOrigin", "none-es256-topOrigin", "packed-es384", "packed-eddsa", "packed-rs256"]
    {
        assert!(Vector::named(name).new_credential(&party()).is_none(), "{name}");
    }
    let vector = Vector::named("none-es256");
    let key = vector.new_credential(&party()).unwrap().public_key;
    for url in ["https://example.com", "https://example.org:8443", "https://www.example.org"] {
        let other = RelyingParty::of(url).unwrap();
        assert!(vector.new_credential(&other).is_none(), "{url}");
        assert_eq!(vector.verdict(&other, &key), Verdict::Wrong, "{url}");
    }
    // The page is right, and the passkey is bound to another name.
    let mut other = party();
    other.id = String::from("example.com");
    assert!(vector.new_credential(&other).is_none());
    assert_eq!(vector.verdict(&other, &key), Verdict::Wrong);
    // With their own keys, so that nothing is wrong but the frame.
    for name in ["none-es256-crossOrigin", "none-es256-topOrigin"] {
        let vector = Vector::named(name);
        assert_eq!(vector.verdict(&party(), vector.sent_key()), Verdict::Wrong, "{name}");
    }
    assert_eq!(Vector::named("packed-self-es256").verdict(&party(), &key), Verdict::Wrong, "another key");
}

#[test]
fn an_answer_with_any_bit_changed_or_any_byte_missing_is_refused() {
    // [AUTH213]
    let vector = Vector::named("none-es256");
    let (asked, answered) = (vector.registration(), vector.authentication());
    let passkey = vector.passkey(&vector.new_credential(&party()).unwrap().public_key);
    let Answer { client_data, authenticator_data, signature } = vector.answer();
    let is_right = |client_data: &[u8], authenticator_data: &[u8], signature: &[u8]| {
        let answer = Answer { client_data, authenticator_data, signature };
        verdict(&party(), &answered, &passkey, &answer).unwrap() != Verdict::Wrong
    };
    assert!(is_right(client_data, authenticator_data, signature));
    let changed = |bytes: &[u8], at: usize, bit: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1 << bit;
        bytes
    };
    for bit in 0..8 {
        for at in 0..client_data.len() {
            assert!(!is_right(&changed(client_data, at, bit), authenticator_data, signature), "{at} {bit}");
        }
        for at in 0..authenticator_data.len() {
            assert!(!is_right(client_data, &changed(authenticator_data, at, bit), signature), "{at} {bit}");
        }
        for at in 0..signature.len() {
            assert!(!is_right(client_data, authenticator_data, &changed(signature, at, bit)), "{at} {bit}");
        }
    }
    for at in 0..authenticator_data.len() {
        assert!(!is_right(client_data, &authenticator_data[..at], signature), "{at}");
    }
    for at in 0..signature.len() {
        assert!(!is_right(client_data, authenticator_data, &signature[..at]), "{at}");
    }
    // A new credential in two halves, and with something behind it.
    let (made_of, object) =
        (vector.part("registration.clientDataJSON"), vector.part("registration.attestationObject"));
    let is_made = |client_data: &[u8], object: &[u8]| {
        new_credential(&party(), &asked, client_data, object).unwrap().is_some()
    };
    assert!(is_made(made_of, object));
    for at in 0..object.len() {
        assert!(!is_made(made_of, &object[..at]), "{at}");
    }
    assert!(!is_made(made_of, &[object, &[0]].concat()));
    // The answer to one question is none to another.
    assert!(!is_made(client_data, object));
    assert!(!is_right(made_of, authenticator_data, signature));
    let other = asking(&ceremonies::draw(&party()).unwrap(), vector.part("registration.challenge"));
    assert_eq!(verdict(&party(), &other, &passkey, &vector.answer()).unwrap(), Verdict::Wrong);
}

#[test]
fn an_id_is_as_long_as_the_standard_allows() {
    // [AUTH213]
    let vector = Vector::named("none-es256");
    let (old, object) = (vector.part("credential_id"), vector.part("registration.attestationObject"));
    let is_taken = |length: usize| {
        // Behind the name `authData` a byte string, which has the id behind two bytes of its length.
        let start = object.windows(8).position(|part| part == b"authData").unwrap() + 8;
        let at = object.windows(old.len()).position(|part| part == old).unwrap();
        let mut data = object[start + 2..at - 2].to_vec();
        data.extend(u16::try_from(length).unwrap().to_be_bytes());
        data.extend(vec![7; length]);
        data.extend(vector.sent_key());
        let mut changed = object[..start].to_vec();
        changed.push(0x59);
        changed.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        changed.extend(data);
        let client_data = vector.part("registration.clientDataJSON");
        new_credential(&party(), &vector.registration(), client_data, &changed).unwrap().is_some()
    };
    assert!(is_taken(1023));
    assert!(!is_taken(1024));
}

#[test]
fn the_library_logs_nothing_of_what_strangers_send() {
    // [AUTH213]
    let mut log = tempfile::tempfile().unwrap();
    let writer = std::sync::Mutex::new(log.try_clone().unwrap());
    let subscriber = tracing_subscriber::fmt().with_writer(writer).finish();
    tracing::subscriber::with_default(subscriber, || {
        tracing::info!("it is written");
        let vector = Vector::named("none-es256");
        let party = party();
        let client_data = vector.part("registration.clientDataJSON");
        let object = vector.part("registration.attestationObject");
        // A key that is no CBOR, and flags of parts that are not there.
        let key = object.len() - vector.sent_key().len();
        let broken = [&object[..key], &vec![0xff; object.len() - key]].concat();
        assert!(new_credential(&party, &vector.registration(), client_data, &broken).unwrap().is_none());
        let answer = Answer { authenticator_data: &[0xff; 60], ..vector.answer() };
        let passkey = vector.passkey(vector.sent_key());
        let verdict = verdict(&party, &vector.authentication(), &passkey, &answer).unwrap();
        assert_eq!(verdict, Verdict::Wrong);
    });
    let mut text = String::new();
    std::io::Seek::rewind(&mut log).unwrap();
    log.read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
}
