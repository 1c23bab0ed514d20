//! The provider's signatures: lower-case hexadecimal HMAC-SHA256 (RFC 2104).

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Signs the concatenation of `pieces`.
pub(crate) fn sign(secret: &SecretString, pieces: &[&[u8]]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes())
        .expect("HMAC takes keys of every length");
    for piece in pieces {
        mac.update(piece);
    }
    mac.finalize().into_bytes().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Signs a payment as the checkout does.
pub(crate) fn sign_payment(secret: &SecretString, order_id: &str, payment_id: &str) -> String {
    sign(secret, &[order_id.as_bytes(), b"|", payment_id.as_bytes()])
}

/// Compares in constant time.
pub(super) fn verify(secret: &SecretString, pieces: &[&[u8]], signature: &str) -> bool {
    sign(secret, pieces).as_bytes().ct_eq(signature.as_bytes()).into()
}

/// [`verify`] of what [`sign_payment`] signs.
pub(super) fn verify_payment(
    secret: &SecretString,
    order_id: &str,
    payment_id: &str,
    signature: &str,
) -> bool {
    verify(secret, &[order_id.as_bytes(), b"|", payment_id.as_bytes()], signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_rfc_4231() {
        // Test case 2.
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        let secret = SecretString::from("Jefe");
        assert_eq!(sign(&secret, &[b"what do ya want ", b"for nothing?"]), expected);
        assert!(verify(&secret, &[b"what do ya want for nothing?"], expected));
    }

    #[test]
    fn signatures_are_compared_in_constant_time() {
        // [PAY054] A clock cannot tell on a busy machine; the code can: one comparison, by `subtle`, and no other.
        let code = include_str!("signatures.rs").split("#[cfg(test)]").next().unwrap();
        assert_eq!(code.matches(".ct_eq(").count(), 1);
        assert!(!code.contains("==") && !code.contains("!=") && !code.contains("starts_with"));
    }

    #[test]
    fn anything_else_is_refused() {
        let secret = SecretString::from("key");
        let good = sign_payment(&secret, "order_1", "pay_1");
        assert!(verify_payment(&secret, "order_1", "pay_1", &good));
        for bad in ["", "0", &good[1..], &format!("{good}0"), &good.replace('a', "b"), &"é".repeat(32)] {
            assert!(bad == good || !verify_payment(&secret, "order_1", "pay_1", bad), "{bad}");
        }
        assert!(!verify_payment(&secret, "order_2", "pay_1", &good));
        assert!(!verify_payment(&secret, "order_1", "pay_2", &good));
        assert!(!verify_payment(&SecretString::from("other"), "order_1", "pay_1", &good));
    }
}
