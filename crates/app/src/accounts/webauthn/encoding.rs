//! Base64url without padding, in which ids, challenges and answers are sent.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

pub(crate) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// None where one of them is no base64url.
pub(super) fn decode_all<const N: usize>(parts: [&String; N]) -> Option<[Vec<u8>; N]> {
    let decoded: Option<Vec<Vec<u8>>> =
        parts.into_iter().map(|part| URL_SAFE_NO_PAD.decode(part).ok()).collect();
    decoded?.try_into().ok()
}
