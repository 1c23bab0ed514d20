//! The secrets that sign messages.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// How each of them begins, so that receivers and those who look for secrets in published files know it.
const PREFIX: &str = "whsec_";

/// A secret of 256 random bits, which the service and the receiver share.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// From 256 random bits.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret of a text that [`Secret::reveal`] has made.
    pub fn from_stored(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// The text for the receiver: `whsec_` and base64.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(self.0))
    }

    /// The key of the signatures.
    pub const fn key(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_round_trips_through_its_text_and_hides_in_debug_output() {
        // [HOOK045]
        let secret = Secret::from_bytes([7; 32]);
        let text = secret.reveal();
        assert_eq!(text, "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        assert_eq!(Secret::from_stored(&text), Some(secret.clone()));
        for other in
            ["", "whsec_", "whsec_BwcH", &text[6..], "whpk_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="]
        {
            assert_eq!(Secret::from_stored(other), None, "{other}");
        }
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
