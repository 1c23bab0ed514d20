//! Signatures of the Standard Webhooks specification: HMAC-SHA256 over id, time and body, in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::messages::Message;

/// The header `webhook-signature`: one signature by each secret.
pub(super) fn signatures(message: &Message<'_>) -> String {
    let each: Vec<String> =
        message.secrets.iter().map(|secret| format!("v1,{}", sign(secret.key(), message))).collect();
    each.join(" ")
}

fn sign(key: &[u8], message: &Message<'_>) -> String {
    let Message { id, timestamp, payload, .. } = message;
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    mac.update(format!("{id}.{timestamp}.{payload}").as_bytes());
    STANDARD.encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::webhooks::Secret;

    fn message<'a>(secrets: &'a [&'a Secret]) -> Message<'a> {
        Message {
            url: "https://example.com/",
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            timestamp: 1_614_265_330,
            payload: "{\"test\": 2432232314}",
            is_public_only: false,
            secrets,
        }
    }

    #[test]
    fn signatures_are_those_of_the_specifications_libraries() {
        // [HOOK011]
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        assert_eq!(sign(&key, &message(&[])), "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn each_secret_signs() {
        // [HOOK012]
        let (new, former) = (Secret::from_bytes([1; 32]), Secret::from_bytes([2; 32]));
        let both = signatures(&message(&[&new, &former]));
        let signed: Vec<&str> = both.split(' ').collect();
        assert_eq!(signed, [signatures(&message(&[&new])), signatures(&message(&[&former]))]);
        assert!(signed.iter().all(|signature| signature.starts_with("v1,")) && signed[0] != signed[1]);
    }
}
