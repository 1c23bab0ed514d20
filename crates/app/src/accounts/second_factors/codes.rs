//! The codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, which every app can do.

use data_encoding::BASE32_NOPAD;
use domain::accounts::second_factor::{DIGITS, PERIOD_SECONDS};
use hmac::{Hmac, KeyInit as _, Mac as _};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha1::Sha1;
use subtle::ConstantTimeEq as _;

/// The code of a step (RFC 4226, 5.3).
fn code(secret: &[u8], step: i64) -> Option<String> {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).ok()?;
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest.last()? & 0xf);
    let four = digest.get(offset..offset + 4)?.try_into().ok()?;
    let number = u32::from_be_bytes(four) & 0x7fff_ffff;
    Some(format!("{:0width$}", number % 10_u32.pow(u32::try_from(DIGITS).ok()?), width = DIGITS))
}

/// Whether these digits are the code of a step.
pub(super) fn matches(secret: &[u8], step: i64, digits: &str) -> bool {
    code(secret, step).is_some_and(|code| bool::from(code.as_bytes().ct_eq(digits.as_bytes())))
}

/// A secret as it is typed into an app.
pub(super) fn base32(secret: &[u8]) -> String {
    BASE32_NOPAD.encode(secret)
}

/// The URI that apps read from a QR code (the key URI format of Google Authenticator). Apps list the account under what the service
/// is called.
pub(super) fn uri(site: &str, email: &str, secret: &[u8]) -> String {
    let issuer = utf8_percent_encode(site, NON_ALPHANUMERIC);
    let (account, secret) = (utf8_percent_encode(email, NON_ALPHANUMERIC), base32(secret));
    format!(
        "otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits={DIGITS}&period={PERIOD_SECONDS}"
    )
}

/// The code of a secret in Base32.
#[cfg(feature = "testing")]
pub(super) fn at(secret: &str, step: i64) -> Option<String> {
    code(&BASE32_NOPAD.decode(secret.as_bytes()).ok()?, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_the_standard() {
        // [AUTH206]
        // RFC 6238, appendix B, of whose eight digits the last six are ours; RFC 4226, appendix D.
        let secret = b"12345678901234567890";
        for (seconds, expected) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code(secret, seconds / 30).unwrap(), expected, "{seconds}");
            assert!(matches(secret, seconds / 30, expected));
            assert!(!matches(secret, seconds / 30 + 1, expected));
        }
        for (counter, expected) in ["755224", "287082", "359152", "969429"].into_iter().enumerate() {
            assert_eq!(code(secret, i64::try_from(counter).unwrap()).unwrap(), expected);
        }
        assert!(!matches(secret, 1, "28708"));
    }

    #[test]
    fn an_app_reads_the_secret_from_the_uri() {
        assert_eq!(base32(b"12345678901234567890"), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(
            uri("Afterglow", "zoe+1@example.com", b"12345678901234567890"),
            "otpauth://totp/Afterglow:zoe%2B1%40example%2Ecom?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=Afterglow&algorithm=SHA1&digits=6&period=30"
        );
    }
}
